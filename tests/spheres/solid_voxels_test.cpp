#include "spheres/solid_voxels.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using test::closed;
using test::voxels_of;

/// What is known of one cube.
struct Cube {
  double share = 0;
  bool has_center = false, is_cut = false;
  std::set<std::uint32_t> triangles;
};
using Cubes = std::map<CubePlace, Cube>;

Cubes cubes_of(const SolidVoxels& voxels) {
  Cubes cubes;
  std::uint32_t number = 0;
  voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
    CHECK(run.number_of(place[2]) == number);
    ++number;
    Cube& cube = cubes[place];
    cube = {voxels.share_of(run, place[2]), voxels.has_center(run, place[2]), false, {}};
    if (run.first_cut == kNoIndex) return;
    cube.is_cut = true;
    const std::span<const std::uint32_t> touching = voxels.triangles_of(run.cut_of(place[2]));
    cube.triangles.insert(touching.begin(), touching.end());
  });
  CHECK(number == voxels.cube_count);
  return cubes;
}

double sum_of_shares(const Cubes& cubes) {
  double sum = 0;
  for (const auto& [place, cube] : cubes) sum += cube.share;
  return sum;
}

/// The volume in cubes, from the corner of the lattice: far origins cost no digits.
double true_volume(TriangleMesh mesh, const SolidVoxels& voxels) {
  for (Vec3& v : mesh.vertices) v = voxels.to_cubes(v);
  return std::abs(test::volume(mesh));
}

// Shares are sums over pieces of coordinates of up to n: each piece is off by some 1e-16 n, and a
// column of n cubes carries what is off at its top down to the floor.
double rounding(const TriangleMesh& mesh, std::size_t n) {
  return 1e-15 * double(n * n) * double(mesh.triangles.size() + n * n);
}

TEST_CASE("shares make the volume of any closed mesh, of slivers and far away too") {
  Random random(1);
  for (int round = 0; round < test::campaign(1500); ++round) {
    CAPTURE(round);
    const TriangleMesh mesh = test::random_closed_mesh(random);
    const std::size_t resolution = 1 + random.below(20);
    const SolidVoxels voxels = voxels_of(closed(mesh), resolution);
    const double volume = true_volume(mesh, voxels);
    CHECK(std::abs(sum_of_shares(cubes_of(voxels)) - volume) <= rounding(mesh, resolution));
  }
}

// The oracle: the mesh's signed volume above a floor, cut by min and max of heights, on a fine grid
// of columns. Shares of convex solids that planes bound are known by sampling to the surface's
// share of the samples.
TEST_CASE("each cube has as much of a solid as samples of winding numbers say") {
  const ClosedMesh mesh = closed(make_torus(1, 0.4, 11, 7));
  const SolidVoxels voxels = voxels_of(mesh, 7);
  const Cubes cubes = cubes_of(voxels);
  const MeshTree tree(mesh);
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
  constexpr int kSamples = test::kAddressSanitizer ? 6 : 12;
  for (std::uint32_t x = 0; x < voxels.counts[0]; ++x)
    for (std::uint32_t y = 0; y < voxels.counts[1]; ++y)
      for (std::uint32_t z = 0; z < voxels.counts[2]; ++z) {
        int inside = 0;
        for (int i = 0; i < kSamples * kSamples * kSamples; ++i) {
          const Vec3 within(i % kSamples + 0.5, i / kSamples % kSamples + 0.5,
                            i / kSamples / kSamples + 0.5);
          const Vec3 p = voxels.to_meters(Vec3(x, y, z) + within / kSamples);
          inside += *probe->winding_number(p) > 0 ? 1 : 0;
        }
        const auto found = cubes.find({x, y, z});
        const double share = found == cubes.end() ? 0 : found->second.share;
        // A surface through a cube passes some 3 k^2 of k^3 samples' cells, each off by up to a
        // half, and here to both sides.
        CHECK(std::abs(share - inside / std::pow(kSamples, 3.0)) <= 0.5 / kSamples);
      }
}

