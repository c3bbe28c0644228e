// Triangles of patches: closed, as near as promised, and no more of them than needed.
#include <doctest/doctest.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "core/random.h"
#include "patch/derivative_bounds.h"
#include "patch/patch_moments.h"
#include "patch/patch_shapes.h"
#include "patch/tessellate.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

TriangleMesh tessellated(const PatchSurface& surface, double flatness) {
  Result<TriangleMesh> mesh = tessellate(surface, flatness);
  REQUIRE_MESSAGE(mesh, mesh.error().message);
  return *std::move(mesh);
}

double sphere_distance(const Vec3& p) { return std::abs(p.norm() - 1); }
double torus_distance(const Vec3& p) {
  return std::abs(std::hypot(std::hypot(p.x(), p.y()) - 2, p.z()) - 0.7);
}

// The farthest of a lattice of points on every triangle, its edges and corners with them.
double farthest(const TriangleMesh& mesh, const std::function<double(const Vec3&)>& distance) {
  constexpr int kSteps = 6;
  double farthest = 0;
  for (const Triangle& t : mesh.triangles)
    for (int i = 0; i <= kSteps; ++i)
      for (int j = 0; i + j <= kSteps; ++j)
        farthest = std::max(farthest, distance((i * mesh.vertices[t[0]] + j * mesh.vertices[t[1]] +
                                                (kSteps - i - j) * mesh.vertices[t[2]]) /
                                               kSteps));
  return farthest;
}

bool has_flat_triangle(const TriangleMesh& mesh) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    return (b - a).cross(c - a).isZero(0);
  });
}

TEST_CASE("tessellated spheres and tori are closed, and no farther off than the flatness") {
  const PatchSurface sphere = test::patches_of(test::nurbs_sphere(1));
  const PatchSurface torus = test::patches_of(test::nurbs_torus(2, 0.7));
  for (const double flatness : {0.3, 0.05, 0.01, 0.001}) {
    CAPTURE(flatness);
    const TriangleMesh ball = tessellated(sphere, flatness);
    CHECK(test::is_closed_manifold(ball));
    CHECK(test::euler_number(ball) == 2);
    CHECK_FALSE(has_flat_triangle(ball));
    CHECK(ClosedMesh::from_triangles(ball));
    CHECK(farthest(ball, sphere_distance) <= flatness);
    const TriangleMesh ring = tessellated(torus, flatness);
    CHECK(test::is_closed_manifold(ring));
    CHECK(test::euler_number(ring) == 0);
    CHECK_FALSE(has_flat_triangle(ring));
    CHECK(farthest(ring, torus_distance) <= flatness);
  }
}

// On a sphere the best triangles with edges of sqrt(8 flatness) make 4 pi / (4 flatness). Uniform
// steps, also along the poles, and bounds of rational derivatives take 11 times that.
TEST_CASE("a tessellation has not many times the triangles that it needs") {
  const TriangleMesh ball = tessellated(test::patches_of(test::nurbs_sphere(1)), 1e-4);
  CHECK(ball.triangles.size() < 11 * pi / 1e-4);
  CHECK(farthest(ball, sphere_distance) > 0.25 * 1e-4);
}

TEST_CASE("what is flat or ruled takes no more triangles than that") {
  CHECK(tessellated(test::bulging_box({1, 2, 3}, 1, 0), 1e-6).triangles.size() == 12);
  const TriangleMesh tube = tessellated(test::patches_of(test::nurbs_cylinder(1, 5)), 0.01);
  CHECK(test::is_closed_manifold(tube));
  CHECK(farthest(tube, [](const Vec3& p) {
          return std::min(std::abs(std::hypot(p.x(), p.y()) - 1), std::abs(std::abs(p.z()) - 2.5));
        }) <= 0.01);
}

// Where one patch bends and its neighbors do not, their common edges take the finer steps of the
// two, and strips join these to the coarser grids.
TEST_CASE("neighbors with different steps share every vertex of their edge") {
  for (const int degree : {2, 3, 5}) {
    for (const double flatness : {0.2, 0.02, 0.003}) {
      const TriangleMesh box = tessellated(test::bulging_box({1, 2, 3}, degree, 1.5), flatness);
      CHECK(test::is_closed_manifold(box));
      CHECK(test::euler_number(box) == 2);
    }
  }
}

