#include "spheres/lattice_packing.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/solid_voxels.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using test::closed;

SpherePacking pack(const ClosedMesh& solid, std::size_t resolution,
                   const PackingOptions& options = {}) {
  Result<SpherePacking> packing = pack_spheres_on_lattice(solid, resolution, options);
  REQUIRE_MESSAGE(packing, packing.error().message);
  return *std::move(packing);
}

long double apart(const PlacedSphere& a, const PlacedSphere& b) {
  return (a.center.cast<long double>() - b.center.cast<long double>()).norm();
}

bool are_equal(const std::vector<PlacedSphere>& a, const std::vector<PlacedSphere>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PlacedSphere& x, const PlacedSphere& y) {
                      return x.center == y.center && x.radius == y.radius;
                    });
}

/// A shape of any size and place; radii are told apart from distances to 1e-15 of the coordinates.
TriangleMesh random_solid(Random& random, double& coordinates) {
  TriangleMesh mesh = test::random_shape(random);
  const double size = std::pow(10.0, random.uniform(-6, 6));
  const double away = random.below(2) == 0 ? 0 : size * std::pow(10.0, random.uniform(0, 6));
  const Similarity pose = test::random_similarity(random, away, size);
  for (Vec3& v : mesh.vertices) v = pose * v;
  if (random.below(3) == 0) mesh = test::turned(mesh);
  coordinates = 4 * size + 2 * away;
  return mesh;
}

TEST_CASE("spheres lie inside and do not overlap, and no sphere is larger than one before") {
  Random random(1);
  int spheres = 0;
  for (int round = 0; round < test::campaign(200); ++round) {
    CAPTURE(round);
    double coordinates = 0;
    const TriangleMesh mesh = random_solid(random, coordinates);
    const SpherePacking packing = pack(closed(mesh), 4 + random.below(9));
    const std::vector<PlacedSphere>& found = packing.spheres;
    spheres += static_cast<int>(found.size());
    double volume = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      volume += 4 * std::numbers::pi / 3 * std::pow(found[i].radius, 3);
      CHECK(found[i].radius > 0);
      // The oracle's own rounding, of coordinates in long doubles.
      CHECK(test::distance(found[i].center, mesh) >= found[i].radius - 1e-18L * coordinates);
      if (found[i].radius > 1e-6 * coordinates)
        CHECK(test::winding(found[i].center, mesh) * test::volume(mesh) > 0);
      if (i > 0) CHECK(found[i].radius <= found[i - 1].radius);
      for (std::size_t k = 0; k < i; ++k)
        CHECK(apart(found[i], found[k]) >=
              static_cast<long double>(found[i].radius) + found[k].radius);
    }
    CHECK(packing.coverage <= 1);
    CHECK(packing.coverage * packing.solid_volume == test::approx(volume).epsilon(1e-12));
  }
  CHECK(spheres > 10 * test::campaign(200));
}

TEST_CASE("27 cubes hold a sphere, and one in each corner that touches it") {
  const SpherePacking packing = pack(closed(make_box({3, 3, 3})), 3);
  REQUIRE(packing.spheres.size() == 9);
  CHECK(packing.end == PackingEnd::kRadius);
  CHECK(packing.spheres[0].center == Vec3::Zero());
  CHECK(packing.spheres[0].radius <= 1.5);
  CHECK(packing.spheres[0].radius >= 1.5 * (1 - 0x1p-42));  // what distances are known to
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec3 corner((i & 4) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 1) != 0 ? 1 : -1);
    CHECK(packing.spheres[i + 1].center == corner);
    CHECK(packing.spheres[i + 1].radius == test::approx(std::sqrt(3) - 1.5).epsilon(1e-12));
  }
  const double volume =
      4 * std::numbers::pi / 3 * (std::pow(1.5, 3) + 8 * std::pow(std::sqrt(3) - 1.5, 3));
  CHECK(packing.solid_volume == test::approx(27).epsilon(1e-15));
  CHECK(packing.coverage == test::approx(volume / 27).epsilon(1e-11));
  // The center of a cube at the middle of an edge is the farthest out, sqrt(2) - 1.5 from the large
  // sphere; half a diagonal is added.
  CHECK(packing.largest_protrusion ==
        test::approx(std::sqrt(2) - 1.5 + std::sqrt(3) / 2).epsilon(1e-11));
}

