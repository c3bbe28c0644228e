#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/surface_queries.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/no_index.h"
#include "core/random.h"
#include "exact_distance.h"
#include "proximity/winding_number.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/processor_time.h"
#include "support/random_mesh.h"
#include "triangle_corners.h"

namespace plimsoll {
namespace {

using test::corners_of;
using test::Point;
using test::Rational;
using test::triple;
using Wide = boost::multiprecision::cpp_bin_float_100;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

MeshTree tree_of(const TriangleMesh& mesh, TreeQuality quality = TreeQuality::kTight) {
  return MeshTree(test::checked(mesh), quality);
}
SurfaceProbe probe_of(const MeshTree& tree, const Similarity& pose = Similarity::Identity()) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree, pose);
  REQUIRE(probe);
  return *std::move(probe);
}

Vec3 random_vector(Random& random, double size) { return size * test::random_vector(random); }

// ---- points

TEST_CASE("the nearest point is as far away as rational numbers say of all triangles") {
  Random random(1);
  const TriangleMesh ball = make_icosphere(0.8, 1), ring = make_torus(0.7, 0.3, 9, 6);
  for (int round = 0; round < test::campaign(300); ++round) {
    CAPTURE(round);
    const TriangleMesh& mesh = round % 2 == 0 ? ball : ring;
    const double scale = round % 3 == 0 ? std::pow(10, random.uniform(-6, 6)) : 1;
    Similarity pose = test::random_similarity(random, scale, scale);
    if (round % 5 == 0) pose.translation() += 1e6 * scale * Vec3(1, -2, 3);
    const TriangleMesh there = posed(mesh, pose);
    Vec3 point = pose * random_vector(random, std::pow(10, random.uniform(-1, 2)));
    if (round % 7 == 0) point = there.vertices[random.below(there.vertices.size())];
    const TripleCorners<double> of_point = triple({point, point, point});
    std::optional<Rational> squared;
    for (std::size_t t = 0; t < there.triangles.size(); ++t) {
      const Rational next = test::exact_squared_distance(of_point, triple(corners_of(there, t)));
      if (!squared || next < *squared) squared = next;
    }
    const Wide expected = sqrt(Wide(*squared));
    SurfaceProbe probe = probe_of(tree_of(mesh), pose);
    const Result<NearestOnSurface> found = probe.nearest(point);
    REQUIRE(found);
    CHECK(Wide(found->lower) <= expected);
    CHECK(Wide(found->upper) >= expected);
    const double size = 100 * scale;
    CHECK(found->distance >= found->lower);
    CHECK(found->distance <= found->upper);
    CHECK(found->upper - found->lower <= 0x1p-43 * size);
    REQUIRE(found->at);
    // It is a point of that triangle, and as far away, up to the rounding of where it is.
    const double rounding = 1e-14 * size + 4e-16 * point.cwiseAbs().maxCoeff() * 4;
    CHECK(std::abs((found->at->at - point).norm() - found->distance) <= rounding);
    const Vec3 on = found->at->at;
    const TripleCorners<double> on_triangle = triple({on, on, on});
    const Wide off = sqrt(Wide(
        test::exact_squared_distance(on_triangle, triple(corners_of(there, found->at->triangle)))));
    CHECK(static_cast<double>(off) <= rounding);
    if (found->distance == 0) continue;
    CHECK(probe.nearest(point, found->distance * 1.01)->distance == found->distance);
    const NearestOnSurface beyond = *probe.nearest(point, found->distance * 0.99);
    CHECK(beyond.distance == kInfinite);
    CHECK(beyond.lower == found->distance * 0.99);
    CHECK(!beyond.at);
  }
}

TEST_CASE("faces, edges and corners of a box are as far away as they are") {
  SurfaceProbe probe = probe_of(tree_of(make_box({2, 2, 2})));
  const auto distance = [&](double x, double y, double z) {
    return probe.nearest(Vec3(x, y, z))->distance;
  };
  CHECK(distance(3, 0.5, 0.25) == 2);
  CHECK(distance(2, 2, 0.25) == std::sqrt(2));
  CHECK(distance(2, 2, 2) == std::sqrt(3));
  CHECK(distance(0.5, 0, 0.25) == 0.5);
  CHECK(distance(1, 0.5, 0.25) == 0);
  CHECK(probe.nearest(Vec3(2, 2, 2))->at->part == TrianglePart::kCorner);
  CHECK(probe.nearest(Vec3(2, 2, 0.3))->at->part == TrianglePart::kEdge);
  CHECK(probe.nearest(Vec3(2, 0.5, 0.3))->at->part == TrianglePart::kFace);
  for (const double far : {1e10, 1e100, 1e200, 1e300})
    CHECK(distance(far, 0, 0) == test::approx(far).epsilon(1e-9));
}