// A square in a coarse grid, whose neighbors have finer edges. A triangle of a strip has the
// strip's width, one step of the grid, and along the edge it extends over no more than a step: what
// the bound on the flatness is for.
TEST_CASE("triangles extend over no more than a step of the grid where edges are finer") {
  const auto square = [](double x, double y) {
    return test::parallelogram(1, {x, y, 0}, {1, 0, 0}, {0, 1, 0});
  };
  // The middle one, and those below, on the right, above and on the left of it.
  const PatchSurface surface{
      {square(0, 0), square(0, -1), square(1, 0), square(0, 1), square(-1, 0)}};
  for (const auto& [steps, fine] : {std::pair{PatchSteps{5, 4}, std::array{5, 11, 5, 4}},
                                    {{5, 4}, {5, 4, 13, 4}},
                                    {{5, 4}, {7, 4, 5, 4}},
                                    {{5, 4}, {5, 4, 5, 9}},
                                    {{3, 6}, {8, 17, 10, 12}},
                                    {{4, 3}, {12, 9, 20, 3}}}) {
    CAPTURE(steps.u);
    CAPTURE(steps.v);
    const std::array<PatchSteps, 5> all{steps, PatchSteps{fine[0], 1}, PatchSteps{1, fine[1]},
                                        PatchSteps{fine[2], 1}, PatchSteps{1, fine[3]}};
    const TriangleMesh mesh = tessellate_in_steps(surface, all);
    int count = 0;
    double area = 0;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      const Vec3 middle = (a + b + c) / 3;
      if (middle.minCoeff() < 0 || middle.maxCoeff() > 1) continue;
      const Vec3 size = a.cwiseMax(b).cwiseMax(c) - a.cwiseMin(b).cwiseMin(c);
      // Coordinates are sums of a few numbers up to 1.
      CHECK(size.x() <= 1.0 / steps.u + 1e-14);
      CHECK(size.y() <= 1.0 / steps.v + 1e-14);
      const Vec3 normal = (b - a).cross(c - a);
      CHECK(normal.z() > 0);
      area += normal.z() / 2;
      ++count;
    }
    CHECK(std::abs(area - 1) < 1e-13);
    // The grid within, and a triangle for each segment of the edges and of the rows beside them.
    const int inner_u = steps.u - 2, inner_v = steps.v - 2;
    CHECK(count ==
          2 * inner_u * inner_v + 2 * (inner_u + inner_v) + fine[0] + fine[1] + fine[2] + fine[3]);
  }
}

// By differences of the tangents over 1e-5, good to some 1e-5 of derivatives of size 100.
TEST_CASE("no second derivative is longer than its bound") {
  Random random(11);
  for (const auto& [degree_u, degree_v] :
       {std::pair{1, 1}, {1, 2}, {2, 1}, {3, 2}, {6, 6}, {7, 7}}) {
    for (int round = 0; round < 6; ++round) {
      BezierPatch patch{degree_u, degree_v, {}};
      for (int i = 0; i < (degree_u + 1) * (degree_v + 1); ++i)
        patch.points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                                round == 0 ? 3 : random.uniform(0.3, 3)});
      const SecondDerivatives bound = second_derivative_bounds(patch);
      const double h = 1e-5;
      for (int k = 0; k < 50; ++k) {
        const double u = random.uniform(h, 1 - h), v = random.uniform(h, 1 - h);
        const SurfacePoint u0 = evaluate(patch, u - h, v), u1 = evaluate(patch, u + h, v);
        const SurfacePoint v0 = evaluate(patch, u, v - h), v1 = evaluate(patch, u, v + h);
        const double slack = 1e-4;
        CHECK((u1.du - u0.du).norm() / (2 * h) <= bound.uu * (1 + slack) + slack);
        CHECK((u1.dv - u0.dv).norm() / (2 * h) <= bound.uv * (1 + slack) + slack);
        CHECK((v1.dv - v0.dv).norm() / (2 * h) <= bound.vv * (1 + slack) + slack);
      }
    }
  }
}

