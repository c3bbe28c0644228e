// Packings of solids that need not be meshes.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/patches.h>
#include <plimsoll/sphere_packing.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "columns/column_checks.h"
#include "spheres/lattice_packing.h"
#include "spheres/shapes.h"
#include "spheres/solids.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

SpherePacking pack(const Shape& shape, std::size_t resolution, const PackingOptions& options = {}) {
  Result<SpherePacking> packing = pack_spheres_on_lattice(shape, resolution, options);
  REQUIRE_MESSAGE(packing, packing.error().where, " ", packing.error().message);
  return *std::move(packing);
}

void check_apart(const std::vector<PlacedSphere>& spheres) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (i > 0) CHECK(spheres[i].radius <= spheres[i - 1].radius);
    for (std::size_t k = 0; k < i; ++k)
      CHECK((spheres[i].center - spheres[k].center).norm() >=
            (spheres[i].radius + spheres[k].radius) * (1 - 1e-15));
  }
}

/// The columns' oracle: crossings of the surface are found along lines, and each chord of a sphere
/// lies between two of them.
void check_within(const std::vector<PlacedSphere>& spheres, const Shape& shape, Random& random,
                  double flatness = 0) {
  const Columns columns = test::columns_of(shape, static_cast<int>(random.below(3)));
  const int axis = columns.axis(), u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (const PlacedSphere& sphere : spheres)
    for (int i = 0; i < 6; ++i) {
      const double radius = sphere.radius - flatness;
      const double away = radius * std::sqrt(random.uniform(0, 0.98));
      const double angle = random.uniform(0, 2 * std::numbers::pi);
      const double half = std::sqrt(radius * radius - away * away) * (1 - 1e-9);
      if (!(radius > 0)) continue;
      const double depth = sphere.center[axis];
      const std::vector<Span> spans =
          test::spans_at(columns, sphere.center[u] + away * std::cos(angle),
                         sphere.center[v] + away * std::sin(angle));
      CHECK(std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
        return span.enter <= depth - half && depth + half <= span.leave;
      }));
    }
}

/// The largest sphere that fits, in the primitive's own units.
double largest_radius(const Shape& shape) {
  if (const auto* s = std::get_if<BoxSolid>(&shape.solid)) return s->size.minCoeff() / 2;
  if (const auto* s = std::get_if<Sphere>(&shape.solid)) return s->radius;
  if (const auto* s = std::get_if<Ellipsoid>(&shape.solid)) return s->radii.minCoeff();
  if (const auto* s = std::get_if<Torus>(&shape.solid)) return s->minor;
  if (const auto* s = std::get_if<Cylinder>(&shape.solid))
    return std::min(s->radius, s->height / 2);
  if (const auto* s = std::get_if<Capsule>(&shape.solid)) return s->radius;
  const auto& cone = std::get<Cone>(shape.solid);
  return cone.radius * cone.height / (cone.radius + std::hypot(cone.radius, cone.height));
}

TEST_CASE("spheres in primitives lie inside, do not overlap and begin with the largest") {
  Random random(1);
  const int rounds = std::max(test::kPrimitiveKinds, test::campaign(280));
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Shape shape = test::random_primitive(random, round % test::kPrimitiveKinds);
    const std::size_t resolution = 12 + random.below(test::kAddressSanitizer ? 1 : 12);
    const SpherePacking packing = pack(shape, resolution, {.max_count = 150});
    check_apart(packing.spheres);
    // No point is farther from a cube's center than half its diagonal.
    const double scale = std::cbrt(shape.pose.linear().determinant());
    const double largest = scale * largest_radius(shape);
    const double diagonal =
        std::sqrt(3) * bounding_box(shape).sizes().maxCoeff() / static_cast<double>(resolution);
    const double first = packing.spheres.empty() ? 0 : packing.spheres[0].radius;
    CHECK(first <= largest * (1 + 1e-12));
    CHECK(first >= largest - diagonal / 2 - 1e-12);
    for (const PlacedSphere& sphere : packing.spheres)
      for (int i = 0; i < 30; ++i) {
        const Vec3 p = sphere.center + sphere.radius * test::random_direction(random);
        CHECK(test::outside(shape, p) <= 1e-14);
      }
    check_within(packing.spheres, shape, random);
  }
}

// An odd number of cubes: the middle of a symmetric body is the center of one.
TEST_CASE("the first sphere is the one that fits, and finer lattices fill more" *
          doctest::skip(test::kAddressSanitizer)) {
  const double inscribed = 2 / (1 + std::sqrt(5));
  const std::pair<Shape, double> cases[] = {
      {{BoxSolid{{1, 2, 3}}}, 0.5}, {{Sphere{1}}, 1},         {{Ellipsoid{{1, 2, 0.5}}}, 0.5},
      {{Torus{1, 0.4}}, 0.4},       {{Cylinder{1, 3}}, 1},    {{Cylinder{2, 1}}, 0.5},
      {{Capsule{0.5, 2}}, 0.5},     {{Cone{1, 2}}, inscribed}};
  for (const auto& [shape, largest] : cases) {
    CAPTURE(shape.solid.index());
    const double coarse = pack(shape, 8).coverage, fine = pack(shape, 40).coverage;
    CHECK(coarse > 0.1);
    CHECK(fine > coarse + 0.1);
    CHECK(fine < 1);
    const double first = pack(shape, 39, {.max_count = 1}).spheres.at(0).radius;
    CHECK(first <= largest);
    CHECK(first >= 0.92 * largest);
  }
}