// Two small balls far apart: floats, which boxes are made of, are rounded by 2^-25 of where these
// are, more than triangles around a vertex differ in their distance from a point beside it. A ray
// that is aimed at the vertex from within its ball goes out there.
TEST_CASE(
    "what is nearest and what a ray meets is found for meshes of any size in their own units") {
  Random random(21);
  for (const double size : {1e-6, 1e3, 1e9}) {
    CAPTURE(size);
    const double radius = 1e-3 * size;
    const Vec3 center = size * Vec3(0.61, 0.73, 0.97);
    TriangleMesh mesh = make_icosphere(radius, 2);
    const auto of_one = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::uint32_t v = 0; v < of_one; ++v) {
      mesh.vertices.push_back(mesh.vertices[v] - center);
      mesh.vertices[v] += center;
    }
    for (std::size_t t = 0, count = mesh.triangles.size(); t < count; ++t) {
      const auto [i, j, k] = mesh.triangles[t];
      mesh.triangles.push_back({i + of_one, j + of_one, k + of_one});
    }
    std::vector<std::vector<std::size_t>> around(mesh.vertices.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (const std::uint32_t v : mesh.triangles[t]) around[v].push_back(t);
    SurfaceProbe probe = probe_of(tree_of(mesh));
    for (int round = 0; round < test::campaign(200); ++round) {
      CAPTURE(round);
      const std::size_t v = random.below(around.size());
      const double off = size * std::pow(10, random.uniform(-9.5, -7));
      const Vec3 point = mesh.vertices[v] + random_vector(random, off);
      const TripleCorners<double> of_point = triple({point, point, point});
      std::optional<Rational> squared;
      for (const std::size_t t : around[v]) {
        const Rational next = test::exact_squared_distance(of_point, triple(corners_of(mesh, t)));
        if (!squared || next < *squared) squared = next;
      }
      const Wide expected = sqrt(Wide(*squared));
      const Result<NearestOnSurface> found = probe.nearest(point);
      REQUIRE(found);
      CHECK(Wide(found->lower) <= expected);
      CHECK(Wide(found->upper) >= expected);
      // The ray is as long as half the radius at least and meets the surface at less than 45
      // degrees, so that its end is off by less than 3 times the point. The ball's own corners are
      // rounded by 2^-53 of the size.
      const Vec3 from = (v < of_one ? center : Vec3(-center)) + random_vector(random, 0.2 * radius);
      const Result<std::optional<RayHit>> hit = probe.first_hit({from, point - from});
      REQUIRE(hit);
      REQUIRE(hit->has_value());
      CHECK(std::abs((*hit)->along - 1) <= (3 * std::sqrt(3) * off + 1e-15 * size) / (radius / 2));
    }
  }
}

TEST_CASE("no place of a large ball takes long, its center neither") {
  SurfaceProbe probe = probe_of(tree_of(make_icosphere(1, 6)));
  const double start = test::processor_seconds();
  for (const double r : {0.0, 1e-9, 0.5, 1.0, 2.0, 1e6, 1e12})
    CHECK(std::abs(probe.nearest(Vec3(r, 0, 0))->distance - std::abs(1 - r)) <= 1e-3 + 1e-9 * r);
  if (test::kTimed) CHECK(test::processor_seconds() - start <= 2);
}

// ---- rays

