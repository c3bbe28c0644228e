#include "picture/strokes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "picture/pen.h"

namespace plimsoll::picture {
namespace {

/// From which share of a line to which it can be seen; from > to where it cannot.
struct Shares {
  double from = 0, to = 1;
};

/// Of the line from a to b, what lies in the picture or as close to it as `width` (Liang and
/// Barsky's clipping). Cairo counts 1/256 pixels in 32 bits and would draw the rest anywhere.
Shares seen(const Picture& picture, const Spot& a, const Spot& b, double width) {
  Shares shares;
  const auto clip = [&](double start, double way, double side) {
    if (way == 0) {
      if (start < -width || start > side + width) shares = {1, 0};
      return;
    }
    const double low = (-width - start) / way, high = (side + width - start) / way;
    shares.from = std::max(shares.from, std::min(low, high));
    shares.to = std::min(shares.to, std::max(low, high));
  };
  if (!std::isfinite(a.x + a.y + b.x + b.y)) return {1, 0};
  clip(a.x, b.x - a.x, picture.width());
  clip(a.y, b.y - a.y, picture.height());
  return shares;
}

/// Dashes where `length` is more than 0.
void draw_line(Picture& picture, const Spot& a, const Spot& b, double width, double length,
               Color color) {
  const Shares shares = seen(picture, a, b, width);
  if (!(shares.from <= shares.to)) return;
  const auto spot = [&](double share) {
    return Spot{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
  };
  const Spot from = spot(shares.from), to = spot(shares.to);
  const Pen pen(picture, color);
  cairo_set_line_width(pen.context(), width);
  if (length > 0)
    cairo_set_dash(pen.context(), &length, 1,
                   std::fmod(shares.from * std::hypot(b.x - a.x, b.y - a.y), 2 * length));
  cairo_move_to(pen.context(), from.x, from.y);
  cairo_line_to(pen.context(), to.x, to.y);
  cairo_stroke(pen.context());
}

/// Whether a circle may be seen.
bool is_near(const Picture& picture, const Spot& middle, double radius) {
  return middle.x > -radius && middle.x < picture.width() + radius && middle.y > -radius &&
         middle.y < picture.height() + radius;
}

void add_circle(const Pen& pen, const Spot& middle, double radius) {
  cairo_arc(pen.context(), middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
}

}  // namespace

void stroke(Picture& picture, const Spot& a, const Spot& b, double width, Color color) {
  draw_line(picture, a, b, width, 0, color);
}

void dashes(Picture& picture, const Spot& a, const Spot& b, double width, double length,
            Color color) {
  draw_line(picture, a, b, width, length, color);
}

void disc(Picture& picture, const Spot& middle, double radius, Color color) {
  if (!is_near(picture, middle, radius)) return;
  const Pen pen(picture, color);
  add_circle(pen, middle, radius);
  cairo_fill(pen.context());
}

void ring(Picture& picture, const Spot& middle, double radius, double width, Color color) {
  if (!is_near(picture, middle, radius + width)) return;
  const Pen pen(picture, color);
  cairo_set_line_width(pen.context(), width);
  add_circle(pen, middle, radius);
  cairo_stroke(pen.context());
}

void fill(Picture& picture, const Rectangle& frame, Color color, double cover) {
  const Pen pen(picture, color, cover);
  cairo_rectangle(pen.context(), frame.x, frame.y, frame.width, frame.height);
  cairo_fill(pen.context());
}

void put(Picture& picture, const Picture& part, int x, int y) {
  const Pen pen(picture, {});
  cairo_set_source_surface(pen.context(), part.surface(), x, y);
  cairo_paint(pen.context());
}

}  // namespace plimsoll::picture
