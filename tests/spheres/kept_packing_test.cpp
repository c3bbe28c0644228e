// Packings of the part of a solid that lies in a half space, against those of the part itself.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "solids.h"
#include "spheres/free_points.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::closed;
using test::moved;

// The address sanitizer takes ten times as long, and fewer spheres walk the same code.
constexpr std::size_t fewer(std::size_t count) {
  return test::kAddressSanitizer ? count / 5 : count;
}

/// The half space { x : x_axis >= offset } of a body that is posed, with a normal of some length.
HalfSpace posed(const Vec3& normal, double offset, const Similarity& pose, double length) {
  const double scale = std::cbrt(pose.linear().determinant());
  const Vec3 turned = pose.linear() * normal / scale;
  return {length * turned, length * (scale * offset + turned.dot(pose.translation()))};
}

/// Coordinates of up to ten sizes are rounded, the distance from the plane by some times that.
void check_kept(const TriangleMesh& mesh, const HalfSpace& keep, const SpherePacking& packing,
                double size) {
  const MeshTree tree(test::checked(mesh));
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
  REQUIRE(probe);
  const double rounding = 0x1p-40 * size;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    const PlacedSphere& sphere = packing.spheres[i];
    REQUIRE(sphere.radius > 0);
    REQUIRE(probe->nearest(sphere.center)->upper >= sphere.radius - rounding);
    REQUIRE(*probe->winding_number(sphere.center) != 0);
    const double depth = (keep.normal.dot(sphere.center) - keep.offset) / keep.normal.norm();
    REQUIRE(depth >= sphere.radius - 1e-13 * size);
    for (std::size_t j = 0; j < i; ++j)
      REQUIRE((sphere.center - packing.spheres[j].center).norm() >=
              sphere.radius + packing.spheres[j].radius - rounding);
  }
}

}  // namespace

// Half of a cube is a box of 1 x 1 x 0.5, which has room for four spheres of radius 1/4. In 60
// poses that box itself is covered to 70.4 to 74.9 % by 200 spheres and to 78.8 to 81.7 % by 1000,
// and protrudes by 0.051 to 0.095 and by 0.030 to 0.048: two packings differ by 6.5 % and by a
// factor of 1.9 at most.
constexpr double kCoverageSpread = 0.065, kProtrusionSpread = 1.9;

TEST_CASE("half a cube is packed as the box that it is") {
  const SpherePacking box =
      *pack_spheres(closed(make_box({1, 1, 0.5})), {.max_count = fewer(1000)});
  Random random(1);
  for (int round = 0; round < test::campaign(40); ++round) {
    CAPTURE(round);
    const double scale = round == 0 ? 1 : std::pow(10.0, random.uniform(-4, 4));
    const Similarity pose =
        round == 0 ? Similarity::Identity() : test::random_similarity(random, 5 * scale, scale);
    const TriangleMesh cube = moved(make_box({1, 1, 1}), pose);
    const HalfSpace keep = posed(Vec3::UnitZ(), 0, pose, std::pow(10.0, random.uniform(-9, 9)));
    const Result<SpherePacking> half =
        pack_spheres(closed(cube), {.max_count = fewer(1000), .keep = keep});
    REQUIRE(half);
    CHECK(half->end == PackingEnd::kCount);
    check_kept(cube, keep, *half, 10 * scale);
    CHECK(half->solid_volume == test::approx(0.5 * scale * scale * scale).epsilon(1e-12));
    CHECK(half->spheres[0].radius == test::approx(0.25 * scale).epsilon(0.01));
    CHECK(half->coverage == test::approx(box.coverage).epsilon(kCoverageSpread));
    double volume = 0;
    for (const PlacedSphere& sphere : half->spheres)
      volume += 4 * std::numbers::pi / 3 * std::pow(sphere.radius, 3);
    CHECK(volume == test::approx(half->coverage * half->solid_volume).epsilon(1e-12));
    // What the mesh cuts off is not to be covered: counted, it would protrude by 1/2.
    const double protrusion = half->largest_protrusion / scale;
    CHECK(protrusion > box.largest_protrusion / kProtrusionSpread);
    CHECK(protrusion < box.largest_protrusion * kProtrusionSpread);
  }
}