// A bent edge between a patch with steps along it and flat ones on its other side.
TEST_CASE("a side under an arched roof follows the arch") {
  PatchSurface box = test::bulging_box({1, 1, 1}, 2, 0);
  const auto lift = [](BezierPatch& patch, std::size_t point) { patch.points[point].z() += 0.8; };
  for (const std::size_t middle : {3, 4, 5}) lift(box.patches[1], middle);
  // The walls y = 0 and y = 1 end in the arch: degree 2 along x.
  const auto wall = [](double y, bool turned) {
    BezierPatch patch{1, 2, {}};
    for (const double z : {0.0, 1.0})
      for (const double x : {0.0, 0.5, 1.0})
        patch.points.push_back({turned ? 1 - x : x, y, z + (z == 1 && x == 0.5 ? 0.8 : 0), 1});
    return patch;
  };
  box.patches[2] = wall(0, true);
  box.patches[3] = wall(1, false);
  // The floor's edges along x are of degree 1, the walls' of degree 2: other curves by their
  // points, although the same line. So the floor has to be of degree 2 as well.
  box.patches[0] = test::parallelogram(2, Vec3::Zero(), {0, 1, 0}, {1, 0, 0});
  for (const std::size_t side : {4, 5}) box.patches[side] = {2, 1, {}};
  for (const double x : {0.0, 1.0}) {
    BezierPatch& patch = box.patches[x == 0 ? 4 : 5];
    for (const double y : {0.0, 0.5, 1.0})
      for (const double z : {0.0, 1.0}) patch.points.push_back({x, x == 0 ? 1 - y : y, z, 1});
  }
  const PatchMoments exact = patch_moments(box);
  CHECK(exact.closure < 1e-15);
  CHECK(std::abs(exact.moments.volume - (1 + 0.8 / 3)) < 1e-14);
  for (const double flatness : {0.3, 0.01, 0.0001}) {
    const TriangleMesh mesh = tessellated(box, flatness);
    CHECK(test::is_closed_manifold(mesh));
    // The chords of a parabola are off by 2/3 of the greatest gap on average.
    CHECK(std::abs(test::volume(mesh) - exact.moments.volume) <= 2.0 / 3 * flatness + 1e-14);
  }
}

// Chords cut off the square of their length, so four times the segments leave a sixteenth; the
// next order is the square of that again.
TEST_CASE("tessellations come near the exact moments with the square of the step") {
  for (const PatchSurface& surface :
       {test::patches_of(test::nurbs_sphere(1)), test::patches_of(test::nurbs_torus(2, 0.7)),
        test::bulging_box({1, 2, 3}, 3, 1.5)}) {
    const double exact = patch_moments(surface).moments.volume;
    double before = 0;
    for (const int segments : {8, 16, 32}) {
      const Result<TriangleMesh> mesh = tessellate_uniform(surface, segments);
      REQUIRE(mesh);
      CHECK(test::is_closed_manifold(*mesh));
      const double error = exact - test::volume(*mesh);
      if (before != 0) CHECK(std::abs(before / error - 4) < 20.0 / (segments * segments));
      before = error;
    }
    CHECK(before > 0);
  }
}

TEST_CASE("uniform steps make two triangles for each quadrilateral but at the poles") {
  const auto ball = tessellate_uniform(test::patches_of(test::nurbs_sphere(1)), 6);
  REQUIRE(ball);
  CHECK(ball->triangles.size() == 8 * (2 * 6 * 6 - 6));
  CHECK(test::euler_number(*ball) == 2);
  const auto ring = tessellate_uniform(test::patches_of(test::nurbs_torus(2, 0.7)), 6);
  REQUIRE(ring);
  CHECK(ring->triangles.size() == 16 * 2 * 6 * 6);
  const auto box = tessellate_uniform(test::bulging_box({1, 2, 3}, 1, 0), 1);
  REQUIRE(box);
  CHECK(box->triangles.size() == 12);
  CHECK(box->vertices.size() == 8);
}

TEST_CASE("no patches make no triangles") {
  const auto none = tessellate({}, 1);
  REQUIRE(none);
  CHECK(none->triangles.empty());
}

TEST_CASE("a flatness that is no length is refused") {
  const PatchSurface box = test::bulging_box({1, 2, 3}, 1, 0);
  for (const double flatness : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto mesh = tessellate(box, flatness);
    REQUIRE_FALSE(mesh);
    CHECK(mesh.error().code == ErrorCode::kInvalidArgument);
  }
  CHECK_FALSE(tessellate_uniform(box, 0));
}

TEST_CASE("a flatness that takes too many triangles is refused, and one named that would do") {
  const PatchSurface sphere = test::patches_of(test::nurbs_sphere(1));
  for (const double flatness : {1e-9, 1e-14, 1e-300}) {
    const auto mesh = tessellate(sphere, flatness);
    REQUIRE_FALSE(mesh);
    CHECK(mesh.error().code == ErrorCode::kResourceLimit);
    const std::string& message = mesh.error().message;
    const std::size_t from = message.find("; "), to = message.find(" would do");
    REQUIRE_MESSAGE(to != std::string::npos, message);
    const double enough = std::stod(message.substr(from + 2));
    CHECK(enough > flatness);
    // 11 pi / flatness triangles are enough (above), to be half of 20 million, in steps of 1.1.
    CHECK(enough < 1.1 * 11 * pi / 10e6);
  }
  const auto uniform = tessellate_uniform(sphere, 2000);
  REQUIRE_FALSE(uniform);
  CHECK(uniform.error().code == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
