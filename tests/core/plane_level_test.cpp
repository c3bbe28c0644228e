// Levels of planes over points against rational arithmetic.
#include "core/plane_level.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

Rational dot(const Vec3& a, const Vec3& b) {
  Rational sum = 0;
  for (int i = 0; i < 3; ++i) sum += Rational(a[i]) * Rational(b[i]);
  return sum;
}

/// To a unit in the last place, and zero only where it is.
bool is_right(double found, const Rational& exact) {
  return abs(Rational(found) - exact) <= abs(exact) * Rational(0x1p-52);
}

Vec3 vector(Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

// The offset is the height of the point up to a difference of 2^-k of it: rounded on the way, or
// summed in twice the precision alone, the level would have only 53 - k digits, or 106 - k.
TEST_CASE("the level of a plane over a point is right to the last place, whatever cancels") {
  Random random(3);
  for (int i = 0; i < test::campaign(20'000); ++i) {
    const double size = std::pow(10.0, random.uniform(-3, 9));
    const Vec3 p = vector(random, size), q = vector(random, size);
    const Vec3 normal = vector(random, 1), turned = vector(random, 1);
    const double apart = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(60)));
    const Rational one = dot(normal, p), both = one + dot(turned, q);
    const double offset = static_cast<double>(one) * (1 + apart);
    const double second = static_cast<double>(both) * (1 + apart);
    CHECK(is_right(level_over(p, normal, offset), offset - one));
    CHECK(is_right(level_over(p, normal, q, turned, second), second - both));
  }
}

TEST_CASE("a plane through a point has the level 0 over it") {
  CHECK(level_over({3, 4, 5}, {1, 2, 4}, 31) == 0);
  CHECK(level_over({3, 4, 5}, {1, 2, 4}, {1, 1, 1}, {1, 1, 2}, 35) == 0);
}

TEST_CASE("still water is as high over a body as it is above it, whatever the body's heading") {
  const double z = 1e6 + 0.1, level = 1e6 + 0.3;
  CHECK(level_over({7, -8, z}, {0, 0, 1}, level) == level - z);
  CHECK(level_over({7, -8, z}, {0, 0, 1}, {0, 0, 0}, {0.6, 0, 0.8}, level) == level - z);
}

TEST_CASE("points beyond what can be multiplied without rounding have a level all the same") {
  CHECK(level_over({0, 0, 1e305}, {0, 0, 1}, 1) == -1e305);
  CHECK(level_over({0, 0, 1}, {0, 0, 1}, {0, -1e305, 0}, {0, 1, 0}, 1) == 1e305);
}

}  // namespace
}  // namespace plimsoll