// A body of revolution has its first sphere where it is thickest, but for a cube's half diagonal.
TEST_CASE("the first sphere of a ball is the ball, that of a torus its tube") {
  const TriangleMesh ball = make_icosphere(1, 4), ring = make_torus(1, 0.3, 60, 40);
  const SpherePacking in_ball = pack(closed(ball), 31, {.max_count = 1});
  REQUIRE(in_ball.spheres.size() == 1);
  CHECK(in_ball.spheres[0].radius == test::approx(double(test::distance(Vec3::Zero(), ball))));
  const double diagonal = std::sqrt(3) / 2 * 2.6 / 40;
  const PlacedSphere in_ring = pack(closed(ring), 40, {.max_count = 1}).spheres.at(0);
  CHECK(in_ring.radius <= 0.3);
  CHECK(in_ring.radius >= 0.3 * std::cos(std::numbers::pi / 40) * 0.98 - diagonal);
  CHECK(std::abs(in_ring.center.z()) <= diagonal);
}

/// The published algorithm, word by word: all distances first, then all cubes again for each
/// sphere.
std::vector<PlacedSphere> published(const TriangleMesh& mesh, const SolidVoxels& voxels) {
  std::vector<PlacedSphere> cubes, spheres;
  voxels.for_each_cube(0, voxels.counts[0], [&](const CubePlace& place, const CubeRun& run) {
    const Vec3 center = voxels.to_meters(SolidVoxels::center_of(place));
    if (voxels.has_center(run, place[2]))
      cubes.push_back({center, static_cast<double>(test::distance(center, mesh))});
  });
  while (true) {
    const auto largest = std::max_element(
        cubes.begin(), cubes.end(),
        [](const PlacedSphere& a, const PlacedSphere& b) { return a.radius < b.radius; });
    if (largest == cubes.end() || largest->radius <= 1e-12) return spheres;
    const PlacedSphere sphere = *largest;
    spheres.push_back(sphere);
    for (PlacedSphere& cube : cubes)
      cube.radius = std::min(cube.radius, (cube.center - sphere.center).norm() - sphere.radius);
  }
}

TEST_CASE("the packing is the published one") {
  Random random(2);
  for (int round = 0; round < test::campaign(60); ++round) {
    CAPTURE(round);
    TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 7, 9, random.next());
    for (Vec3& v : mesh.vertices) v += 0.01 * test::random_vector(random);
    const ClosedMesh solid = closed(mesh);
    const std::size_t resolution = 5 + random.below(6);
    const std::vector<PlacedSphere> expected = published(mesh, *solid_voxels(solid, resolution));
    const std::vector<PlacedSphere> found = pack(solid, resolution).spheres;
    // Rounding differs; where two cubes have the same room to 1e-15, their order may, which has not
    // happened with these seeds.
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK((found[i].center - expected[i].center).norm() <= 1e-14);
      CHECK(std::abs(found[i].radius - expected[i].radius) <= 1e-13);
    }
  }
}

TEST_CASE("distances taken late, or by any number of threads, make the same spheres") {
  Random random(3);
  for (int round = 0; round < test::campaign(100); ++round) {
    CAPTURE(round);
    double coordinates = 0;
    const ClosedMesh solid = closed(random_solid(random, coordinates));
    const std::size_t resolution = 5 + random.below(16);
    const Result<SpherePacking> early =
        pack_on_lattice(solid, resolution, {}, DistancesTaken::kEarly);
    REQUIRE(early);
    for (const int threads : {1, 8})
      with_threads(threads, [&] {
        const SpherePacking late = pack(solid, resolution);
        CHECK(are_equal(late.spheres, early->spheres));
        CHECK(late.largest_protrusion == early->largest_protrusion);
      });
  }
}

