// Mass properties where exponents, poses and thin walls make the terms differ most.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "patch/patch_shapes.h"
#include "solid/exact_oracle.h"
#include "solid/framed_moments.h"
#include "solid/moment_sums.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/hard_bodies.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

// Powers of two are exact, whatever the frame that the sums are taken in: beyond 2^127 and below
// 2^-128 it is another. A mass of 2^210 is that of a cube of 2^70.
TEST_CASE("a body that is larger by a power of two weighs more by its cube to the last bit") {
  Random random(91);
  const TriangleMesh body = test::random_shape(random);
  const MassProperties unit = mass_properties(test::checked(body));
  for (const int k : {-190, -130, -129, -128, -127, -70, -1, 70, 126, 127, 128, 190}) {
    CAPTURE(k);
    TriangleMesh scaled = body;
    for (Vec3& v : scaled.vertices) v *= std::ldexp(1, k);
    const MassProperties found = mass_properties(test::checked(scaled));
    CHECK(found.volume == std::ldexp(unit.volume, 3 * k));
    CHECK(found.mass == std::ldexp(unit.mass, 3 * k));
    CHECK(found.center_of_mass == unit.center_of_mass * std::ldexp(1, k));
    for (int i = 0; i < 9; ++i) CHECK(found.inertia(i) == std::ldexp(unit.inertia(i), 5 * k));
    const MassProperties given =
        mass_properties(test::checked(scaled), test::with_mass(std::ldexp(unit.mass, 3 * k)));
    CHECK(std::abs(given.density - 1) <= 1e-15);
    CHECK((given.inertia - found.inertia).cwiseAbs().maxCoeff() <= 2 * given.error_bound.inertia);
  }
}

// Squares of the thinnest sides are below the least double: what they lose is in the bound.
TEST_CASE("bodies thinner than the root of the least double have bounds that hold") {
  Random random(92);
  for (int i = 0; i < 200; ++i) {
    const bool is_long = i % 4 == 0;  // what an area loses counts times the length
    const double thinnest = i % 2 == 0 ? -165 : -120, thickest = is_long ? -140 : 0;
    const Vec3 size(is_long ? 1e38 : 1, std::pow(10.0, random.uniform(thinnest, thickest)),
                    std::pow(10.0, random.uniform(thinnest, thickest)));
    TriangleMesh mesh;
    for (int k = 0; k < 4; ++k)
      mesh.vertices.push_back(test::random_vector(random).cwiseProduct(size));
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const test::ExactProperties exact = test::exact_properties(mesh);
    if (exact.volume == 0) continue;
    for (const Precision precision : {Precision::kTight, Precision::kFast}) {
      const MassProperties found =
          mass_properties(test::checked(mesh), test::with_precision(precision));
      const MassError error = test::true_error(found, exact);
      CHECK(error.volume <= found.error_bound.volume);
      CHECK(error.center_of_mass <= found.error_bound.center_of_mass);
      CHECK(error.inertia <= found.error_bound.inertia);
    }
  }
}

TEST_CASE("the bound of a closed form holds what its roundings cost") {
  Random random(93);
  constexpr long double kPi = std::numbers::pi_v<long double>;
  for (int i = 0; i < 500; ++i) {
    const double r = random.uniform(0.5, 1), h = random.uniform(0.5, 2), R = r + h;
    const auto holds = [](const Shape& shape, long double volume, long double moment) {
      const Result<ShapeMass> found = mass_properties(shape);
      REQUIRE(found);
      const WeighedBody& body = found->body;
      CHECK(std::abs(body.properties.volume - volume) <= body.error.volume);
      CHECK(std::abs(body.properties.inertia(2, 2) - moment) <= body.error.inertia);
    };
    const long double a = r, b = h, c = R;
    holds({Sphere{r}}, 4 * kPi / 3 * a * a * a, 8 * kPi / 15 * a * a * a * a * a);
    holds({Cylinder{r, h}}, kPi * a * a * b, kPi / 2 * a * a * a * a * b);
    holds({Cone{r, h}}, kPi / 3 * a * a * b, kPi / 10 * a * a * a * a * b);
    holds({Torus{R, r}}, 2 * kPi * kPi * c * a * a,
          2 * kPi * kPi * c * a * a * (c * c + 0.75L * a * a));
  }
}

struct Measured {
  Shape shape;
  long double volume;  // whose exponent has room for products of three doubles
};