// Independent of determinants of lines: the ray and the plane of each triangle in rational numbers,
// and the signs of areas in the plane.
Point rational(const Vec3& x) { return {Rational(x[0]), Rational(x[1]), Rational(x[2])}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
std::optional<Rational> crossing(const Point& from, const Point& d,
                                 const std::array<Vec3, 3>& triangle) {
  const Point a = rational(triangle[0]), b = rational(triangle[1]), c = rational(triangle[2]);
  const Point n = cross(test::minus(b, a), test::minus(c, a));
  const Rational slope = test::times(n, d);
  if (slope == 0) return std::nullopt;
  const Rational along = test::times(n, test::minus(a, from)) / slope;
  if (along < 0) return std::nullopt;
  const Point at{from[0] + along * d[0], from[1] + along * d[1], from[2] + along * d[2]};
  for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
    if (test::times(n, cross(test::minus(q, p), test::minus(at, p))) < 0) return std::nullopt;
  return along;
}

TEST_CASE("a ray meets first what it meets first in rational numbers") {
  Random random(2);
  const TriangleMesh ball = make_icosphere(0.8, 1), ring = make_torus(0.7, 0.3, 9, 6);
  int hits = 0, misses = 0;
  for (int round = 0; round < test::campaign(1000); ++round) {
    CAPTURE(round);
    const TriangleMesh& mesh = round % 2 == 0 ? ball : ring;
    const double scale = round % 3 == 0 ? std::pow(10, random.uniform(-6, 6)) : 1;
    const Similarity pose = test::random_similarity(random, scale, scale);
    const TriangleMesh there = posed(mesh, pose);
    Ray ray{pose * random_vector(random, 2), random_vector(random, 1)};
    // Through a corner, or the middle of an edge, where rounding might let it pass between two.
    if (round % 4 == 0)
      ray.direction = there.vertices[random.below(there.vertices.size())] - ray.origin;
    std::optional<Rational> expected;
    for (std::size_t t = 0; t < there.triangles.size(); ++t) {
      const auto along =
          crossing(rational(ray.origin), rational(ray.direction), corners_of(there, t));
      if (along && (!expected || *along < *expected)) expected = along;
    }
    const Result<std::optional<RayHit>> found = probe_of(tree_of(mesh), pose).first_hit(ray);
    REQUIRE(found);
    // The ray is turned by rounding: at a corner of the silhouette it may pass it or not.
    if (round % 4 == 0 && found->has_value() != expected.has_value()) continue;
    REQUIRE(found->has_value() == expected.has_value());
    (expected ? hits : misses) += 1;
    if (!expected) continue;
    const RayHit& hit = **found;
    const double along = static_cast<double>(Wide(*expected));
    if (round % 4 == 0 && std::abs(hit.along - along) > 1e-9 * along) continue;
    const auto [a, b, c] = corners_of(there, hit.triangle);
    const double cosine = (b - a).cross(c - a).normalized().dot(ray.direction.normalized());
    const double size = 4 * scale;
    CHECK(std::abs(hit.along - along) * ray.direction.norm() * std::abs(cosine) <= 1e-14 * size);
    CHECK(hit.from_behind == (cosine > 0));
    CHECK((hit.at - (ray.origin + hit.along * ray.direction)).norm() <=
          1e-14 * (size + ray.origin.norm() + (hit.along * ray.direction).norm()));
  }
  CHECK(hits > 0);
  CHECK(misses > 0);
}

// Of a knot through which a ray passes many times, so that most leaves that it meets are behind the
// first; and of large triangles in all directions, whose boxes say little of where a ray meets
// them. The oracle takes doubles, and only triangles whose borders the ray does not come near.
TEST_CASE("no triangle is before the one that a ray meets first") {
  Random random(5);
  TriangleMesh soup;
  for (std::uint32_t t = 0; t < 60; ++t) {
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(random_vector(random, 1));
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  for (const TriangleMesh& mesh :
       {make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 200, 12), soup}) {
    CAPTURE(mesh.triangles.size());
    SurfaceProbe probe = probe_of(tree_of(mesh));
    int checked = 0;
    for (int round = 0; round < test::campaign(2000); ++round) {
      CAPTURE(round);
      const Ray ray{random_vector(random, 1.5), random_vector(random, 1)};
      double first = kInfinite;
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = corners_of(mesh, t);
        Mat3 edges;
        edges << b - a, c - a, -ray.direction;
        const Vec3 weights = edges.inverse() * (ray.origin - a);
        const double least = std::min({weights[0], weights[1], 1 - weights[0] - weights[1]});
        if (least > 1e-6 && weights[2] > 0) first = std::min(first, weights[2]);
      }
      const Result<std::optional<RayHit>> found = probe.first_hit(ray);
      REQUIRE(found);
      if (first == kInfinite) continue;
      ++checked;
      REQUIRE(found->has_value());
      // A plane that the ray is nearly in is met up to 1e-16 over its share of 1e-6 off.
      CHECK((*found)->along <= first + 1e-9);
    }
    CHECK(checked > 0);
  }
}

