// Facets of primitives and edges of patches are as fine as is said.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/shape.h>

#include <cmath>

#include "patch/patch_moments.h"
#include "patch/patch_shapes.h"
#include "patch/tessellate.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

// What facets cut off is a shell no thicker than the deviation.
TEST_CASE("facets of primitives cut off no more than the deviation over their area") {
  for (const Shape& shape : {Shape{Sphere{2}}, Shape{Ellipsoid{{3, 2, 1}}}, Shape{Torus{3, 1}},
                             Shape{Cylinder{1.5, 4}}, Shape{Capsule{1, 2}}, Shape{Cone{2, 3}}})
    for (const double flatness : {0.1, 0.01, 1e-3}) {
      CAPTURE(shape.solid.index());
      CAPTURE(flatness);
      const Result<ShapeMass> exact = mass_properties(shape);
      const Result<std::optional<ShapeMesh>> made = to_triangles(shape, flatness);
      REQUIRE(exact);
      REQUIRE((made && *made));
      CHECK((*made)->deviation <= flatness);
      const double lost =
          exact->body.properties.volume - mass_properties(test::checked((*made)->mesh)).volume;
      CHECK(lost > 0);
      CHECK(lost <= flatness * exact->surface_area);
    }
  // A chord of a circle is nowhere farther from it than in its middle.
  const Result<std::optional<ShapeMesh>> post = to_triangles({Cylinder{1, 1}}, 0.01);
  REQUIRE((post && *post));
  double nearest = 1;
  for (const Triangle& t : (*post)->mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 middle =
          ((*post)->mesh.vertices[t[k]] + (*post)->mesh.vertices[t[(k + 1) % 3]]) / 2;
      if (middle.head<2>().norm() > 0.6) nearest = std::min(nearest, middle.head<2>().norm());
    }
  CHECK(nearest >= 1 - 0.01);
}

/// A flat patch of the square from (x, 0) to (x + 1, 1).
BezierPatch square_at(double x) {
  BezierPatch patch{1, 1, {}};
  for (const double u : {0.0, 1.0})
    for (const double v : {0.0, 1.0}) patch.points.push_back({x + u, v, 0, 1});
  return patch;
}

// z = x y has no second derivative but the mixed one. Two triangles over h x k are off by h k / 4
// in the middle of their common side.
TEST_CASE("a twisted square is cut both ways, as finely as its flatness asks") {
  PatchSurface surface;
  surface.patches = {{1, 1, {{0, 0, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 1}}}};
  for (const double flatness : {1.0 / 32, 1e-3}) {
    const Result<std::vector<PatchGrid>> grids = patch_grids(surface, flatness);
    REQUIRE(grids);
    const PatchSteps& steps = grids->front().steps;
    CHECK(1.0 / (steps.u * steps.v) / 4 <= flatness);
  }
}

TEST_CASE("an edge has as many segments as the finer of its patches asks for") {
  for (const bool fine_first : {true, false}) {
    PatchSurface surface;
    surface.patches = {square_at(0), square_at(1)};
    const PatchSteps fine{1, 8}, coarse{1, 2};
    const PatchSteps steps[] = {fine_first ? fine : coarse, fine_first ? coarse : fine};
    const TriangleMesh mesh = tessellate_in_steps(surface, steps);
    const auto on_edge = std::count_if(mesh.vertices.begin(), mesh.vertices.end(),
                                       [](const Vec3& v) { return v.x() == 1; });
    CHECK(on_edge == 9);
  }
}

// 2 pi a^2 (1 + c / (a e) asin e), c > a the half axis and e^2 = 1 - a^2 / c^2.
TEST_CASE("the area of a long spheroid is that of its closed form") {
  for (const double c : {1.001, 1.5, 4.0, 100.0}) {
    const double e = std::sqrt((1 - 1 / c) * (1 + 1 / c));
    const double area = 2 * std::acos(-1.0) * (1 + c / e * std::asin(e));
    for (const Vec3& radii : {Vec3(1, 1, c), Vec3(c, 1, 1), Vec3(1, c, 1)}) {
      const Result<ShapeMass> found = mass_properties(Shape{Ellipsoid{radii}});
      REQUIRE(found);
      // asin loses digits near 1, as c grows: 1e-16 c.
      CHECK(std::abs(found->surface_area / area - 1) <= 4e-15 + 1e-16 * c);
    }
  }
}

// A volume that is off by e moves the first moments about a point t away by t e, the second by t t
// e.
TEST_CASE("moments of patches about a far point are as uncertain as their volume makes them") {
  const PatchSurface ball = test::patches_of(test::nurbs_sphere(1));
  const Vec3 far(100, -200, 300);
  const PatchMoments near = patch_moments(ball, Vec3::Zero()), moved = patch_moments(ball, far);
  CHECK(near.error.volume > 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(moved.error.first[i] >= near.error.volume * std::abs(far[i]));
    for (int j = 0; j < 3; ++j)
      CHECK(moved.error.second(i, j) >= near.error.volume * std::abs(far[i] * far[j]));
  }
}

TEST_CASE("the area of a scaled primitive grows by the square") {
  Shape ball{Sphere{1.5}};
  ball.pose.linear() *= 3;
  const Result<ShapeMass> found = mass_properties(ball);
  REQUIRE(found);
  const double area = 4 * std::acos(-1.0) * 1.5 * 1.5 * 9;
  CHECK(std::abs(found->surface_area / area - 1) <= 1e-15);
}

}  // namespace
}  // namespace plimsoll