TEST_CASE("centers are inside where the winding number says so") {
  Random random(2);
  for (int round = 0; round < test::campaign(300); ++round) {
    CAPTURE(round);
    TriangleMesh mesh = test::random_shape(random);
    const Mat3 turn = test::random_turn(random);
    for (Vec3& v : mesh.vertices) v = turn * v;
    const bool is_turned = round % 3 == 0;
    if (is_turned) mesh = test::turned(mesh);
    const ClosedMesh solid = closed(mesh);
    const SolidVoxels voxels = voxels_of(solid, 1 + random.below(12));
    const Cubes cubes = cubes_of(voxels);
    const MeshTree tree(solid);
    Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
    for (std::uint32_t x = 0; x < voxels.counts[0]; ++x)
      for (std::uint32_t y = 0; y < voxels.counts[1]; ++y)
        for (std::uint32_t z = 0; z < voxels.counts[2]; ++z) {
          const Vec3 center = voxels.to_meters(SolidVoxels::center_of({x, y, z}));
          // Walls of 1e-9 have centers closer than rounding.
          if (probe->nearest(center)->distance < 1e-12) continue;
          const int winding = *probe->winding_number(center) * (is_turned ? -1 : 1);
          const auto found = cubes.find({x, y, z});
          CHECK((found != cubes.end() && found->second.has_center) == (winding > 0));
        }
  }
}