// Four slanted triangles, met at 9 though their box begins at 1; four upright ones at 6.
TEST_CASE("a box that a ray enters first does not hide a triangle before what is met in it") {
  TriangleMesh mesh;
  mesh.vertices = {{1, -8, 0}, {10, 1, -5}, {10, 1, 5}, {6, -1, -1}, {6, 1, -1}, {6, 0, 2}};
  for (int i = 0; i < 4; ++i) mesh.triangles.push_back({0, 1, 2});
  for (int i = 0; i < 4; ++i) mesh.triangles.push_back({3, 4, 5});
  SurfaceProbe probe = probe_of(tree_of(mesh));
  const std::optional<RayHit> hit = *probe.first_hit({Vec3(0, 0, 0), Vec3(1, 0, 0)});
  REQUIRE(hit);
  CHECK(hit->along == 6);
  CHECK(hit->triangle == 4);
}

TEST_CASE("a ray that begins at a vertex meets the first of the triangles around it") {
  Random random(7);
  TriangleMesh ball = make_icosphere(1, 2);
  for (std::size_t t = ball.triangles.size() - 1; t > 0; --t)
    std::swap(ball.triangles[t], ball.triangles[random.below(t + 1)]);
  std::vector<std::uint32_t> first(ball.vertices.size(), kNoIndex);
  for (std::uint32_t t = 0; t < ball.triangles.size(); ++t)
    for (const std::uint32_t v : ball.triangles[t]) first[v] = std::min(first[v], t);
  SurfaceProbe probe = probe_of(tree_of(ball));
  for (std::size_t v = 0; v < first.size(); ++v) {
    const std::optional<RayHit> hit =
        *probe.first_hit({ball.vertices[v], random_vector(random, 1)});
    REQUIRE(hit);
    CHECK(hit->along == 0);
    CHECK(hit->triangle == first[v]);
  }
}

// The same rays in lengths that are powers of two: no number but `along` is another.
TEST_CASE("the length of a direction changes nothing but the unit of what is along it") {
  Random random(6);
  const TriangleMesh knot = make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8);
  SurfaceProbe probe = probe_of(tree_of(knot));
  int met = 0;
  for (int round = 0; round < test::campaign(500); ++round) {
    CAPTURE(round);
    const Ray ray{random_vector(random, 1.5), random_vector(random, 1)};
    const std::optional<RayHit> expected = *probe.first_hit(ray);
    for (const int exponent : {-900, -40, -1, 40, 900}) {
      const double length = std::ldexp(1.0, exponent);
      const std::optional<RayHit> hit = *probe.first_hit({ray.origin, length * ray.direction});
      REQUIRE(hit.has_value() == expected.has_value());
      if (!hit) continue;
      CHECK(hit->triangle == expected->triangle);
      CHECK(hit->at == expected->at);
      CHECK(hit->along * length == expected->along);
      ++met;
    }
  }
  CHECK(met > 0);
}

// From within, any ray goes out. Directions to corners and middles of edges, to the last bit: those
// of whole numbers, which no rounding turns.
TEST_CASE("no ray leaves a closed surface without meeting it") {
  TriangleMesh box = make_box({2, 2, 2});
  SurfaceProbe probe = probe_of(tree_of(box));
  for (int x = -8; x <= 8; ++x)
    for (int y = -8; y <= 8; ++y)
      for (int z = -8; z <= 8; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 direction(x, y, z);
        const Result<std::optional<RayHit>> hit = probe.first_hit({Vec3(0, 0, 0), direction});
        REQUIRE(hit);
        REQUIRE(hit->has_value());
        CHECK((*hit)->along == test::approx(1 / direction.cwiseAbs().maxCoeff()).epsilon(1e-15));
        CHECK((*hit)->from_behind);
      }
  Random random(3);
  const TriangleMesh ball = make_icosphere(1, 3);
  SurfaceProbe of_ball = probe_of(tree_of(ball));
  for (int round = 0; round < test::campaign(20000); ++round) {
    const Vec3 target = round % 2 == 0 ? ball.vertices[random.below(ball.vertices.size())]
                                       : random_vector(random, 1);
    const Vec3 origin = random_vector(random, 0.5);
    const auto hit = of_ball.first_hit({origin, target - origin});
    REQUIRE(hit);
    REQUIRE(hit->has_value());
  }
}

