// Labels keep clear of each other and of what is drawn, and stay close to what they name.
#include "picture/label_places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace plimsoll::picture {
namespace {

constexpr Rectangle kInside{50, 40, 700, 400};
constexpr double kWidth = 130, kHeight = 14;

double gap(double a, double a_size, double b, double b_size) {
  return std::max(b - (a + a_size), a - (b + b_size));
}

/// Below 0 where they overlap.
double between(const Rectangle& a, const Rectangle& b) {
  return std::max(gap(a.x, a.width, b.x, b.width), gap(a.y, a.height, b.y, b.height));
}

double between(const Rectangle& a, const Spot& p) { return between(a, Rectangle{p.x, p.y, 0, 0}); }

bool is_inside(const Rectangle& place) {
  return place.x >= kInside.x && place.x + place.width <= kInside.x + kInside.width &&
         place.y >= kInside.y && place.y + place.height <= kInside.y + kInside.height;
}

TEST_CASE("labels of marks on a curve overlap neither each other nor the curve") {
  LabelPlaces places(kInside);
  const auto curve = [](double x) { return Spot{x, 240 - 120 * std::sin(x / 90)}; };
  std::vector<Spot> drawn;
  for (double x = 50; x <= 750; x += 2) drawn.push_back(curve(x));
  for (std::size_t i = 1; i < drawn.size(); ++i) places.add_line(drawn[i - 1], drawn[i]);
  std::vector<Rectangle> labels;
  for (const double x : {60.0, 140.0, 150.0, 430.0, 740.0}) {
    const Spot at = curve(x);
    labels.push_back(places.take({&at, 1}, kWidth, kHeight));
    CHECK(is_inside(labels.back()));
    CHECK(between(labels.back(), at) <= 42);  // as far as they are looked for
    for (const Spot& p : drawn) CHECK(between(labels.back(), p) > 0);
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(between(labels[i], labels[k]) > 0);
}

TEST_CASE("alone, a label stands as close as it may, within the frame") {
  for (const Spot at : {Spot{400, 200}, {50, 40}, {750, 40}, {750, 440}, {50, 440}}) {
    LabelPlaces places(kInside);
    const Rectangle label = places.take({&at, 1}, kWidth, kHeight);
    CHECK(is_inside(label));
    CHECK(between(label, at) <= 13);
  }
}

TEST_CASE("of several points to stand at, one with room is taken") {
  LabelPlaces places(kInside);
  for (double y = 150; y <= 250; y += 4) places.add_line({300, y}, {500, y});
  const std::vector<Spot> anchors{{400, 200}, {600, 200}};
  const Rectangle label = places.take(anchors, kWidth, kHeight);
  CHECK(between(label, anchors[1]) <= 13);
}

}  // namespace
}  // namespace plimsoll::picture