TEST_CASE("spheres lie in their solid and their half space, whichever that is") {
  const TriangleMesh bodies[] = {make_torus(1, 0.4, 30, 20), make_cone(1, 2, 30),
                                 make_box({2, 2, 0.02})};
  Random random(2);
  const int rounds = std::max(15, test::campaign(150));
  int empty = 0, packed = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const double scale = std::pow(10.0, random.uniform(-4, 4));
    const Similarity pose = test::random_similarity(random, 5 * scale, scale);
    const TriangleMesh mesh = moved(bodies[random.below(3)], pose);
    const HalfSpace keep = posed(test::random_vector(random).normalized(),
                                 random.uniform(-1.5, 1.5), pose, random.uniform(0.1, 10));
    const Result<SpherePacking> packing =
        pack_spheres(closed(mesh), {.max_count = fewer(200), .keep = keep});
    if (!packing) {
      ++empty;
      CHECK(packing.error().where == "keep");
      double highest = -std::numeric_limits<double>::infinity();
      for (const Vec3& v : mesh.vertices)
        highest = std::max(highest, keep.normal.dot(v) - keep.offset);
      CHECK(highest <= 1e-9 * scale);
      continue;
    }
    ++packed;
    CHECK(packing->spheres.size() == fewer(200));
    check_kept(mesh, keep, *packing, 10 * scale);
  }
  CHECK(packed > 2 * rounds / 5);
  CHECK(empty > 0);
}