// Determinants of 53-bit numbers have 160 bits: where a ray is nearly in the plane, 113 of them are
// noise. The middle of this triangle is at 4 d; it is in whole numbers times 2^-44.
TEST_CASE("where a ray meets a triangle that it is nearly in the plane of is found exactly") {
  TriangleMesh one;
  one.vertices = {{23878773387097, 15974594549592, 1434108746707},
                  {27809355512624, 64520275696412, 45288761005047},
                  {59973979104051, 123387588834688, 82701168867026}};
  for (Vec3& v : one.vertices) v *= 0x1p-44;
  one.triangles = {{0, 1, 2}};
  const Vec3 d = 0x1p-44 * Vec3(9305175666981, 16990204923391, 10785336551565);
  SurfaceProbe probe = probe_of(tree_of(one));
  const Result<std::optional<RayHit>> hit = probe.first_hit({Vec3(0, 0, 0), d});
  REQUIRE(hit);
  REQUIRE(hit->has_value());
  CHECK((*hit)->along == 4);
  CHECK((*hit)->at == 4 * d);
  CHECK(!*probe.first_hit({Vec3(0, 0, 0), d}, 3.6));
}

TEST_CASE("points and directions of sizes that overflow in units of the mesh are answered too") {
  TriangleMesh one;
  one.vertices = {{0, -1, -1}, {0, 2, -1}, {0, -1, 2}};
  one.triangles = {{0, 1, 2}};
  Similarity tiny = Similarity::Identity();
  tiny.linear() *= 1e-300;
  const NearestOnSurface far = *probe_of(tree_of(one), tiny).nearest(Vec3(1e10, 0, 0));
  CHECK(far.distance == test::approx(1e10).epsilon(1e-12));
  CHECK(far.lower <= 1e10);
  CHECK(far.upper >= 1e10 * (1 - 1e-15));
  SurfaceProbe probe = probe_of(tree_of(one));
  const std::optional<RayHit> hit = *probe.first_hit({Vec3(1, 0, 0), Vec3(-1e-320, 0, 0)});
  REQUIRE(hit);
  CHECK(hit->at.cwiseAbs().maxCoeff() <= 1e-15);
}

TEST_CASE("rays in the plane of a triangle, and triangles without area, meet where they touch") {
  TriangleMesh one;
  one.vertices = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {1, 1, 3}, {5, 5, 5}};
  one.triangles = {{0, 1, 2}};
  SurfaceProbe sheet = probe_of(tree_of(one));
  const auto along = [](SurfaceProbe& probe, const Vec3& origin, const Vec3& direction) {
    const Result<std::optional<RayHit>> hit = probe.first_hit({origin, direction});
    REQUIRE(hit);
    return *hit ? (*hit)->along : -1;
  };
  CHECK(along(sheet, {-1, 1, 0}, {1, 0, 0}) == 1);  // edge on
  CHECK(along(sheet, {-1, 1, 0}, {-1, 0, 0}) == -1);
  CHECK(along(sheet, {1, 1, 0}, {1, 0, 0}) == 0);   // from within
  CHECK(along(sheet, {6, 0, 0}, {-1, 0, 0}) == 2);  // along an edge
  CHECK(along(sheet, {-1, 4, 0}, {1, 0, 0}) == 1);  // a corner
  CHECK(along(sheet, {-1, 4.5, 0}, {1, 0, 0}) == -1);
  CHECK(along(sheet, {-1, 1, 1e-300}, {1, 0, 0}) == -1);
  CHECK(along(sheet, {1, 1, 0}, {0, 0, 1}) == 0);   // begins on it
  CHECK(along(sheet, {1, 1, 1}, {0, 0, 1}) == -1);  // begins behind it
  one.triangles = {{3, 4, 4}, {5, 5, 5}};
  SurfaceProbe needle = probe_of(tree_of(one));
  CHECK(along(needle, {0, 0, 2}, {1, 1, 0}) == 1);
  CHECK(along(needle, {0, 0, 4}, {1, 1, 0}) == -1);
  CHECK(along(needle, {1, 1, 0}, {0, 0, 1}) == 1);
  CHECK(along(needle, {1, 1, 2}, {0, 0, 1}) == 0);
  CHECK(along(needle, {5, 5, 9}, {0, 0, -2}) == 2);
  CHECK(along(needle, {5, 5, 9}, {1e-9, 0, -2}) == -1);
}

