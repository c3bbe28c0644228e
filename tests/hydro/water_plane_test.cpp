// Planes brought into the frames of bodies, against rational arithmetic.
#include "hydro/water_plane.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

Rational dot(const Vec3& a, const Vec3& b) {
  Rational sum = 0;
  for (int i = 0; i < 3; ++i) sum += Rational(a[i]) * Rational(b[i]);
  return sum;
}

int exponent(Random& random, int count) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(count)));
}

double random_sign(Random& random) { return random.below(2) == 0 ? -1 : 1; }

/// A rotation up to rounding, and away from it by up to 1e-9.
Mat3 nearly_a_turn(Random& random) {
  Mat3 turn = test::random_turn(random);
  for (double& entry : turn.reshaped()) entry += 1e-9 * random.uniform(-1, 1);
  return turn;
}

SimilarityParts random_parts(Random& random, double reach, double scale) {
  SimilarityParts parts;
  parts.rotation = nearly_a_turn(random);
  parts.scale = scale;
  parts.translation = reach * test::random_vector(random);
  return parts;
}

// Along an axis the rows of L are the normal in the body, without rounding. The bodies are as far
// from the origin of the world, and solids from that of their body, as cancels up to 1e-17 of it:
// with rounded products the levels would be off by 1e-10.
TEST_CASE("level water is over a body, however far, at the height that fractions give") {
  Random random(7);
  for (int i = 0; i < test::campaign(5000); ++i) {
    const double far = std::pow(10.0, random.uniform(0, 7));
    const Mat3 linear = nearly_a_turn(random);
    const Vec3 translation = far * test::random_vector(random);
    const SimilarityParts own = random_parts(random, far, 1);
    const int axis = static_cast<int>(random.below(3));
    const double sign = random_sign(random), length = std::ldexp(1.0, exponent(random, 9));
    const Vec3 unit = sign * Vec3::Unit(axis);
    const Vec3 in_body = sign * linear.row(axis);
    const Rational height = dot(unit, translation) + dot(in_body, own.translation);
    const double level = static_cast<double>(height) +
                         far * std::ldexp(random.uniform(-1, 1), -exponent(random, 60));
    const WaterPlane found =
        plane_in_body({length * unit, length * level}, linear, translation, own);
    const Rational exact = level - height;
    CAPTURE(i);
    CHECK(abs(found.offset - exact) <= abs(exact) * Rational(0x1p-52));
    CHECK((found.normal - own.rotation.transpose() * in_body).norm() <= 1e-15);
  }
}

// Heights of points over the plane are the same in the world and in the body, for any normal, any
// scale, and matrices that are no rotations. The normal is rounded by some units in its last place,
// which counts as much as the point, and the solid in its body, are away from the origin.
TEST_CASE("a point of a body is as high over the plane as the same point of the world") {
  Random random(11);
  for (int i = 0; i < test::campaign(5000); ++i) {
    const double far = std::pow(10.0, random.uniform(-2, 6));
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Mat3 linear = nearly_a_turn(random);
    const Vec3 translation = far * test::random_vector(random);
    const SimilarityParts own = random_parts(random, far, scale);
    WaterPlane water{test::random_vector(random), 0};
    water.normal *= std::pow(10.0, random.uniform(-200, 200));
    const double length = water.normal.stableNorm();
    water.offset = length * far * random.uniform(-3, 3);
    const WaterPlane found = plane_in_body(water, linear, translation, own);
    const Vec3 y = test::random_vector(random);
    Rational in_world = dot(water.normal, translation) - water.offset;
    for (int row = 0; row < 3; ++row) {
      Rational sum = 0;
      for (int k = 0; k < 3; ++k) {
        const Vec3 of_own = own.rotation.row(k);
        sum += Rational(linear(row, k)) *
               (Rational(scale) * dot(of_own, y) + Rational(own.translation[k]));
      }
      in_world += Rational(water.normal[row]) * sum;
    }
    const double expected = static_cast<double>(Rational(in_world / Rational(length)));
    const double height = static_cast<double>(
        Rational(Rational(scale) * (dot(found.normal, y) - Rational(found.offset))));
    CAPTURE(i);
    CHECK(std::fabs(height - expected) <=
          1e-15 * (4 * scale * y.norm() + 4 * own.translation.norm() + std::fabs(expected)));
    CHECK(std::fabs(found.normal.norm() - 1) <= 1e-8);  // twice 1e-9 in each entry
  }
}

TEST_CASE("a plane keeps its place when its normal is made a unit vector") {
  for (const double length : {1e-300, 0.25, 3.0, 1e300}) {
    const WaterPlane unit = with_unit_normal({length * Vec3(2, 3, 6), length * 14});
    CHECK((unit.normal - Vec3(2, 3, 6) / 7).norm() <= 1e-15);
    CHECK(unit.offset == test::approx(2).epsilon(1e-15));
  }
}

TEST_CASE("planes beyond numbers are far, on the side where they are") {
  const Vec3 up(0, 0, 1e-300);
  const Mat3 home = Mat3::Identity();
  for (const double far :
       {with_unit_normal({up, 1e300}).offset, -plane_in_body({up, -1e300}, home, {0, 0, 0}).offset,
        -plane_in_body({{0, 0, 1}, 0}, home, {0, 0, 1.5e308}).offset}) {
    CHECK(far >= 1e299);
    CHECK(std::isfinite(far));
  }
}

}  // namespace
}  // namespace plimsoll
