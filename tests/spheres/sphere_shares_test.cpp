#include "spheres/sphere_shares.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/cube_owners.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using test::closed;
using test::voxels_of;

SphereShares shares_of(const ClosedMesh& mesh, std::span<const PlacedSphere> spheres,
                       std::size_t resolution) {
  Result<SphereShares> shares = share_solid(mesh, spheres, resolution);
  REQUIRE(shares);
  return *std::move(shares);
}
double volume_of(std::span<const PlacedSphere> spheres) {
  double volume = 0;
  for (const PlacedSphere& sphere : spheres)
    volume += 4 * std::numbers::pi / 3 * std::pow(sphere.radius, 3);
  return volume;
}
/// In a box of half a size, of very different sizes.
std::vector<PlacedSphere> random_spheres(Random& random, std::size_t count) {
  std::vector<PlacedSphere> spheres;
  for (std::size_t i = 0; i < count; ++i)
    spheres.push_back({test::random_vector(random), 0.5 * std::pow(10.0, random.uniform(-4, 0))});
  return spheres;
}

/// All that the shares are made of, of all spheres and triangles: the slow way.
struct SlowCube {
  Vec3 center;
  std::uint32_t number, owner, cut;
  double share;
  bool is_inside;
};
std::vector<SlowCube> slow_cubes(const SolidVoxels& voxels, std::span<const PlacedSphere> spheres) {
  std::vector<SlowCube> cubes;
  voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
    const Vec3 center = voxels.to_meters(SolidVoxels::center_of(place));
    std::uint32_t owner = 0;
    const auto gap = [&](std::uint32_t i) {
      return (center - spheres[i].center).norm() - spheres[i].radius;
    };
    for (std::uint32_t i = 1; i < spheres.size(); ++i)
      if (gap(i) < gap(owner)) owner = i;
    cubes.push_back({center, run.number_of(place[2]), owner,
                     run.first_cut == kNoIndex ? kNoIndex : run.cut_of(place[2]),
                     voxels.share_of(run, place[2]), voxels.has_center(run, place[2])});
  });
  return cubes;
}

// Gaps are rounded to 1e-15 of the size, in the frame of the lattice and in the world.
TEST_CASE("a cube goes to the sphere that is nearest to its center") {
  Random random(1);
  for (int round = 0; round < test::campaign(100); ++round) {
    CAPTURE(round);
    const ClosedMesh solid = closed(make_bumpy_sphere(1, 0.4, 12, 14, random.next()));
    const SolidVoxels voxels = voxels_of(solid, 3 + random.below(18));
    std::vector<PlacedSphere> spheres = random_spheres(random, 1 + random.below(300));
    spheres.push_back(spheres.front());  // a tie everywhere
    const std::vector<CubeOwner> owners = cube_owners(voxels, spheres);
    for (const SlowCube& cube : slow_cubes(voxels, spheres)) {
      const CubeOwner& owner = owners[cube.number];
      const auto gap = [&](std::uint32_t i) {
        return (cube.center - spheres[i].center).norm() - spheres[i].radius;
      };
      CHECK(std::abs(gap(owner.sphere) - gap(cube.owner)) <= 1e-14);
      CHECK(std::abs(owner.gap * voxels.edge - gap(cube.owner)) <= 1e-14);
      CHECK(owner.sphere + 1 != spheres.size());
    }
  }
}

TEST_CASE("the parts of all spheres make the solid, and what is uncovered makes the rest") {
  Random random(2);
  for (int round = 0; round < test::campaign(60); ++round) {
    CAPTURE(round);
    TriangleMesh mesh = test::random_shape(random);
    const double size = std::pow(10.0, random.uniform(-6, 6));
    const Similarity pose = test::random_similarity(random, size, size);
    for (Vec3& v : mesh.vertices) v = pose * v;
    const double volume = test::volume(mesh);
    if (round % 3 == 0) mesh = test::turned(mesh);
    const ClosedMesh solid = closed(mesh);
    const Result<SpherePacking> packing = pack_spheres_on_lattice(solid, 12);
    REQUIRE(packing);
    if (packing->spheres.empty()) continue;
    const SphereShares shares = shares_of(solid, packing->spheres, 4 + random.below(12));
    double sum = 0, uncovered = 0, published = 0;
    for (const SphereShare& share : shares.shares) {
      sum += share.volume;
      uncovered += share.uncovered;
      published += share.published_volume;
    }
    // Volumes here are summed about the origin: 1e-15 of the cube of the size, of thin walls too.
    const double rounding = 1e-12 * std::pow(size, 3);
    CHECK(std::abs(sum - volume) <= rounding);
    // An upper bound: it grants 1e-12 of a cube for each one, of which there are thousands.
    const double rest = volume - volume_of(packing->spheres);
    CHECK(uncovered >= rest - rounding);
    CHECK(uncovered <= rest + 1e-8 * std::pow(size, 3));
    CHECK(published <= std::pow(4 * size, 3));
  }
}