// Of a tetrahedron with corners at 0 and on the axes the plane z = 1 - t keeps a tetrahedron of
// edge t: its largest ball has t times the radius of the whole, however small t is.
TEST_CASE("a tip of a body is packed as the body is") {
  const TriangleMesh whole{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const double largest = 1 / (3 + std::sqrt(3.0));
  for (const double t : {1.0, 0.5, 0.1, 1e-2, 1e-3, 1e-4}) {
    CAPTURE(t);
    const Result<SpherePacking> tip =
        pack_spheres(closed(whole), {.max_count = 50, .keep = HalfSpace{{0, 0, 1}, 1 - t}});
    REQUIRE(tip);
    REQUIRE(tip->spheres.size() == 50);
    CHECK(tip->spheres[0].radius == test::approx(t * largest).epsilon(0.01));
    CHECK(tip->solid_volume == test::approx(t * t * t / 6).epsilon(1e-9 / t));
  }
}

// Cubes as small as the slice is thin would be too many to search, and its share of the surface is
// 1e-4: balls have to begin below what is kept of it.
TEST_CASE("a thin slice of a small part is found") {
  TriangleMesh mesh = make_box({1, 1, 1});
  const TriangleMesh small = make_box({0.03, 0.03, 0.03});
  for (const Vec3& v : small.vertices) mesh.vertices.push_back(v + Vec3(0.2, 0.3, 1));
  for (const Triangle& t : small.triangles)
    mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const double top = 1.015, thickness = 1e-5;
  const Result<SpherePacking> slice =
      pack_spheres(closed(mesh), {.max_count = 100, .keep = HalfSpace{{0, 0, 1}, top - thickness}});
  REQUIRE(slice);
  REQUIRE(slice->spheres.size() == 100);
  CHECK(slice->spheres[0].radius == test::approx(thickness / 2).epsilon(0.01));
}

TEST_CASE("places for spheres lie in the half space") {
  const ClosedMesh cube = closed(make_box({1, 1, 1}));
  for (const double offset : {-0.7, 0.0, 0.3}) {
    const UnitSolid solid(cube, HalfSpace{{0, 3, 4}, offset * 5});
    const double least = 0.05;
    const auto points = free_points(solid, BallTree({}, solid.tree.frame.reach), least, 100'000);
    REQUIRE(points);
    double deepest = 0;
    for (const Vec3& point : *points) {
      REQUIRE(solid.kept_depth(point) >= least / 2);
      deepest = std::max(deepest, solid.kept_depth(point));
    }
    // The corner farthest in is 0.7 from the middle.
    CHECK(deepest > solid.kept_depth(solid.from_mesh(Vec3(0, 0.5, 0.5))) - 4 * least);
  }
}

TEST_CASE("no kept point is farther from the spheres than the protrusion") {
  const HalfSpace keep{{1, 2, 2}, 0.3};
  const SpherePacking packing =
      *pack_spheres(closed(make_box({1, 1, 1})), {.max_count = 200, .keep = keep});
  Random random(3);
  double farthest = 0;
  for (int i = 0; i < (test::kAddressSanitizer ? 10'000 : 100'000); ++i) {
    const Vec3 point = 0.5 * test::random_vector(random);
    if (keep.normal.dot(point) < keep.offset) continue;
    double distance = std::numeric_limits<double>::infinity();
    for (const PlacedSphere& sphere : packing.spheres)
      distance = std::min(distance, (point - sphere.center).norm() - sphere.radius);
    farthest = std::max(farthest, distance);
  }
  CHECK(packing.largest_protrusion >= farthest);
  CHECK(packing.largest_protrusion < 2 * farthest);
}

TEST_CASE("a half space that holds all of the solid changes no sphere") {
  const ClosedMesh torus = closed(make_torus(1, 0.4, 30, 20));
  const SpherePacking all = *pack_spheres(torus, {.max_count = fewer(300)});
  for (const HalfSpace& keep : {HalfSpace{{0, 0, 1}, -5}, HalfSpace{{0, 1e-300, 0}, -1e300}}) {
    const SpherePacking kept = *pack_spheres(torus, {.max_count = fewer(300), .keep = keep});
    REQUIRE(kept.spheres.size() == all.spheres.size());
    for (std::size_t i = 0; i < all.spheres.size(); ++i) {
      CHECK(kept.spheres[i].center == all.spheres[i].center);
      CHECK(kept.spheres[i].radius == all.spheres[i].radius);
    }
    CHECK(kept.coverage == test::approx(all.coverage).epsilon(1e-12));
  }
}

TEST_CASE("the number of threads changes no bit of a part's packing") {
  const ClosedMesh torus = closed(make_torus(1, 0.4, 30, 20));
  std::vector<SpherePacking> packings;
  for (const int threads : {1, 2, 7})
    with_threads(threads, [&] {
      packings.push_back(
          *pack_spheres(torus, {.max_count = fewer(1500), .keep = HalfSpace{{1, 2, 3}, 0.1}}));
    });
  for (const SpherePacking& other : packings) test::check_same(other, packings[0]);
}

TEST_CASE("half spaces without sense, or without a part of the solid, are refused") {
  const ClosedMesh cube = closed(make_box({1, 1, 1}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const HalfSpace& keep :
       {HalfSpace{{0, 0, 0}, 0}, HalfSpace{{0, nan, 0}, 0}, HalfSpace{{0, 0, infinite}, 0},
        HalfSpace{{0, 0, 1}, infinite}, HalfSpace{{0, 0, 1}, 0.5}, HalfSpace{{0, 0, 1e-300}, 1e300},
        HalfSpace{{1, 1, 1}, 1.5}}) {
    const Result<SpherePacking> packing = pack_spheres(cube, {.keep = keep});
    REQUIRE_FALSE(packing);
    CHECK(packing.error().code == ErrorCode::kInvalidArgument);
    CHECK(packing.error().where == "keep");
  }
  const Result<SpherePacking> lattice =
      pack_spheres_on_lattice(cube, 10, {.keep = HalfSpace{{0, 0, 1}, 0}});
  REQUIRE_FALSE(lattice);
  CHECK(lattice.error().where == "keep");
}

}  // namespace plimsoll
