// Packings against exact distances, closed forms and each other.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/clearance.h"
#include "spheres/unit_solid.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::closed;
using test::moved;

TriangleMesh make_tetrahedron() {
  const double height = std::sqrt(2.0 / 3);
  return {{{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}, {0.5, std::sqrt(1.0 / 12), height}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

/// A body with another, turned inward, in it.
TriangleMesh with_void(TriangleMesh body, const TriangleMesh& inner) {
  const auto first = static_cast<std::uint32_t>(body.vertices.size());
  body.vertices.insert(body.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const Triangle& t : inner.triangles)
    body.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  return body;
}

/// A unit cube about 0 cut from above by a slit of width `width` down to a depth of 0.6.
TriangleMesh make_slit_cube(double width) {
  const double w = width / 2;
  const std::vector<Vec2> outline{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {w, 0.5},
                                  {w, -0.1},    {-w, -0.1},  {-w, 0.5},  {-0.5, 0.5}};
  const std::vector<Triangle> front{{0, 1, 4}, {0, 4, 5}, {1, 2, 4},
                                    {2, 3, 4}, {0, 5, 7}, {5, 6, 7}};
  TriangleMesh mesh;
  for (const double y : {-0.5, 0.5})
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p[0], y, p[1]);
  for (const Triangle& t : front) {
    mesh.triangles.push_back(t);
    mesh.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::uint32_t j = (i + 1) % 8;
    mesh.triangles.push_back({j, i, i + 8});
    mesh.triangles.push_back({j, i + 8, j + 8});
  }
  return mesh;
}

struct Body {
  const char* name;
  TriangleMesh mesh;
  double largest;  // radius of the largest ball that fits
};

/// The largest ball of the slit cube touches the bottom, a wall and the lower edge of the slit,
/// which is x away from the wall and z from the bottom: (x - r)^2 + (z - r)^2 = r^2.
double largest_in_slit_cube(double width) {
  const double x = 0.5 - width / 2, z = 0.4;
  return x + z - std::sqrt(2 * x * z);
}

std::vector<Body> bodies() {
  return {{"a cube", make_box({1, 1, 1}), 0.5},
          {"a plate", make_box({2, 2, 0.02}), 0.01},
          {"a tooth", make_box({0.02, 0.01, 0.005}), 0.0025},
          {"a tetrahedron", make_tetrahedron(), 1 / std::sqrt(24.0)},
          {"a slit cube", make_slit_cube(0.002), largest_in_slit_cube(0.002)},
          {"a box with a void", with_void(make_box({40, 40, 10}), make_box({20, 20, 4})), 5},
          {"a short cylinder", make_cylinder(14, 25, 90), 12.5},
          {"a box turned inward",
           [] {
             TriangleMesh box = make_box({1, 2, 3});
             for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
             return box;
           }(),
           0.5}};
}

/// Distances from SurfaceProbe are within 2^-40 of the size of the truth for these bodies, and
/// centers of far bodies are rounded by 2^-52 of their coordinates.
void check_inside(const TriangleMesh& mesh, const std::vector<PlacedSphere>& spheres, double size) {
  const MeshTree tree(test::checked(mesh));
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
  REQUIRE(probe);
  const double rounding = 0x1p-40 * size;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const PlacedSphere& sphere = spheres[i];
    REQUIRE(sphere.radius > 0);
    REQUIRE(probe->nearest(sphere.center)->upper >= sphere.radius - rounding);
    REQUIRE(*probe->winding_number(sphere.center) != 0);
    for (std::size_t j = 0; j < i; ++j)
      REQUIRE((sphere.center - spheres[j].center).norm() >=
              sphere.radius + spheres[j].radius - rounding);
  }
}

// The address sanitizer takes ten times as long, and fewer spheres walk the same code.
constexpr std::size_t fewer(std::size_t count) {
  return test::kAddressSanitizer ? count / 5 : count;
}

double ball_volume(double radius) { return 4 * std::numbers::pi / 3 * std::pow(radius, 3); }

}  // namespace