TEST_CASE("volumes, reach, triangles and cones are what all cubes and triangles say") {
  Random random(3);
  for (int round = 0; round < test::campaign(50); ++round) {
    CAPTURE(round);
    const TriangleMesh mesh = make_bumpy_sphere(1, 0.4, 7, 9, random.next());
    const ClosedMesh solid = closed(mesh);
    const std::vector<PlacedSphere> spheres = random_spheres(random, 1 + random.below(20));
    const std::size_t resolution = 3 + random.below(8);
    const SolidVoxels voxels = voxels_of(solid, resolution);
    const SphereShares shares = shares_of(solid, spheres, resolution);
    std::vector<double> volume(spheres.size()), published(spheres.size());
    std::vector<int> count(spheres.size());
    const double cube = std::pow(voxels.edge, 3);
    for (const SlowCube& slow : slow_cubes(voxels, spheres)) {
      const PlacedSphere& sphere = spheres[slow.owner];
      const SphereShare& share = shares.shares[slow.owner];
      volume[slow.owner] += slow.share * cube;
      ++count[slow.owner];
      if (slow.is_inside && (slow.center - sphere.center).norm() <= sphere.radius)
        published[slow.owner] += cube;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 off((corner & 1) - 0.5, (corner >> 1 & 1) - 0.5, (corner >> 2) - 0.5);
        CHECK((slow.center + voxels.edge * off - sphere.center).norm() <= share.reach);
      }
      const std::span<const std::uint32_t> kept =
          std::span(shares.triangles)
              .subspan(shares.first_triangle[slow.owner],
                       shares.first_triangle[slow.owner + 1] - shares.first_triangle[slow.owner]);
      if (slow.cut != kNoIndex)
        for (const std::uint32_t t : voxels.triangles_of(slow.cut))
          CHECK(std::binary_search(kept.begin(), kept.end(), t));
      // Of equally near triangles, which share a corner or an edge, any may be kept.
      const long double nearest = test::distance(slow.center, mesh);
      bool has_nearest = false, is_in_cone = false;
      for (const std::uint32_t t : kept) {
        if (test::distance(slow.center, mesh, t) > nearest + 1e-13L) continue;
        has_nearest = true;
        const Triangle& v = mesh.triangles[t];
        const Vec3 normal = (mesh.vertices[v[1]] - mesh.vertices[v[0]])
                                .cross(mesh.vertices[v[2]] - mesh.vertices[v[0]])
                                .normalized();
        const double angle =
            std::atan2(share.cone.axis.cross(normal).norm(), share.cone.axis.dot(normal));
        if (angle <= share.cone.angle || share.cone.axis.isZero(0)) is_in_cone = true;
      }
      CHECK(has_nearest);
      CHECK(is_in_cone);
    }
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      const SphereShare& share = shares.shares[i];
      CHECK(share.volume == test::approx(volume[i]).epsilon(1e-12));
      CHECK(share.published_volume == test::approx(published[i]).epsilon(1e-12));
      CHECK(share.reach >= spheres[i].radius);
      CHECK(share.reach <= spheres[i].radius + 4);
      CHECK((share.cone.axis.isZero(0) || std::abs(share.cone.axis.norm() - 1) <= 1e-15));
      if (count[i] > 0) continue;
      CHECK(share.reach == spheres[i].radius);
      CHECK(share.uncovered == 0);
      CHECK(shares.first_triangle[i + 1] == shares.first_triangle[i] + 1);
      const std::uint32_t t = shares.triangles[shares.first_triangle[i]];
      CHECK(test::distance(spheres[i].center, mesh, t) <=
            test::distance(spheres[i].center, mesh) + 1e-14L);
    }
  }
}

TEST_CASE("one sphere has all of a box, and a cone of all its normals") {
  const ClosedMesh solid = closed(make_box({2, 2, 2}));
  const std::vector<PlacedSphere> spheres{{Vec3::Zero(), 1}};
  const SphereShares shares = shares_of(solid, spheres, 4);
  const SphereShare& share = shares.shares.at(0);
  CHECK(share.volume == test::approx(8).epsilon(1e-15));
  CHECK(share.uncovered == test::approx(8 - 4 * std::numbers::pi / 3).epsilon(1e-10));
  // Centers are at a quarter or three quarters along each axis: in the sphere with one of these at
  // most, 8 + 3 x 8 of 64 cubes of an eighth.
  CHECK(share.published_volume == 32 / 8.0);
  CHECK(share.reach == test::approx(std::sqrt(3)).epsilon(1e-11));
  CHECK(shares.triangles.size() == 12);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1, 1}) {
      const double angle = std::acos(sign * share.cone.axis[axis]);
      CHECK((share.cone.axis.isZero(0) || angle <= share.cone.angle + 1e-12));
    }
}