// Along an axis nothing is rounded on the way: what a ray meets is the same from 4 to 2^40 sizes
// away, beside the body too.
TEST_CASE("rays from far away meet what rays from near by meet") {
  Random random(12);
  const MeshTree ring = tree_of(make_torus(0.7, 0.3, 40, 20));
  SurfaceProbe probe = probe_of(ring);
  int hits = 0, misses = 0;
  for (int round = 0; round < test::campaign(300); ++round) {
    const int axis = round % 3;
    const double side = round % 2 == 0 ? 1 : -1;
    Vec3 from = random_vector(random, 1.1);
    from[axis] = -4 * side;
    const Vec3 direction = side * Vec3::Unit(axis);
    const std::optional<RayHit> near = *probe.first_hit({from, direction});
    (near ? hits : misses) += 1;
    for (const int power : {3, 9, 10, 11, 12, 20, 40}) {
      CAPTURE(power);
      from[axis] = -std::ldexp(side, power);
      const std::optional<RayHit> far = *probe.first_hit({from, direction});
      REQUIRE(far.has_value() == near.has_value());
      if (!far) continue;
      CHECK(far->triangle == near->triangle);
      CHECK(far->from_behind == near->from_behind);
      CHECK(far->along == test::approx(near->along - 4 + std::ldexp(1, power)).epsilon(1e-15));
      CHECK(probe.first_hit({from, direction}, far->along)->has_value());
      CHECK(!probe.first_hit({from, direction}, std::nextafter(far->along, 0))->has_value());
      CHECK(!probe.first_hit({from, -direction})->has_value());
    }
  }
  CHECK(hits > 0);
  CHECK(misses > 0);
}

// 2^10 sizes are where boxes in float end and those in double begin.
TEST_CASE("points far away are as far from the nearest as rational numbers say") {
  Random random(13);
  const TriangleMesh ball = make_icosphere(0.8, 1);
  const MeshTree tree = tree_of(ball);
  SurfaceProbe probe = probe_of(tree);
  for (int round = 0; round < test::campaign(200); ++round) {
    const Vec3 point = std::ldexp(1.0, 5 + round % 9) * random_vector(random, 1);
    const TripleCorners<double> of_point = triple({point, point, point});
    std::optional<Rational> squared;
    for (std::size_t t = 0; t < ball.triangles.size(); ++t) {
      const Rational there = test::exact_squared_distance(of_point, triple(corners_of(ball, t)));
      if (!squared || there < *squared) squared = there;
    }
    const double expected = static_cast<double>(sqrt(Wide(*squared)));
    CHECK(probe.nearest(point)->distance == test::approx(expected).epsilon(1e-14));
  }
}

TEST_CASE("a limit cuts rays off, in lengths of the direction") {
  SurfaceProbe probe = probe_of(tree_of(make_box({2, 2, 2})));
  const Ray ray{Vec3(5, 0.25, 0.5), Vec3(-2, 0, 0)};
  CHECK((*probe.first_hit(ray))->along == 2);
  CHECK((*probe.first_hit(ray, 2))->along == 2);
  CHECK(!*probe.first_hit(ray, 1.999));
  CHECK(!*probe.first_hit({Vec3(5, 0.25, 0.5), Vec3(2, 0, 0)}));
  // Sizes of directions do not matter.
  for (const double size : {1e-300, 1e-20, 1e20, 1e299})
    CHECK((*probe.first_hit({ray.origin, size * ray.direction}))->along * size ==
          test::approx(2).epsilon(1e-14));
}