TEST_CASE("spheres lie in their solid and do not overlap, at any size, turn and place") {
  Random random(11);
  for (const Body& body : bodies())
    for (int round = 0; round < test::campaign(30); ++round) {
      CAPTURE(body.name);
      CAPTURE(round);
      const double scale = round == 0 ? 1 : std::pow(10.0, random.uniform(-6, 6));
      const Similarity pose =
          round == 0 ? Similarity::Identity() : test::random_similarity(random, 100 * scale, scale);
      const TriangleMesh mesh = moved(body.mesh, pose);
      const Result<SpherePacking> packing = pack_spheres(closed(mesh), {.max_count = fewer(200)});
      REQUIRE(packing);
      CHECK(packing->end == PackingEnd::kCount);
      REQUIRE(packing->spheres.size() == fewer(200));
      check_inside(mesh, packing->spheres, 100 * scale);
      // A climb ends within 2e-3 of a local maximum.
      CHECK(packing->spheres[0].radius > 0.99 * scale * body.largest);
      CHECK(packing->spheres[0].radius < (1 + 1e-9) * scale * body.largest);
      double volume = 0;
      for (const PlacedSphere& sphere : packing->spheres) volume += ball_volume(sphere.radius);
      CHECK(volume == test::approx(packing->coverage * packing->solid_volume).epsilon(1e-12));
    }
}

// Centers are doubles of the mesh's frame: here they are rounded by some 2e-10, and radii fit the
// rounded ones.
TEST_CASE("far from the origin spheres do not overlap by what their centers are rounded") {
  const Similarity far(Eigen::Translation3d(1e6, -2e6, 3e6));
  const Result<SpherePacking> packing =
      pack_spheres(closed(moved(make_box({1, 1, 1}), far)), {.max_count = 300});
  REQUIRE(packing);
  const std::vector<PlacedSphere>& spheres = packing->spheres;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK((spheres[i].center - spheres[j].center).norm() >=
            spheres[i].radius + spheres[j].radius - 1e-13);
}

TEST_CASE("a wall is never farther than is said") {
  const UnitSolid cube(closed(make_box({1, 1, 1})));
  Random random(5);
  for (int round = 0; round < test::campaign(1000); ++round) {
    // Dyadic, so that the distance from the nearest face is a double.
    Vec3 point;
    for (double& x : point) x = 0x1p-20 * std::floor(0x1p20 * random.uniform(-0.5, 0.5));
    const double distance = cube.from_mesh(Vec3(0.5 - point.cwiseAbs().maxCoeff(), 0, 0))[0];
    const NearestWall wall = nearest_wall(cube.tree, cube.from_mesh(point), 2);
    CHECK(wall.distance <= distance);
    // Triangles are at most 2 long in units of the tree.
    CHECK(wall.distance >= distance - 4 * 0x1p-46 / (2 * distance));
  }
}

TEST_CASE("spheres come largest first") {
  const Result<SpherePacking> packing =
      pack_spheres(closed(make_torus(1, 0.4, 40, 20)), {.max_count = fewer(500)});
  REQUIRE(packing);
  for (std::size_t i = 1; i < packing->spheres.size(); ++i)
    CHECK(packing->spheres[i].radius <= packing->spheres[i - 1].radius);
}

// After the ball in the middle a cube has room for eight of radius (2 - sqrt 3) / 2 in its corners.
TEST_CASE("a cube takes the ball in its middle, then those in its corners") {
  const Result<SpherePacking> packing = pack_spheres(closed(make_box({1, 1, 1})), {.max_count = 9});
  REQUIRE(packing);
  REQUIRE(packing->spheres.size() == 9);
  const double corner = (2 - std::sqrt(3.0)) / 2;
  for (std::size_t i = 1; i < 9; ++i)
    CHECK(packing->spheres[i].radius == test::approx(corner).epsilon(4e-3));
}

