// Lines at the borders between the cases that crossings are found by.
#include "shape/line_crossings.h"

#include <doctest/doctest.h>

#include <cmath>

namespace plimsoll {
namespace {

template <class Solid>
LineSpans spans_of(const Solid& solid, const Line& line) {
  LineSpans found;
  crossings(line, solid, found);
  return found;
}

// A cone as high as it is wide: with (s, 0, -s) the quadratic's leading term s s - s s is exactly
// 0, and one root is at infinity. The depth w under the apex grows along the line, x - w does not.
TEST_CASE("a line parallel to a side line of a cone enters or leaves by the side only once") {
  const Cone cone{1, 1};
  const double s = std::sqrt(0.5);
  for (const double turn : {1.0, -1.0}) {
    // Through the middle of the base, whose opposite side is met where x = -(1 - z).
    const Line line{{0, 0, 0}, turn * Vec3(s, 0, -s)};
    const LineSpans found = spans_of(cone, line);
    REQUIRE(found.count == 1);
    const Span& span = found.spans[0];
    const double through_side = -1 / (2 * s) * turn;
    CHECK(std::abs(span.enter - std::min(through_side, 0.0)) <= 1e-15);
    CHECK(std::abs(span.leave - std::max(through_side, 0.0)) <= 1e-15);
    CHECK(span.enter_surface == (turn > 0 ? 0 : 1));
    CHECK(span.leave_surface == (turn > 0 ? 1 : 0));
    // Beside the cone, on the side that it leans away from, it meets nothing.
    CHECK(spans_of(cone, {{1.5, 0, 0}, turn * Vec3(s, 0, -s)}).count == 0);
  }
}

// In the box 0 <= x <= 1 of a stack of boxes: a line in the face between two is in the upper one.
TEST_CASE("a line in a face belongs to the box on one side of it alone") {
  Span span;
  const Line line{{0.5, 0.5, -3}, {0, 0, 1}};
  CHECK(clip_to_box(line, {Vec3(0.5, 0, 0), Vec3(1, 1, 1)}, span));
  CHECK(!clip_to_box(line, {Vec3(0, 0, 0), Vec3(0.5, 1, 1)}, span));
}

}  // namespace
}  // namespace plimsoll