/// Primitives whose lengths have nothing to do with each other.
std::vector<Measured> uneven_primitives(Random& random) {
  const auto length = [&] { return std::pow(10, random.uniform(-250, 250)); };
  constexpr long double kPi = std::numbers::pi_v<long double>;
  const double x = length(), y = length(), z = length();
  const long double a = x, b = y, c = z, larger = std::max(x, y), smaller = std::min(x, y);
  return {{{BoxSolid{{x, y, z}}}, a * b * c},
          {{MeshSolid{std::make_shared<const TriangleMesh>(make_box({x, y, z}))}}, a * b * c},
          {{Ellipsoid{{x, y, z}}}, 4 * kPi / 3 * a * b * c},
          {{Cylinder{x, y}}, kPi * a * a * b},
          {{Cone{x, y}}, kPi / 3 * a * a * b},
          {{Capsule{x, y}}, kPi * a * a * b + 4 * kPi / 3 * a * a * a},
          {{Torus{std::max(x, y), std::min(x, y)}}, 2 * kPi * kPi * larger * smaller * smaller}};
}

// Over the cube of the longest length, or of the radius of gyration, such a volume is no double.
TEST_CASE("a volume that is a number is measured, whatever the lengths of the body") {
  Random random(96);
  int numbers = 0;
  for (int i = 0; i < 60; ++i)
    for (const Measured& body : uneven_primitives(random)) {
      CAPTURE(i);
      CAPTURE(body.shape.solid.index());
      const Result<ShapeMass> found = mass_properties(body.shape);
      REQUIRE(found);
      const MassProperties& p = found->body.properties;
      if (body.volume > std::numeric_limits<double>::max()) {
        CHECK(p.volume == std::numeric_limits<double>::infinity());
        continue;
      }
      CHECK(std::abs(p.volume - body.volume) <= 2e-19L * body.volume + found->body.error.volume);
      if (body.volume < std::numeric_limits<double>::min()) continue;
      ++numbers;
      CHECK(std::abs(p.volume / body.volume - 1) <= 64 * 0x1p-53);
      const Result<ShapeMass> given = mass_properties(body.shape, {.mass = 3});
      const bool is_dense = 3 / body.volume > std::numeric_limits<double>::max();
      if (!is_dense) CHECK(given->body.properties.density * body.volume == test::approx(3));
      if (const auto* mesh = std::get_if<MeshSolid>(&body.shape.solid)) {
        const CheckedMesh checked = test::checked(*mesh->mesh);
        CHECK(examine(checked).status == MeshStatus::kOk);
        const AssemblyPart parts[] = {{checked, {}}};
        CHECK(assembly_mass_properties(parts).total.volume == p.volume);
      }
    }
  CHECK(numbers > 50);
}

/// A plate of edges 1 whose corners lie a little higher or lower, so that each is rounded its way.
TriangleMesh uneven_plate(Random& random, double thickness) {
  TriangleMesh plate = make_box({1, 1, thickness});
  for (std::size_t corner = 0; corner < 4; ++corner) {
    const double lift = random.uniform(0, 0.1);
    for (const std::size_t v : {corner, corner + 4}) plate.vertices[v][2] += lift;
  }
  return plate;
}

// Moved a thousand kilometers away the corners are rounded to 1e-10, which is much for a wall of
// 1e-7. Before, the numbers are known to 1e-16.
TEST_CASE("what a pose rounds away is in the bound") {
  Random random(94);
  for (int i = 0; i < 200; ++i) {
    const double thickness = i % 2 == 0 ? 1 : 1e-7;
    const auto mesh = std::make_shared<const TriangleMesh>(uneven_plate(random, thickness));
    Shape shape{MeshSolid{mesh}};
    shape.pose.translation() = 1e6 * test::random_vector(random);
    const Result<ShapeMass> found = mass_properties(shape);
    REQUIRE(found);
    const MassProperties at_home = mass_properties(test::checked(*mesh));
    const WeighedBody& body = found->body;
    CHECK(std::abs(body.properties.volume - at_home.volume) <= body.error.volume);
    const Vec3 center = at_home.center_of_mass + shape.pose.translation();
    CHECK((body.properties.center_of_mass - center).cwiseAbs().maxCoeff() <=
          body.error.center_of_mass);
    CHECK((body.properties.inertia - at_home.inertia).cwiseAbs().maxCoeff() <= body.error.inertia);
  }
}

