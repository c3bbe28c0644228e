#include <doctest/doctest.h>
#include <plimsoll/patches.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "patch/patch_moments.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using Point = std::array<double, 3>;

std::set<Point> points_of(const PatchSurface& surface) {
  std::set<Point> points;
  for (const BezierPatch& patch : surface.patches)
    for (const WeightedPoint& p : patch.points) points.insert({p.x(), p.y(), p.z()});
  return points;
}

PatchSurface part(std::vector<std::size_t> patches) {
  const PatchSurface whole = closed_teapot();
  PatchSurface result;
  for (const std::size_t p : patches) result.patches.push_back(whole.patches[p]);
  return result;
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t past, std::size_t first_cap,
                                 std::size_t past_cap) {
  std::vector<std::size_t> result;
  for (std::size_t i = first; i < past; ++i) result.push_back(i);
  for (std::size_t i = first_cap; i < past_cap; ++i) result.push_back(i);
  return result;
}

PatchSurface body_with_lid() { return part(numbers(0, 16, 24, 36)); }
PatchSurface handle() { return part(numbers(16, 20, 36, 40)); }
PatchSurface spout() { return part(numbers(20, 24, 40, 44)); }

// Of the 306 numbered points of [Crow1987] four serve no patch (those 0.002 beside the knob's top),
// and the twelve of the bottom's edge are listed twice.
TEST_CASE("the teapot has the published control points") {
  const std::set<Point> points = points_of(teapot());
  CHECK(teapot().patches.size() == 32);
  CHECK(points.size() == 290);
  for (const Point& p :
       {Point{1.4, -0.784, 2.4}, Point{0.805, -1.4375, 2.53125}, Point{-1.12, 2, 0.45},
        Point{-2.65, -0.3, 0.9375}, Point{-1.9, 0.3, 0.6}, Point{3.1, -0.66, 0.825},
        Point{3.45, 0.15, 2.5125}, Point{-0.45, 0.8, 3.15}, Point{0, 0, 2.85},
        Point{0.112, -0.2, 2.7}, Point{-0.728, -1.3, 2.55}, Point{0.798, -1.425, 0}})
    CHECK(points.contains(p));
  const Box3 box = bounding_box(teapot());
  CHECK(box.min() == Vec3(-3, -2, 0));
  CHECK(box.max() == Vec3(3.525, 2, 3.15));
}

TEST_CASE("the body, the handle and the spout are each closed and turned outward") {
  for (const PatchSurface& solid : {body_with_lid(), handle(), spout()}) {
    const PatchMoments found = patch_moments(solid);
    CHECK(found.polynomial);
    CHECK(found.closure < 1e-15);  // ten roundings of the area: patches share their edges' points
    CHECK(found.moments.volume > 0);
    const auto mesh = tessellate(solid, 0.01);
    REQUIRE(mesh);
    CHECK(test::is_closed_manifold(*mesh));
    CHECK(test::euler_number(*mesh) == 2);
  }
}

// The volumes of the comment in teapot.h, which has four digits.
TEST_CASE("the teapot holds 26.17") {
  CHECK(std::abs(patch_moments(body_with_lid()).moments.volume - 25.2511) < 5e-5);
  CHECK(std::abs(patch_moments(handle()).moments.volume - 0.2630) < 5e-5);
  CHECK(std::abs(patch_moments(spout()).moments.volume - 0.6560) < 5e-5);
  const PatchMoments whole = patch_moments(closed_teapot());
  CHECK(std::abs(whole.moments.volume - 26.170114193428) < 1e-11);
  CHECK(whole.error.volume < 1e-12);
  CHECK(whole.closure < 1e-15);
  // Symmetric in y.
  CHECK(std::abs(whole.moments.first.y()) <= whole.error.first.y());
}

// 32 patches of 2 n^2 less n at the 8 that end in a point, 8 n in the ring, 8 n in the four fans.
// Three spheres would have three times the Euler number 2, but a vertex of the handle lies in the
// middle of the body's side: they share it.
TEST_CASE("a teapot mesh is closed, with the counts that its comment gives") {
  for (const int n : {2, 3, 5, 8, 20}) {
    CAPTURE(n);
    const TriangleMesh mesh = make_teapot(n);
    const auto faces = static_cast<std::size_t>(64 * n * n + 8 * n);
    CHECK(mesh.triangles.size() == faces);
    CHECK(mesh.vertices.size() == faces / 2 + 5);
    CHECK(test::is_closed_manifold(mesh));
    CHECK(ClosedMesh::from_triangles(mesh));
    CHECK(test::volume(mesh) > 0);
  }
}

// [Kim2006] has a teapot of 821 vertices and 1628 faces.
TEST_CASE("five segments come nearest to the teapot of the first paper") {
  CHECK(make_teapot(5).triangles.size() == 1640);
  CHECK(make_teapot(5).vertices.size() == 825);
}

// The next order is the square of that again; of a cubic patch it is some ten times larger.
TEST_CASE("teapot meshes come near the patches with the square of the step") {
  const double exact = patch_moments(closed_teapot()).moments.volume;
  double before = 0;
  for (const int n : {10, 20, 40}) {
    const double error = exact - test::volume(make_teapot(n));
    if (before != 0) CHECK(std::abs(before / error - 4) < 20.0 / (n * n));
    before = error;
  }
}

}  // namespace
}  // namespace plimsoll
