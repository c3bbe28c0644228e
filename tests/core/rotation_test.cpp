#include <doctest/doctest.h>
#include <plimsoll/rotation.h>

#include <cmath>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"

using namespace plimsoll;

// Four roundings of numbers of up to 4 in each of nine entries, once and transposed.
constexpr double kRounding = 2 * 3 * 4 * 4 * 0x1p-53;

Vec3 direction(Random& random) {
  const auto number = [&] { return random.uniform(-1, 1); };
  return Vec3(number(), number(), number()).normalized();
}

TEST_CASE("a rotation between directions takes one to the other, and their normal to itself") {
  Random random(71);
  const int runs = test::campaign(20000);
  for (int run = 0; run < runs; ++run) {
    const Vec3 a = direction(random);
    // Angles of all sizes from either end.
    const double angle = std::pow(10.0, random.uniform(-17, 0.4));
    const Vec3 side = a.cross(direction(random)).normalized();
    const Vec3 b = (run % 2 ? -1 : 1) * (std::cos(angle) * a + std::sin(angle) * side);
    const Mat3 turn = rotation_between(std::pow(10.0, random.uniform(-200, 200)) * a, 3 * b);
    CHECK((turn * a - b.normalized()).norm() <= kRounding);
    CHECK((turn * turn.transpose() - Mat3::Identity()).norm() <= kRounding);
    CHECK(turn.determinant() == test::approx(1).epsilon(kRounding));
    // The plane of two directions that are nearly one, or opposite, is known to rounding over the
    // sine.
    const Vec3 normal = a.cross(side);
    CHECK((turn * normal - normal).norm() <= kRounding * (1 + 1 / std::abs(std::sin(angle))));
  }
}

TEST_CASE("equal directions need no turn, what is none gets none, and opposite ones half of one") {
  CHECK(rotation_between(Vec3::Zero(), Vec3(1, 2, 3)) == Mat3::Identity());
  CHECK(rotation_between(Vec3(1, 2, 3), Vec3::Zero()) == Mat3::Identity());
  for (const Vec3& a : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(1, -2, 3)}) {
    CHECK((rotation_between(a, a) - Mat3::Identity()).norm() <= kRounding);
    const Mat3 half = rotation_between(a, -a);
    CHECK((half * a + a).norm() <= kRounding * a.norm());
    CHECK(half.trace() == test::approx(-1).epsilon(kRounding));
  }
}