TEST_CASE("spheres in Booleans lie inside and do not overlap") {
  Random random(2);
  int spheres = 0;
  for (int round = 0; round < test::campaign(100); ++round) {
    CAPTURE(round);
    const Shape shape = test::random_boolean(random, 2);
    const Result<SpherePacking> packing =
        pack_spheres_on_lattice(shape, test::kAddressSanitizer ? 10 : 15, {.max_count = 60});
    if (!packing) {
      CHECK(packing.error().code == ErrorCode::kInvalidArgument);  // empty
      continue;
    }
    check_apart(packing->spheres);
    check_within(packing->spheres, shape, random);
    spheres += static_cast<int>(packing->spheres.size());
    for (const PlacedSphere& sphere : packing->spheres)
      for (int i = 0; i < 20; ++i)
        CHECK(test::holds(
            shape, sphere.center + (1 - 1e-9) * sphere.radius * test::random_direction(random)));
  }
  CHECK(spheres > 100);
}

TEST_CASE("a napkin ring holds the spheres between its walls, a hollow box those in its walls" *
          doctest::skip(test::kAddressSanitizer)) {
  const SpherePacking ring =
      pack(test::difference({{Sphere{1}}, {Cylinder{0.5, 3}}}), 39, {.max_count = 400});
  CHECK(ring.spheres[0].radius <= 0.25);
  CHECK(ring.spheres[0].radius >= 0.24);
  const double height = 2 * std::sqrt(0.75);
  CHECK(ring.solid_volume ==
        test::approx(std::numbers::pi / 6 * height * height * height).epsilon(1e-5));
  // The middle of an edge is as far from the ball as from the faces beside it: r = sqrt(2) (1 - r)
  // - 0.9, at a corner sqrt(3) (1 - r) - 0.9.
  const SpherePacking walls = pack(test::difference({{BoxSolid{{2, 2, 2}}}, {Sphere{0.9}}}), 65);
  const double at_corner = (std::sqrt(3) - 0.9) / (1 + std::sqrt(3));
  for (int i = 0; i < 8; ++i) {
    CHECK(walls.spheres[i].radius <= at_corner);
    CHECK(walls.spheres[i].radius >= 0.9 * at_corner);
    CHECK(walls.spheres[i].center.cwiseAbs().minCoeff() > 0.6);
  }
}

TEST_CASE("formulas and unions are packed like what they stand for") {
  Random random(3);
  const Box3 bounds(Vec3(-1.4, -1.4, -1.4), Vec3(1.4, 1.4, 1.4));
  const auto formula = [&](const char* text) {
    return Shape{ImplicitSolid{*Expression::parse(text), bounds}};
  };
  const Shape left{BoxSolid{{2, 1, 1}}};
  constexpr std::size_t kResolution = test::kAddressSanitizer ? 13 : 31;
  const std::pair<Shape, double> cases[] = {
      {formula("x^2+y^2+z^2-1"), 1},
      {formula("(sqrt(x^2+y^2)-1)^2+z^2-0.09"), 0.3},
      {test::united({left, test::moved(left, {0.6, 0, 0})}), 0.5}};
  for (const auto& [shape, largest] : cases) {
    const SpherePacking packing = pack(shape, kResolution, {.max_count = 300});
    const double edge = bounding_box(shape).sizes().maxCoeff() / kResolution;
    check_apart(packing.spheres);
    check_within(packing.spheres, shape, random);
    const double first = packing.spheres.at(0).radius;
    CHECK(first <= largest);
    // Cells an eighth of a cube wide, of which interval arithmetic gives some away.
    CHECK(first >= largest - (std::sqrt(3) / 2 + 2 * std::sqrt(3) / 8) * edge);
  }
  if (test::kAddressSanitizer) return;
  const SpherePacking ball = pack(cases[0].first, kResolution, {.max_count = 1});
  CHECK(ball.spheres[0].radius >= 0.97);
  CHECK(ball.solid_volume == test::approx(4 * std::numbers::pi / 3).epsilon(1e-5));
}

