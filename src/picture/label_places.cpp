#include "picture/label_places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace plimsoll::picture {
namespace {

bool holds(const Rectangle& frame, const Spot& p) {
  return p.x >= frame.x && p.x <= frame.x + frame.width && p.y >= frame.y &&
         p.y <= frame.y + frame.height;
}

bool meet(const Rectangle& a, const Rectangle& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

void LabelPlaces::add_line(const Spot& a, const Spot& b) {
  const int steps = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 3);
  for (int i = 0; i <= steps; ++i)
    drawn_.push_back({a.x + (b.x - a.x) * i / steps, a.y + (b.y - a.y) * i / steps});
}

Rectangle LabelPlaces::take(std::span<const Spot> anchors, double width, double height) {
  Rectangle best;
  double least = std::numeric_limits<double>::infinity();
  for (const Spot& anchor : anchors)
    for (const double away : {8.0, 13.0, 20.0, 30.0, 42.0})
      for (int k = 0; k < 16; ++k) {
        const double angle = (2 * k + 1) * std::numbers::pi / 16;
        const double x = std::cos(angle), y = -std::sin(angle);
        const Rectangle place{anchor.x + away * x + (x - 1) / 2 * width,
                              anchor.y + away * y + (y - 1) / 2 * height, width, height};
        const double found = away + cost(place);
        if (found < least) best = place;
        least = std::min(least, found);
      }
  taken_.push_back(best);
  return best;
}

double LabelPlaces::cost(const Rectangle& place) const {
  constexpr double kRoom = 4;
  const Rectangle wide{place.x - kRoom, place.y - kRoom, place.width + 2 * kRoom,
                       place.height + 2 * kRoom};
  double cost = 0;
  for (const Spot& p : drawn_) cost += holds(wide, p) ? 20 : 0;
  for (const Rectangle& other : taken_) cost += meet(wide, other) ? 2000 : 0;
  const bool is_inside = holds(inside_, {wide.x, wide.y}) &&
                         holds(inside_, {wide.x + wide.width, wide.y + wide.height});
  return is_inside ? cost : cost + 10'000;
}

}  // namespace plimsoll::picture