// Each triangle that is asked in whole numbers takes 0.1 ms: all of these would take 5 s and more.
TEST_CASE("a ray in the plane of many triangles asks few of them") {
  const double start = test::processor_seconds();
  SurfaceProbe fan = probe_of(tree_of(make_cone(1, 1, test::kAddressSanitizer ? 5000 : 50000)));
  CHECK((*fan.first_hit({Vec3(0, 0, 0), Vec3(1, 0.1, 0)}))->along == 0);
  TriangleMesh plate;
  constexpr std::uint32_t kSide = test::kAddressSanitizer ? 64 : 200;
  for (std::uint32_t i = 0; i <= kSide; ++i)
    for (std::uint32_t k = 0; k <= kSide; ++k) plate.vertices.emplace_back(i, k, 0);
  for (std::uint32_t i = 0; i < kSide; ++i)
    for (std::uint32_t k = 0; k < kSide; ++k) {
      const std::uint32_t v = i * (kSide + 1) + k;
      plate.triangles.push_back({v, v + kSide + 1, v + kSide + 2});
      plate.triangles.push_back({v, v + kSide + 2, v + 1});
    }
  SurfaceProbe flat = probe_of(tree_of(plate));
  CHECK((*flat.first_hit({Vec3(-8, 50.25, 0), Vec3(1, 0, 0)}))->along == 8);
  CHECK((*flat.first_hit({Vec3(-0x1p40, 50.25, 0), Vec3(1, 0, 0)}))->along == 0x1p40);
  if (test::kTimed) CHECK(test::processor_seconds() - start <= 2);
}

// ---- winding numbers, batches, what is refused

TEST_CASE("winding numbers are 1 inside, 0 outside, and 2 where two bodies are one mesh") {
  TriangleMesh two = make_box({2, 2, 2});
  const TriangleMesh other = make_box({1, 1, 1});
  const auto first = static_cast<std::uint32_t>(two.vertices.size());
  two.vertices.insert(two.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const Triangle& t : other.triangles)
    two.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  SurfaceProbe probe = probe_of(tree_of(two));
  CHECK(*probe.winding_number(Vec3(0, 0, 0)) == 2);
  CHECK(*probe.winding_number(Vec3(0.75, 0, 0)) == 1);
  CHECK(*probe.winding_number(Vec3(1.5, 0, 0)) == 0);
}

TEST_CASE("many questions at once, by three threads, have the answers of one after the other") {
  Random random(4);
  const MeshTree knot = tree_of(make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8));
  const Similarity pose = test::random_similarity(random, 1, 2);
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  for (int i = 0; i < 700; ++i) {
    points.push_back(pose * random_vector(random, 1.5));
    rays.push_back({pose * random_vector(random, 1.5), random_vector(random, 1)});
  }
  std::vector<NearestOnSurface> nearest;
  std::vector<std::optional<RayHit>> hits;
  std::vector<int> windings;
  with_threads(3, [&] {
    nearest = nearest_on_surface(knot, pose, points, 1.0).value();
    hits = first_hits(knot, pose, rays).value();
    windings = winding_numbers(knot, pose, points).value();
  });
  SurfaceProbe probe = probe_of(knot, pose);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const NearestOnSurface one = *probe.nearest(points[i], 1.0);
    CHECK(one.distance == nearest[i].distance);
    CHECK(one.lower == nearest[i].lower);
    CHECK(one.at.has_value() == nearest[i].at.has_value());
    const std::optional<RayHit> hit = *probe.first_hit(rays[i]);
    REQUIRE(hit.has_value() == hits[i].has_value());
    if (hit) {
      CHECK(hit->along == hits[i]->along);
      CHECK(hit->triangle == hits[i]->triangle);
    }
    CHECK(*probe.winding_number(points[i]) == windings[i]);
  }
}