TEST_CASE("meshes are packed as by themselves, and patches") {
  Random random(4);
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 7, 9, 3);
  const Shape shape{MeshSolid{std::make_shared<const TriangleMesh>(mesh)}};
  const Result<SpherePacking> expected = pack_spheres_on_lattice(test::closed(mesh), 14);
  REQUIRE(expected);
  const SpherePacking found = pack(shape, 14);
  CHECK(found.solid_volume == test::approx(expected->solid_volume).epsilon(1e-14));
  // Cubes count that the surface may touch.
  CHECK(found.largest_protrusion >= expected->largest_protrusion * (1 - 1e-9));
  CHECK(found.largest_protrusion <= expected->largest_protrusion + std::sqrt(3) * 2.6 / 14);
  REQUIRE(found.spheres.size() == expected->spheres.size());
  for (std::size_t i = 0; i < found.spheres.size(); ++i)
    CHECK(std::abs(found.spheres[i].radius - expected->spheres[i].radius) <= 1e-9);  // errors grow
  const Shape pot{PatchSolid{std::make_shared<const PatchSurface>(closed_teapot())}};
  const SpherePacking in_pot = pack(pot, 25, {.max_count = 100});
  CHECK(in_pot.spheres[0].radius > 1);
  check_apart(in_pot.spheres);
  check_within(in_pot.spheres, pot, random, 1e-3);  // columns meet triangles that near
}

TEST_CASE("depths taken late, or by any number of threads, make the same spheres of a shape") {
  Random random(5);
  for (int round = 0; round < test::campaign(40); ++round) {
    CAPTURE(round);
    const Shape shape = round % 2 == 0
                            ? test::random_boolean(random, test::kAddressSanitizer ? 1 : 2)
                            : test::as_formula(test::random_primitive(random, 1 + round / 2 % 3));
    const std::size_t resolution = test::kAddressSanitizer ? 6 : 11;
    const Result<SpherePacking> early =
        pack_on_lattice(shape, resolution, {}, DistancesTaken::kEarly);
    if (!early) continue;
    for (const int threads : {1, 8})
      with_threads(threads, [&] {
        const SpherePacking late = pack(shape, resolution);
        REQUIRE(late.spheres.size() == early->spheres.size());
        for (std::size_t i = 0; i < late.spheres.size(); ++i) {
          CHECK(late.spheres[i].center == early->spheres[i].center);
          CHECK(late.spheres[i].radius == early->spheres[i].radius);
        }
        CHECK(late.largest_protrusion == early->largest_protrusion);
      });
  }
}

TEST_CASE("no point of a shape is farther from the spheres than is said") {
  Random random(6);
  for (int round = 0; round < test::campaign(40); ++round) {
    CAPTURE(round);
    const Shape shape = test::random_boolean(random, 2);
    const Result<SpherePacking> packing = pack_spheres_on_lattice(shape, 12);
    if (!packing || packing->spheres.empty()) continue;
    const Box3 box = bounding_box(shape);
    double farthest = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 share = test::random_point(random, 0.5) + Vec3::Constant(0.5);
      const Vec3 p = box.min() + share.cwiseProduct(box.sizes());
      if (!test::holds(shape, p)) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const PlacedSphere& sphere : packing->spheres)
        nearest = std::min(nearest, (p - sphere.center).norm() - sphere.radius);
      farthest = std::max(farthest, nearest);
    }
    CHECK(farthest <= packing->largest_protrusion);
  }
}

TEST_CASE("what is no solid is refused by name") {
  const auto refused = [](const Shape& shape, ErrorCode code, const char* where,
                          const char* message) {
    const Result<SpherePacking> packing = pack_spheres_on_lattice(shape, 8);
    REQUIRE(!packing);
    CHECK(packing.error().code == code);
    CHECK(packing.error().where == where);
    CHECK_MESSAGE(packing.error().message.find(message) != std::string::npos,
                  packing.error().message);
  };
  const ErrorCode unusable = ErrorCode::kInvalidArgument;
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Expression ball = *Expression::parse("x^2+y^2+z^2-1");
  const Box3 bounds(Vec3(-1, -1, -1), Vec3(1, 1, 1));
  refused({Sphere{nan}}, unusable, "radius", "found");
  refused({ImplicitSolid{ball, Box3(Vec3(-inf, -1, -1), Vec3(1, 1, 1))}}, unusable, "bounds",
          "finite");
  refused({ImplicitSolid{*Expression::parse("1"), bounds}}, unusable, "shape", "volume 0");
  const Shape far = test::moved({Sphere{1}}, {5, 0, 0});
  refused(test::boolean(BooleanOperation::kIntersection, {{Sphere{1}}, far}), unusable, "shape",
          "empty");
  refused(test::difference({{Sphere{1}}, {Sphere{2}}}), unusable, "shape", "volume 0");
  refused({Sphere{1e200}}, unusable, "shape", "beyond 1.8e308");
  refused({PatchSolid{std::make_shared<const PatchSurface>(teapot())}}, ErrorCode::kNotClosed, "",
          "closed");
  CHECK(pack_spheres_on_lattice(Shape{Sphere{1}}, 0).error().where == "resolution");
  CHECK(pack_spheres_on_lattice(Shape{Sphere{1}}, 4, {.coverage = -1}).error().where == "coverage");
}

}  // namespace
}  // namespace plimsoll
