#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/ball_box.h"
#include "spheres/covered_cubes.h"
#include "spheres/nearest_triangles.h"
#include "spheres/solid_voxels.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::closed;
using test::voxels_of;

double distance(const Vec3& point, const TriangleMesh& mesh, std::uint32_t t) {
  return static_cast<double>(test::distance(point, mesh, t));
}

// A tree finds the nearest triangle of each center in another way. Distances in the frame of the
// lattice are rounded to some 1e-15 of the box.
TEST_CASE("the nearest triangle of a cube is as near as a tree says, deep inside a ball too") {
  Random random(1);
  for (int round = 0; round < test::campaign(60); ++round) {
    CAPTURE(round);
    TriangleMesh mesh = make_icosphere(1, 3);
    if (round % 3 == 0) mesh = make_bumpy_sphere(1, 0.4, 30, 40, random.next());
    if (round % 6 == 1) mesh = make_torus_knot({}, 60, 12);
    const double size = std::pow(10.0, random.uniform(-6, 6));
    const Similarity pose = test::random_similarity(random, size, size);
    for (Vec3& v : mesh.vertices) v = pose * v;
    const ClosedMesh solid = closed(mesh);
    const SolidVoxels voxels = voxels_of(solid, 3 + random.below(20));
    const std::vector<std::uint32_t> nearest = nearest_triangles(voxels, solid);
    const MeshTree tree(solid);
    Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
    voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
      const Vec3 center = voxels.to_meters(SolidVoxels::center_of(place));
      const double expected = probe->nearest(center)->distance;
      const double found = distance(center, mesh, nearest[run.number_of(place[2])]);
      CHECK(std::abs(found - expected) <= 1e-13 * size);
    });
  }
}

TEST_CASE("slivers and points among the triangles do not hide nearer ones") {
  TriangleMesh mesh = make_box({2, 2, 2});
  // A tetrahedron without thickness, and one that is a point.
  for (const Vec3& v :
       {Vec3(0.5, 0.5, 0.5), Vec3(-0.5, 0.5, 0.1), Vec3(0, 0.5, 0.3), Vec3(0.1, 0.5, 0.34),
        Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)})
    mesh.vertices.push_back(v);
  for (const std::uint32_t first : {8U, 12U})
    for (const Triangle& t :
         {Triangle{0, 1, 2}, Triangle{0, 3, 1}, Triangle{1, 3, 2}, Triangle{2, 3, 0}})
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const ClosedMesh solid = closed(mesh);
  const SolidVoxels voxels = voxels_of(solid, 7);
  const std::vector<std::uint32_t> nearest = nearest_triangles(voxels, solid);
  voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
    const Vec3 center = voxels.to_meters(SolidVoxels::center_of(place));
    const std::uint32_t t = nearest[run.number_of(place[2])];
    CHECK(distance(center, mesh, t) <= static_cast<double>(test::distance(center, mesh)) + 1e-14);
  });
}

// The header grants 2e-13 of the volume of each ball that ends in a cube.
TEST_CASE("balls cover of each cube what they have in common with it, or hardly less") {
  Random random(2);
  for (int round = 0; round < test::campaign(100); ++round) {
    CAPTURE(round);
    const ClosedMesh solid = closed(make_bumpy_sphere(1, 0.4, 9, 11, random.next()));
    const SolidVoxels voxels = voxels_of(solid, 2 + random.below(12));
    std::vector<PlacedSphere> spheres;
    for (std::size_t i = 0; i < 1 + random.below(20); ++i)
      spheres.push_back({test::random_vector(random), std::pow(10.0, random.uniform(-3, 0))});
    spheres.push_back({Vec3(9, 9, 9), 1});
    spheres.push_back({Vec3::Zero(), 0});
    const std::vector<double> covered = covered_cubes(voxels, spheres);
    voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
      double expected = 0, room = 1e-14;
      for (const PlacedSphere& sphere : spheres) {
        const PlacedSphere in_cubes{voxels.to_cubes(sphere.center), sphere.radius / voxels.edge};
        const Vec3 corner(place[0], place[1], place[2]);
        expected += ball_box_volume(in_cubes, Box3(corner, corner + Vec3::Ones()));
        room += 2e-13 * 4 * std::numbers::pi / 3 * std::pow(in_cubes.radius, 3);
      }
      const double found = covered[run.number_of(place[2])];
      CHECK(found <= expected + 1e-14);
      CHECK(found >= expected - room);
    });
  }
}

TEST_CASE("any number of threads finds the same triangles and volumes") {
  const ClosedMesh solid = closed(make_bumpy_sphere(1, 0.4, 20, 24));
  const SolidVoxels voxels = voxels_of(solid, 20);
  const std::vector<PlacedSphere> spheres{{Vec3::Zero(), 0.5}, {Vec3(0.7, 0, 0), 0.15}};
  std::vector<std::vector<std::uint32_t>> nearest;
  std::vector<std::vector<double>> covered;
  for (const int threads : {1, 8})
    with_threads(threads, [&] {
      nearest.push_back(nearest_triangles(voxels, solid));
      covered.push_back(covered_cubes(voxels, spheres));
    });
  CHECK(nearest[0] == nearest[1]);
  CHECK(covered[0] == covered[1]);
}

}  // namespace
}  // namespace plimsoll
