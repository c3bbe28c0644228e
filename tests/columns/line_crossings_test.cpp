// Lines at the borders between the cases that crossings are found by.
#include "columns/line_crossings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "columns/columns.h"
#include "core/random.h"
#include "support/checked.h"

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

// From just outside a tube its two roots are of sizes far apart, of which Vieta's rule finds one by
// the other: the sum that gives the first must not cancel.
TEST_CASE("a line that begins at a tube's surface leaves it where it should, forwards and back") {
  Random random(38);
  for (int i = 0; i < 1000; ++i) {
    const double turn = random.uniform(0, 6.28), gap = std::pow(10.0, random.uniform(-12, -6));
    const Vec3 d(std::cos(turn), std::sin(turn), 0);
    const double side = i % 2 == 0 ? 1 : -1;
    const LineSpans found = spans_of(Cylinder{1, 2}, {-side * (1 + gap) * d, d});
    REQUIRE(found.count == 1);
    // Of the line a few roundings of lengths near 1.
    CHECK(std::abs(side * (found.spans[0].enter + found.spans[0].leave) / 2 - (1 + gap)) <= 2e-15);
    CHECK(std::abs(found.spans[0].leave - found.spans[0].enter - 2) <= 2e-15);
  }
}

// In the box 0 <= x <= 1 of a stack of boxes: a line in the face between two is in the upper one.
TEST_CASE("a line in a face belongs to the box on one side of it alone") {
  Span span;
  const Line line{{0.5, 0.5, -3}, {0, 0, 1}};
  CHECK(clip_to_box(line, {Vec3(0.5, 0, 0), Vec3(1, 1, 1)}, span));
  CHECK(!clip_to_box(line, {Vec3(0, 0, 0), Vec3(0.5, 1, 1)}, span));
}

// A ring without a hole: lines through its middle leave the tube and enter it in one point, which
// rounding may split either way.
TEST_CASE("the pieces of a line through a ring that is closed never overlap") {
  Random random(81);
  const Torus torus{1, 1};
  for (int i = 0; i < 3000; ++i) {
    const Vec3 d = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.1 * random.uniform(-1, 1));
    const double beside = i % 2 == 0 ? 0 : std::pow(10.0, random.uniform(-18, -9));
    const Line line{beside * Vec3::UnitX(), d.normalized()};
    const LineSpans found = spans_of(torus, line);
    REQUIRE(found.count >= 1);
    if (found.count == 2) CHECK(found.spans[0].leave < found.spans[1].enter);
  }
}

// Of two solids side by side nothing is taken, nor is the face that they share another's.
TEST_CASE("a difference keeps the faces of what nothing is taken off") {
  std::vector<Span> rest;
  subtract({{1, 2, 10, 11}}, {{0, 1, 20, 21}, {2, 3, 30, 31}}, 0, rest);
  REQUIRE(rest.size() == 1);
  CHECK((rest[0].enter == 1 && rest[0].leave == 2));
  CHECK((rest[0].enter_surface == 10 && rest[0].leave_surface == 11));
}

// Slivers that are seen as lines: over such a one the plane it lies in may be anywhere.
TEST_CASE("a column leaves a mesh within its box") {
  Random random(82);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    auto mesh = std::make_shared<TriangleMesh>();
    const double slope = random.uniform(-2, 2), thin = std::pow(10.0, random.uniform(-17, -13));
    for (int k = 0; k < 4; ++k) {
      const double x = random.uniform(0, 1);
      mesh->vertices.push_back(
          {x, slope * x + thin * random.uniform(-1, 1), random.uniform(-1, 1)});
    }
    mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const Result<Columns> columns = Columns::of({MeshSolid{mesh}}, 2, 1);
    REQUIRE(columns);
    const Box3 box = bounding_box(test::checked(*mesh));
    Columns::Scratch scratch;
    std::vector<Span> spans;
    for (int j = 0; j < 200; ++j) {
      const double s = random.unit(), t = random.unit();
      const Vec3 at = mesh->vertices[0] + s * (mesh->vertices[1] - mesh->vertices[0]) +
                      (1 - s) * t * (mesh->vertices[2] - mesh->vertices[0]);
      columns->spans(at.x(), at.y(), scratch, spans);
      for (const Span& span : spans) {
        ++met;
        CHECK(span.enter >= box.min().z());
        CHECK(span.leave <= box.max().z());
      }
    }
  }
  CHECK(met > 1000);
}

// A unit in the last place of 1 is 2e-16: what is apart by a millionth of a millionth is apart.
TEST_CASE("a slit of a thousand roundings stays open") {
  Shape lower{BoxSolid{{1, 1, 1}}}, upper{BoxSolid{{1, 1, 1}}};
  upper.pose.translation()[2] = 1 + 1e-12;
  const Result<Columns> columns =
      Columns::of({Boolean{BooleanOperation::kUnion, {lower, upper}}}, 2, 1);
  REQUIRE(columns);
  Columns::Scratch scratch;
  std::vector<Span> spans;
  columns->spans(0.1, 0.2, scratch, spans);
  CHECK(spans.size() == 2);
}

// A bundle about a flat ellipsoid: what holds all points within r of it has to grow by r where it
// is thinnest, too.
TEST_CASE("no column of a bundle leaves the outer hull of an ellipsoid") {
  Random random(83);
  for (int i = 0; i < 300; ++i) {
    const Result<Columns> columns = Columns::of({Ellipsoid{{1, 0.7, 0.02}}}, i % 3, 1);
    REQUIRE(columns);
    const double u = random.uniform(-1, 0.9), v = random.uniform(-0.7, 0.6), size = 0.1;
    Columns::Scratch scratch;
    const Columns::Bundle bundle = columns->bundle({{u, u + size, v, v + size}, 0.01, {}}, scratch);
    std::vector<Span> spans, outside;
    for (int j = 0; j < 20; ++j) {
      columns->spans(u + size * random.unit(), v + size * random.unit(), scratch, spans);
      subtract(spans, bundle.outer, 1e-14, outside);
      CHECK(outside.empty());
    }
  }
}

}  // namespace
}  // namespace plimsoll