TEST_CASE("no point of the solid is farther from the spheres than is said") {
  Random random(4);
  const TriangleMesh mesh = make_torus(1, 0.4, 9, 7);
  const ClosedMesh solid = closed(mesh);
  for (const std::size_t count : {1, 5, 50}) {
    const SpherePacking packing = pack(solid, 14, {.max_count = count});
    double farthest = 0;
    for (int i = 0; i < test::campaign(50'000); ++i) {
      const Vec3 p = 1.4 * test::random_vector(random);
      if (test::winding(p, mesh) == 0) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const PlacedSphere& sphere : packing.spheres)
        nearest = std::min(nearest, (p - sphere.center).norm() - sphere.radius);
      farthest = std::max(farthest, nearest);
    }
    CHECK(farthest <= packing.largest_protrusion);
    // A cube's diagonal at most is lost; samples come as near as they are dense.
    CHECK(packing.largest_protrusion <= farthest + std::sqrt(3) * 2.8 / 14 + 0.1);
  }
}

TEST_CASE("a packing ends where it is told to, and says why") {
  const ClosedMesh solid = closed(make_box({1, 1, 1}));
  const SpherePacking all = pack(solid, 16);
  CHECK(all.end == PackingEnd::kRadius);
  const SpherePacking few = pack(solid, 16, {.max_count = 7});
  CHECK(few.end == PackingEnd::kCount);
  CHECK(few.spheres.size() == 7);
  const SpherePacking half = pack(solid, 16, {.coverage = 0.6});
  CHECK(half.end == PackingEnd::kCoverage);
  CHECK(half.coverage >= 0.6);
  CHECK(half.spheres.size() < all.spheres.size());
  const SpherePacking large = pack(solid, 16, {.min_radius = 0.05});
  CHECK(large.end == PackingEnd::kRadius);
  CHECK(large.spheres.back().radius >= 0.05);
  CHECK(all.spheres[large.spheres.size()].radius < 0.05);
  const SpherePacking near = pack(solid, 16, {.max_protrusion = 0.2});
  CHECK(near.end == PackingEnd::kProtrusion);
  CHECK(near.largest_protrusion <= 0.2);
  CHECK(near.spheres.size() < all.spheres.size());
  const SpherePacking asked =
      pack(solid, 16, {.progress = [](std::size_t count) { return count < 1; }});
  CHECK(asked.end == PackingEnd::kInterrupted);
  CHECK(asked.spheres.size() < all.spheres.size());
}

// Layers of cubes lie about the middle of a plate; the corner of a lattice that began at the box's
// would be beyond it.
TEST_CASE("bodies thinner than a cube are packed") {
  for (const std::size_t resolution : {5, 6, 33}) {
    CAPTURE(resolution);
    const SpherePacking plate = pack(closed(make_box({2, 2, 0.02})), resolution);
    CHECK(plate.spheres.size() == resolution * resolution);
    for (const PlacedSphere& sphere : plate.spheres)
      CHECK(sphere.radius == test::approx(0.01).epsilon(1e-9));
  }
}

TEST_CASE("a solid without the center of a cube has no spheres, and unusable options are refused") {
  TriangleMesh plate = make_box({2, 2, 0.02});
  plate = test::joined(plate, test::moved(make_box({0.1, 0.1, 0.02}), {0, 0, 0.9}));
  const SpherePacking none = pack(closed(plate), 2);
  CHECK(none.spheres.empty());
  CHECK(none.coverage == 0);
  CHECK(none.end == PackingEnd::kRadius);
  CHECK(none.largest_protrusion == std::numeric_limits<double>::infinity());
  const ClosedMesh box = closed(make_box({1, 1, 1}));
  CHECK(!pack_spheres_on_lattice(box, 0));
  CHECK(!pack_spheres_on_lattice(box, 4, {.max_count = 0}));
  CHECK(!pack_spheres_on_lattice(box, 4, {.coverage = -1}));
  CHECK(!pack_spheres_on_lattice(box, 4, {.coverage = 2}));
  CHECK(!pack_spheres_on_lattice(box, 4, {.min_radius = std::nan("")}));
  CHECK(!pack_spheres_on_lattice(box, 4, {.max_protrusion = -1}));
}

}  // namespace
}  // namespace plimsoll