// Greedy packings of cubes on a lattice cover 0.82 with 2,000 spheres and 0.88 with 20,000.
TEST_CASE("a packing covers more than one on a lattice" * doctest::skip(test::kAddressSanitizer)) {
  const Result<SpherePacking> packing =
      pack_spheres(closed(make_box({1, 1, 1})), {.max_count = 2000});
  REQUIRE(packing);
  CHECK(packing->coverage > 0.84);
}

TEST_CASE("a ball is packed by itself" * doctest::skip(test::kAddressSanitizer)) {
  const double radius = 3;
  const Result<SpherePacking> packing =
      pack_spheres(closed(make_sphere(radius, 64, 128)), {.max_count = 1});
  REQUIRE(packing);
  // The facets of the sphere come as near as cos(pi / 128) to its center.
  CHECK(packing->spheres[0].radius > 0.998 * radius);
}

TEST_CASE("every shell is packed, however small") {
  TriangleMesh mesh = make_box({1, 1, 1});
  for (int i = 0; i < 10; ++i) {
    const TriangleMesh small =
        moved(make_box({0.05, 0.05, 0.05}), Similarity(Eigen::Translation3d(2 + i, 0, 0)));
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), small.vertices.begin(), small.vertices.end());
    for (const Triangle& t : small.triangles)
      mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  const Result<SpherePacking> packing = pack_spheres(closed(mesh), {.min_radius = 0.02});
  REQUIRE(packing);
  CHECK(packing->end == PackingEnd::kRadius);
  int small = 0;
  for (const PlacedSphere& sphere : packing->spheres) small += sphere.center[0] > 1 ? 1 : 0;
  CHECK(small == 10);
}

// A power of two scales all numbers exactly. At these scales volumes are doubles, and products of
// four lengths are not.
TEST_CASE("a solid scaled by a power of two has the spheres of the solid, scaled") {
  const TriangleMesh mesh = make_torus(1, 0.4, 12, 9);
  const SpherePacking packing = *pack_spheres(closed(mesh), {.max_count = 30});
  for (const int exponent : {-330, 330}) {
    CAPTURE(exponent);
    const double scale = std::ldexp(1, exponent);
    TriangleMesh scaled = mesh;
    for (Vec3& v : scaled.vertices) v *= scale;
    const Result<SpherePacking> found = pack_spheres(closed(scaled), {.max_count = 30});
    REQUIRE_MESSAGE(found, found.error().message);
    REQUIRE(found->spheres.size() == packing.spheres.size());
    for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
      CHECK(found->spheres[i].center == scale * packing.spheres[i].center);
      CHECK(found->spheres[i].radius == scale * packing.spheres[i].radius);
    }
    CHECK(found->largest_protrusion == scale * packing.largest_protrusion);
    CHECK(found->coverage == test::approx(packing.coverage).epsilon(1e-12));
  }
}

// A triangle without three corners belongs to no shell. The spheres are those of the cube: the
// first has half of its edge as radius, the next ones (2 - sqrt 3) / 2 as above.
TEST_CASE("a triangle with a corner twice takes nothing from a packing") {
  TriangleMesh mesh = make_box({1, 1, 1});
  mesh.triangles.insert(mesh.triangles.begin(), {0, 0, 1});
  mesh.triangles.push_back({2, 3, 3});
  const Result<SpherePacking> packing = pack_spheres(closed(mesh), {.max_count = 9});
  REQUIRE(packing);
  REQUIRE(packing->spheres.size() == 9);
  CHECK(packing->spheres[0].radius == test::approx(0.5).epsilon(1e-9));
  for (std::size_t i = 1; i < 9; ++i)
    CHECK(packing->spheres[i].radius == test::approx((2 - std::sqrt(3.0)) / 2).epsilon(4e-3));
}