// Independent of clipping: the axes along which a triangle and a cube may be apart.
bool may_touch(const std::array<Vec3, 3>& triangle, const Vec3& center, double half) {
  std::vector<Vec3> axes{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  axes.push_back((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      axes.push_back(axes[k].cross(triangle[(i + 1) % 3] - triangle[i]));
  return std::all_of(axes.begin(), axes.end(), [&](const Vec3& axis) {
    double low = 1e300, high = -1e300;
    for (const Vec3& corner : triangle) {
      low = std::min(low, axis.dot(corner - center));
      high = std::max(high, axis.dot(corner - center));
    }
    const double reach = half * axis.cwiseAbs().sum();
    return low <= reach && high >= -reach;
  });
}

TEST_CASE("a cube knows the triangles that touch it, and no others") {
  Random random(3);
  for (int round = 0; round < test::campaign(200); ++round) {
    CAPTURE(round);
    TriangleMesh mesh = test::random_shape(random);
    if (round % 4 != 0) {
      const Mat3 turn = test::random_turn(random);
      for (Vec3& v : mesh.vertices) v = turn * v;
    }
    const SolidVoxels voxels = voxels_of(closed(mesh), 1 + random.below(8));
    const Cubes cubes = cubes_of(voxels);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      std::array<Vec3, 3> corners;
      for (std::size_t i = 0; i < 3; ++i)
        corners[i] = voxels.to_cubes(mesh.vertices[mesh.triangles[t][i]]);
      for (std::uint32_t i = 0; i < voxels.counts[0] * voxels.counts[1] * voxels.counts[2]; ++i) {
        const CubePlace place{i % voxels.counts[0], i / voxels.counts[0] % voxels.counts[1],
                              i / voxels.counts[0] / voxels.counts[1]};
        const Vec3 center = SolidVoxels::center_of(place);
        const auto found = cubes.find(place);
        const bool is_known = found != cubes.end() && found->second.triangles.contains(t);
        // What is closer to touching than cut points are rounded goes either way.
        if (may_touch(corners, center, 0.5 - 1e-12)) CHECK(is_known);
        if (!may_touch(corners, center, 0.5 + 1e-12)) CHECK(!is_known);
      }
    }
  }
}

TEST_CASE(
    "a box along the lattice fills its cubes, and touches those beside a plane of the lattice") {
  // Two boxes: the lattice has edges of 1, and the small box ends on its planes.
  const TriangleMesh mesh = test::joined(test::moved(make_box({8, 2, 2}), {4, 1, 1}),
                                         test::moved(make_box({2, 2, 2}), {3, 5, 5}));
  const SolidVoxels voxels = voxels_of(closed(mesh), 8);
  const Cubes cubes = cubes_of(voxels);
  CHECK(voxels.counts == CubePlace{8, 6, 6});
  CHECK(sum_of_shares(cubes) == 40);
  for (const auto& [place, cube] : cubes) {
    const bool in_long = place[1] < 2 && place[2] < 2;
    const bool in_small = place[0] >= 2 && place[0] < 4 && place[1] >= 4 && place[2] >= 4;
    CHECK(cube.share == (in_long || in_small ? 1 : 0));
    CHECK(cube.has_center == (in_long || in_small));
  }
  CHECK(cubes.at({1, 3, 3}).is_cut);  // at a corner of the small box
  CHECK(cubes.at({2, 3, 4}).is_cut);
  CHECK(!cubes.contains({0, 3, 3}));
}

TEST_CASE("cubes deep inside cost runs, and shells that overlap count as often as they wind") {
  const TriangleMesh box = test::moved(make_box({30, 30, 30}), {0.1, 0.2, 0.3});
  const SolidVoxels once = voxels_of(closed(box), 30);
  std::size_t whole = 0;
  for (const CubeRun& run : once.runs) whole += run.first_cut == kNoIndex ? 1 : 0;
  CHECK(whole == 28 * 28);
  CHECK(once.cube_count == 27'000);
  const SolidVoxels twice = voxels_of(closed(test::joined(box, box)), 30);
  CHECK(sum_of_shares(cubes_of(twice)) == test::approx(54'000).epsilon(1e-12));
  for (const CubeRun& run : twice.runs)
    if (run.first_cut == kNoIndex) CHECK(run.winding == 2);
  const SolidVoxels hollow = voxels_of(
      closed(test::joined(box, test::turned(test::moved(make_box({9, 9, 9}), {0.1, 0.2, 0.3})))),
      30);
  const double volume = sum_of_shares(cubes_of(hollow));
  CHECK(volume == test::approx(27'000 - 729).epsilon(1e-12));
  CHECK(hollow.cube_count < 27'000);
}

TEST_CASE("any number of threads makes the same cubes") {
  const ClosedMesh mesh = closed(make_bumpy_sphere(1, 0.3, 40, 50));
  std::vector<SolidVoxels> made;
  for (const int threads : {1, 2, 8})
    with_threads(threads, [&] { made.push_back(voxels_of(mesh, 24)); });
  for (const SolidVoxels& voxels : made) {
    CHECK(voxels.share == made[0].share);
    CHECK(voxels.triangles == made[0].triangles);
    CHECK(voxels.first_run == made[0].first_run);
    CHECK(voxels.is_inside == made[0].is_inside);
  }
}

TEST_CASE("lattices that are too fine, and boxes without size, are refused") {
  const ClosedMesh box = closed(make_box({1, 1, 1}));
  CHECK(solid_voxels(box, 0).error().code == ErrorCode::kInvalidArgument);
  CHECK(solid_voxels(box, 2000).error().code == ErrorCode::kResourceLimit);
  CHECK(solid_voxels(box, std::size_t{1} << 60).error().code == ErrorCode::kResourceLimit);
  TriangleMesh point = make_box({1, 1, 1});
  for (Vec3& v : point.vertices) v = Vec3::Ones();
  CHECK(solid_voxels(closed(point), 4).error().code == ErrorCode::kInvalidArgument);
  TriangleMesh flat = make_box({1, 1, 1});
  for (Vec3& v : flat.vertices) v.z() = 0;
  CHECK(sum_of_shares(cubes_of(voxels_of(closed(flat), 4))) == 0);
}

}  // namespace
}  // namespace plimsoll