TEST_CASE("a body of patches far away has a center that is known as well as its place") {
  Random random(95);
  PatchSurface beside = test::patches_of(test::nurbs_sphere(1));
  const Vec3 middle(0.1, 0.2, 0.3);
  for (BezierPatch& patch : beside.patches)
    for (WeightedPoint& point : patch.points) point.head<3>() += middle;
  const auto surface = std::make_shared<const PatchSurface>(beside);
  using Long3 = Eigen::Matrix<long double, 3, 1>;
  for (int i = 0; i < 50; ++i) {
    Shape ball{PatchSolid{surface}};
    ball.pose.linear() =
        Eigen::AngleAxisd(random.uniform(0, 3), test::random_vector(random).normalized()).matrix();
    ball.pose.translation() = 1e6 * test::random_vector(random);
    const Long3 center = ball.pose.linear().cast<long double>() * middle.cast<long double>() +
                         ball.pose.translation().cast<long double>();
    const Result<ShapeMass> found = mass_properties(ball);
    REQUIRE(found);
    const Long3 off = found->body.properties.center_of_mass.cast<long double>() - center;
    CHECK(off.cwiseAbs().maxCoeff() <= found->body.error.center_of_mass);
  }
}

TEST_CASE("triangles that cancel change no bit of sums without rounding") {
  Random random(93);
  for (int i = 0; i < 20; ++i) {
    TriangleMesh soup;
    for (int v = 0; v < 30; ++v) soup.vertices.push_back(test::random_vector(random));
    const auto vertex = [&] { return static_cast<std::uint32_t>(random.below(30)); };
    for (int t = 0; t < 20; ++t) soup.triangles.push_back({vertex(), vertex(), vertex()});
    TriangleMesh more = soup;
    for (int t = 0; t < 40; ++t) {
      const Triangle v{vertex(), vertex(), vertex()};
      more.triangles.push_back(v);
      more.triangles.insert(more.triangles.begin(), {v[1], v[0], v[2]});
    }
    for (int t = 0; t < 3; ++t) {  // three the one way and two the other
      more.triangles.push_back(soup.triangles[0]);
      const auto [a, b, c] = soup.triangles[0];
      more.triangles.push_back({b, a, c});
    }
    const auto expected = sum_moments_exactly(soup, soup.vertices[0]);
    const auto found = sum_moments_exactly(more, soup.vertices[0]);
    REQUIRE(expected.has_value());
    REQUIRE(found.has_value());
    CHECK(found->center == expected->center);
    CHECK(found->exponent == expected->exponent);
    const auto check_same = [](const Ball& a, const Ball& b) {
      CHECK(a.hi == b.hi);
      CHECK(a.lo == b.lo);
      CHECK(a.rad == b.rad);
    };
    check_same(found->moments.volume, expected->moments.volume);
    for (int k = 0; k < 3; ++k) check_same(found->moments.first[k], expected->moments.first[k]);
    for (int k = 0; k < 6; ++k) check_same(found->moments.second[k], expected->moments.second[k]);
  }
}

// What takes microseconds for a triangle where double-double takes nanoseconds.
TEST_CASE("integers sum each triangle of a thin plate, and none of a thicker one or of copies") {
  const auto summed = [](const TriangleMesh& mesh) {
    const TriangleMesh turned = test::askew(mesh);
    return central_moments(turned, Precision::kTight).exact_triangles;
  };
  for (const std::uint32_t m : {8u, 16u}) {
    const auto plate = [&](double thickness) { return test::grid_box({1, 1, thickness}, m, m, 1); };
    const TriangleMesh thin = plate(1e-13);
    CHECK(summed(thin) == thin.triangles.size());
    CHECK(summed(plate(1e-6)) == 0);
    CHECK(summed(make_bumpy_sphere(1, 0.05, static_cast<int>(m), static_cast<int>(2 * m))) == 0);
    // Sheets that lie on their copies cancel, whatever lies beside them.
    TriangleMesh beside = test::doubled_sheet(20 * m, 7);
    CHECK(summed(beside) == 0);
    const auto first = static_cast<std::uint32_t>(beside.vertices.size());
    beside.vertices.insert(beside.vertices.end(), thin.vertices.begin(), thin.vertices.end());
    for (const Triangle& t : thin.triangles)
      beside.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    CHECK(summed(beside) == thin.triangles.size());
  }
}

}  // namespace
}  // namespace plimsoll