TEST_CASE("a packing ends where it is asked to, and says why") {
  const ClosedMesh cube = closed(make_box({1, 1, 1}));
  const Result<SpherePacking> covering = pack_spheres(cube, {.coverage = 0.7});
  REQUIRE(covering);
  CHECK(covering->end == PackingEnd::kCoverage);
  CHECK(covering->coverage >= 0.7);
  CHECK(covering->coverage - ball_volume(covering->spheres.back().radius) < 0.7);

  const Result<SpherePacking> large = pack_spheres(cube, {.min_radius = 0.1});
  REQUIRE(large);
  CHECK(large->end == PackingEnd::kRadius);
  CHECK(large->spheres.size() == 9);

  const Result<SpherePacking> none = pack_spheres(cube, {.min_radius = 0.6});
  REQUIRE(none);
  CHECK(none->spheres.empty());
  CHECK(none->end == PackingEnd::kRadius);
  CHECK(std::isinf(none->largest_protrusion));

  std::size_t asked = 0;
  const Result<SpherePacking> stopped = pack_spheres(
      cube, {.max_count = 100'000, .progress = [&](std::size_t) { return ++asked < 10; }});
  REQUIRE(stopped);
  CHECK(stopped->end == PackingEnd::kInterrupted);
  CHECK(stopped->spheres.size() > 0);
}

TEST_CASE("options without sense are refused") {
  const ClosedMesh cube = closed(make_box({1, 1, 1}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const PackingOptions& options :
       {PackingOptions{.max_count = 0}, PackingOptions{.coverage = 0},
        PackingOptions{.coverage = nan}, PackingOptions{.coverage = 2},
        PackingOptions{.min_radius = -1}, PackingOptions{.min_radius = nan},
        PackingOptions{.max_protrusion = -1}}) {
    const Result<SpherePacking> packing = pack_spheres(cube, options);
    REQUIRE_FALSE(packing);
    CHECK(packing.error().code == ErrorCode::kInvalidArgument);
  }
}

// Edges of 1e-120 m make a volume of 0, edges of 1e120 m one that is infinite, in doubles.
TEST_CASE("a solid without a volume in doubles is refused") {
  for (const Vec3& size : {Vec3(1e-120, 1e-120, 1e-120), Vec3(1e120, 1e120, 1e120)}) {
    const Result<SpherePacking> packing = pack_spheres(closed(make_box(size)));
    REQUIRE_FALSE(packing);
    CHECK(packing.error().code == ErrorCode::kInvalidArgument);
    CHECK(packing.error().where == "solid");
  }
}

TEST_CASE("a wire whose volume vanishes beside the cube of its length is refused") {
  for (const double thin : {1e-150, 1e-100, 1e-90}) {
    const Result<SpherePacking> packing =
        pack_spheres(closed(make_box({thin, thin, 1 / thin})), {.max_count = 30});
    REQUIRE(!packing);
    CHECK(packing.error().code == ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("the number of threads changes no bit of a packing") {
  const ClosedMesh torus = closed(make_torus(1, 0.4, 30, 20));
  std::vector<SpherePacking> packings;
  for (const int threads : {1, 2, 7})
    with_threads(threads, [&] {
      packings.push_back(*pack_spheres(torus, {.max_count = test::kAddressSanitizer ? 200 : 3000}));
    });
  for (const SpherePacking& other : packings) test::check_same(other, packings[0]);
}

// A ball that leaves a small round part of a large solid finds no wall outside.
TEST_CASE("no sphere is outside a solid that is large beside its round parts" *
          doctest::skip(test::kThreadSanitizer)) {
  for (const int level : {1, 2})
    for (const double away : {2.0, 5.0, 10.0, 20.0}) {
      if (test::kAddressSanitizer && level > 1) continue;
      TriangleMesh drawn = make_icosphere(1, level);
      *std::max_element(drawn.vertices.begin(), drawn.vertices.end(),
                        [](const Vec3& x, const Vec3& y) { return x.x() < y.x(); }) *= away;
      TriangleMesh two = make_icosphere(1, level);
      const TriangleMesh small =
          moved(make_icosphere(0.1, level), Similarity(Eigen::Translation3d(away, 0, 0)));
      const auto first = static_cast<std::uint32_t>(two.vertices.size());
      two.vertices.insert(two.vertices.end(), small.vertices.begin(), small.vertices.end());
      for (const Triangle& t : small.triangles)
        two.triangles.push_back({first + t[0], first + t[1], first + t[2]});
      for (const TriangleMesh& mesh : {drawn, two}) {
        CAPTURE(level);
        CAPTURE(away);
        const Result<SpherePacking> packing = pack_spheres(closed(mesh), {.max_count = fewer(100)});
        REQUIRE(packing);
        CHECK(packing->spheres.size() == fewer(100));
        CHECK(packing->coverage < 1);
        check_inside(mesh, packing->spheres, 2 + away);
      }
    }
}

// Coordinates of 1e13 are known to 2e-3: a point beside a wall may be rounded to its other side.
TEST_CASE("no sphere is outside a solid so far away that its points are rounded") {
  for (const double away : {1e12, 1e13, 1e14}) {
    const TriangleMesh mesh = moved(
        make_box({1, 1, 1}), Similarity(Eigen::Translation3d(Vec3(away, -2 * away, 3 * away))));
    const Result<SpherePacking> packing = pack_spheres(closed(mesh), {.max_count = 100});
    REQUIRE(packing);
    CHECK(packing->coverage <= 1);
    check_inside(mesh, packing->spheres, 1);
  }
}

// The ball in an icosphere leaves corners that are smaller than any cube that is looked at; the
// radius of the ball in a corner of five or six faces is what the gap between them leaves.
TEST_CASE("corners of a solid that one sphere nearly fills are packed, and their protrusion known" *
          doctest::skip(test::kThreadSanitizer)) {
  for (int level = 1; level <= (test::kAddressSanitizer ? 2 : 5); ++level) {
    CAPTURE(level);
    const TriangleMesh mesh = make_icosphere(1, level);
    const ClosedMesh solid = closed(mesh);
    const Result<SpherePacking> one = pack_spheres(solid, {.max_count = 1});
    REQUIRE(one);
    const PlacedSphere& ball = one->spheres.front();
    double farthest = 0;
    for (const Vec3& v : mesh.vertices)
      farthest = std::max(farthest, (v - ball.center).norm() - ball.radius);
    CHECK(one->largest_protrusion >= farthest);
    CHECK(one->largest_protrusion <= 1.03 * farthest);
    const Result<SpherePacking> many = pack_spheres(solid, {.max_count = fewer(300)});
    REQUIRE(many);
    CHECK(many->spheres.size() == fewer(300));
    check_inside(mesh, many->spheres, 2);
  }
}

// The farthest points of a cube from the ball in its middle are its corners.
TEST_CASE("no point of the solid is farther from the spheres than the protrusion") {
  const ClosedMesh cube = closed(make_box({1, 1, 1}));
  const double corner = (std::sqrt(3.0) - 1) / 2;
  const Result<SpherePacking> one = pack_spheres(cube, {.max_count = 1});
  REQUIRE(one);
  CHECK(one->largest_protrusion >= corner - 2e-3);
  CHECK(one->largest_protrusion <= 1.03 * corner);

  Random random(5);
  const Result<SpherePacking> packing = pack_spheres(cube, {.max_count = 300});
  REQUIRE(packing);
  double farthest = 0;
  for (int i = 0; i < (test::kAddressSanitizer ? 10'000 : 100'000); ++i) {
    const Vec3 point = 0.5 * test::random_vector(random);
    double distance = std::numeric_limits<double>::infinity();
    for (const PlacedSphere& sphere : packing->spheres)
      distance = std::min(distance, (point - sphere.center).norm() - sphere.radius);
    farthest = std::max(farthest, distance);
  }
  CHECK(packing->largest_protrusion >= farthest);
  CHECK(packing->largest_protrusion <= 1.5 * farthest);
}

}  // namespace plimsoll