// Of a box, points of a lattice are as near to two, three or all twelve triangles, and in each
// others' reach; those of the knot are in no order.
TEST_CASE("what was asked before changes no answer") {
  Random random(9);
  std::vector<Vec3> lattice, scattered;
  for (int x = -6; x <= 6; ++x)
    for (int y = -6; y <= 6; ++y)
      for (int z = -6; z <= 6; ++z) lattice.push_back(Vec3(x, y, z) / 4);
  for (int i = 0; i < 300; ++i) scattered.push_back(random_vector(random, 1.5));
  const MeshTree box = tree_of(make_box({2, 2, 2})),
                 knot = tree_of(make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8));
  for (const auto& [tree, points] : {std::pair(&box, &lattice), {&knot, &scattered}}) {
    SurfaceProbe asked = probe_of(*tree);
    std::size_t different = 0;
    for (const Vec3& point : *points) {
      SurfaceProbe fresh = probe_of(*tree);
      const SignedDistance now = *fresh.signed_distance(point),
                           then = *asked.signed_distance(point);
      different += now.distance != then.distance || now.nearest.lower != then.nearest.lower ||
                   now.nearest.upper != then.nearest.upper ||
                   now.nearest.at->triangle != then.nearest.at->triangle ||
                   now.nearest.at->at != then.nearest.at->at;
      const double farthest = random.uniform(0, 1);
      const NearestOnSurface near = *probe_of(*tree).nearest(point, farthest),
                             again = *asked.nearest(point, farthest);
      different += near.at.has_value() != again.at.has_value() || near.lower != again.lower;
      const Ray ray{point, random_vector(random, 1)};
      const std::optional<RayHit> hit = *probe_of(*tree).first_hit(ray),
                                  other = *asked.first_hit(ray);
      different += hit.has_value() != other.has_value() ||
                   (hit && (hit->along != other->along || hit->triangle != other->triangle));
      // By the winding number in doubles, which remembers nothing.
      if (now.distance != 0)
        different += (winding_number({&triangles_of(*tree), Similarity::Identity()}, point) != 0) !=
                     (then.distance < 0);
    }
    CHECK(different == 0);
  }
}

TEST_CASE("the first question that is refused is named, in whatever order they are asked") {
  const MeshTree box = tree_of(make_box({2, 2, 2}));
  std::vector<Ray> rays(3000);
  for (const int step : {1, -1}) {
    for (int i = 0; i < 3000; ++i) rays[i] = {Vec3(step * i, 0, 0), Vec3::UnitZ()};
    rays[40].direction.setZero();
    rays[2900].direction.setZero();
    CHECK(first_hits(box, Similarity::Identity(), rays).error().where == "rays[40].direction");
  }
  rays[40].direction = Vec3::UnitZ();
  CHECK(first_hits(box, Similarity::Identity(), rays).error().where == "rays[2900].direction");
}

TEST_CASE("what cannot be asked is refused, and an empty surface is nowhere") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MeshTree box = tree_of(make_box({2, 2, 2})), none = tree_of(TriangleMesh());
  Similarity bad = Similarity::Identity();
  bad(1, 1) = 3;
  CHECK(SurfaceProbe::of(box, bad).error().where == "world_from_mesh");
  SurfaceProbe probe = probe_of(box);
  for (const Vec3& point : {Vec3(nan, 0, 0), Vec3(0, kInfinite, 0), Vec3(0, 0, 1e301)}) {
    CHECK(probe.nearest(point).error().where == "point");
    CHECK(probe.winding_number(point).error().where == "point");
    CHECK(probe.first_hit({point, Vec3(1, 0, 0)}).error().where == "origin");
    CHECK(probe.first_hit({Vec3(0, 0, 0), point}).error().where == "direction");
  }
  CHECK(probe.first_hit({Vec3(0, 0, 0), Vec3(0, 0, 0)}).error().where == "direction");
  for (const double farthest : {nan, -1.0}) {
    CHECK(probe.nearest(Vec3(0, 0, 0), farthest).error().where == "farthest");
    CHECK(probe.first_hit({Vec3(0, 0, 0), Vec3(1, 0, 0)}, farthest).error().where == "farthest");
  }
  const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(nan, 0, 0)};
  CHECK(nearest_on_surface(box, Similarity::Identity(), points).error().where == "points[1].point");
  CHECK(nearest_on_surface(box, bad, points).error().where == "world_from_mesh");
  SurfaceProbe nowhere = probe_of(none);
  CHECK(nowhere.nearest(Vec3(0, 0, 0))->distance == kInfinite);
  CHECK(nowhere.nearest(Vec3(0, 0, 0))->lower == kInfinite);
  CHECK(!*nowhere.first_hit({Vec3(0, 0, 0), Vec3(1, 0, 0)}));
  CHECK(*nowhere.winding_number(Vec3(0, 0, 0)) == 0);
}

}  // namespace
}  // namespace plimsoll