TEST_CASE("normals that cancel have a cone of all directions") {
  // A tetrahedron and its image in the middle of the box, each about the center of one cube.
  TriangleMesh one{{{0, 0.3, 0.2}, {0.9, 0.6, 0}, {0.4, 0, 1}, {0.7, 1, 0.5}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  if (test::volume(one) < 0) one = test::turned(one);
  TriangleMesh other = test::turned(one);
  for (Vec3& v : other.vertices) v = Vec3(8, 1, 1) - v;
  const std::vector<PlacedSphere> spheres{{{4, 0.5, 0.5}, 0.1}};
  const NormalCone cone = shares_of(closed(test::joined(one, other)), spheres, 8).shares[0].cone;
  CHECK(cone.axis == Vec3::Zero());
  CHECK(cone.angle == std::numbers::pi);
}

TEST_CASE("a sphere in a corner has a cone of three normals") {
  const ClosedMesh solid = closed(make_box({2, 2, 2}));
  std::vector<PlacedSphere> spheres;
  for (int i = 0; i < 8; ++i)
    spheres.push_back({Vec3((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5), 0.5});
  const SphereShares shares = shares_of(solid, spheres, 6);
  for (std::size_t i = 0; i < 8; ++i) {
    const SphereShare& share = shares.shares[i];
    CHECK(share.volume == test::approx(1).epsilon(1e-14));
    CHECK(share.uncovered == test::approx(1 - std::numbers::pi / 6).epsilon(1e-9));
    // Cubes on a diagonal are as near to two or three faces: any may be named, so that the axis is
    // near the corner's direction only.
    CHECK(share.cone.axis.dot(spheres[i].center.normalized()) >= 0.9);
    CHECK(share.cone.angle >= std::acos(1 / std::sqrt(3)) - 1e-9);
    CHECK(share.cone.angle <= std::numbers::pi / 2);
  }
}

// The large sphere is nearest to the centers of all cubes. The small ones are beside the six faces
// of the box, off the diagonals in which the triangles of a face meet.
TEST_CASE(
    "a sphere without a cube has the triangle nearest to itself, and that triangle's normal") {
  const TriangleMesh box = make_box({2, 2, 2});
  std::vector<PlacedSphere> spheres;
  std::vector<Vec3> outward;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1, 1}) {
      outward.emplace_back(side * Vec3::Unit(axis));
      spheres.push_back({0.97 * outward.back() + 0.1 * Vec3::Unit((axis + 1) % 3) -
                             0.3 * Vec3::Unit((axis + 2) % 3),
                         0.01});
    }
  spheres.push_back({Vec3::Zero(), 0.9});
  const SphereShares shares = shares_of(closed(box), spheres, 4);
  for (std::size_t i = 0; i < outward.size(); ++i) {
    CAPTURE(i);
    const SphereShare& share = shares.shares[i];
    CHECK(share.volume == 0);
    CHECK(share.published_volume == 0);
    CHECK(share.uncovered == 0);
    CHECK(share.reach == 0.01);
    // One normal, which is exact: the sum is divided by its length, and the cone holds its
    // rounding.
    CHECK((share.cone.axis - outward[i]).norm() <= 1e-15);
    CHECK(share.cone.angle <= 1e-9);
    REQUIRE(shares.first_triangle[i + 1] == shares.first_triangle[i] + 1);
    const std::uint32_t t = shares.triangles[shares.first_triangle[i]];
    CHECK(std::abs(test::distance(spheres[i].center, box, t) - 0.03L) <= 1e-15L);
  }
  CHECK(shares.shares.back().volume == test::approx(8).epsilon(1e-15));
}

TEST_CASE("any number of threads shares alike") {
  const ClosedMesh solid = closed(make_bumpy_sphere(1, 0.4, 20, 24));
  const std::vector<PlacedSphere> spheres = pack_spheres_on_lattice(solid, 20)->spheres;
  std::vector<SphereShares> made;
  for (const int threads : {1, 8})
    with_threads(threads, [&] { made.push_back(shares_of(solid, spheres, 18)); });
  CHECK(made[0].triangles == made[1].triangles);
  CHECK(made[0].first_triangle == made[1].first_triangle);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const SphereShare &a = made[0].shares[i], &b = made[1].shares[i];
    CHECK(a.volume == b.volume);
    CHECK(a.uncovered == b.uncovered);
    CHECK(a.reach == b.reach);
    CHECK(a.cone.axis == b.cone.axis);
    CHECK(a.cone.angle == b.cone.angle);
  }
}

TEST_CASE("no spheres share nothing, and lattices that are too fine are refused") {
  const ClosedMesh solid = closed(make_box({1, 1, 1}));
  const SphereShares none = shares_of(solid, {}, 4);
  CHECK(none.shares.empty());
  CHECK(none.first_triangle == std::vector<std::size_t>{0});
  const std::vector<PlacedSphere> spheres{{Vec3::Zero(), 0.5}};
  CHECK(!share_solid(solid, spheres, 0));
  CHECK(!share_solid(solid, spheres, 100'000));
}

}  // namespace
}  // namespace plimsoll
