// Balls against fractions: whatever the operands, the result of an operation on members of them is
// a member of the result, and the ball is no wider than a few roundings ask for.
#include "core/ball.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"

namespace plimsoll {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

/// A ball with digits in all of its parts.
Ball random_ball(Random& random) {
  const double size = std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(40)) - 20);
  const double low = size * random.uniform(-1, 1) * 0x1p-53;
  const double radius = random.below(3) == 0 ? 0 : size * 0x1p-100 * random.uniform(0, 1);
  return {random.below(2) == 0 ? size : -size, low, radius};
}

/// A member: the midpoint, or either end.
Fraction member(const Ball& ball, int which) {
  return Fraction(ball.hi) + Fraction(ball.lo) + which * Fraction(ball.rad);
}

bool holds(const Ball& ball, const Fraction& x) {
  return abs(x - member(ball, 0)) <= Fraction(ball.rad);
}

TEST_CASE("the sum, product and quotient of members are members of the ball") {
  Random random(41);
  for (int i = 0; i < 3000; ++i) {
    const Ball a = random_ball(random), b = random_ball(random);
    for (const int p : {-1, 0, 1})
      for (const int q : {-1, 0, 1}) {
        const Fraction x = member(a, p), y = member(b, q);
        CHECK(holds(a + b, x + y));
        CHECK(holds(a - b, x - y));
        CHECK(holds(a * b, x * y));
        CHECK(holds(a / b, x / y));
      }
  }
}

// Exact operands leave only the rounding of the midpoint, some units of 2^-106.
TEST_CASE("exact numbers make balls of a hundred bits") {
  Random random(42);
  for (int i = 0; i < 1000; ++i) {
    const Ball a(random.uniform(1, 2)), b(random.uniform(1, 2));
    CHECK((a + b).rad <= 0x1p-100);
    CHECK((a * b).rad <= 0x1p-100);
    CHECK((a / b).rad <= 0x1p-100);
  }
}

TEST_CASE("a quotient by what may be 0 is not known") {
  CHECK(std::isinf((Ball(1) / Ball(0, 0, 1e-300)).rad));
  CHECK(!std::isfinite((Ball(1) / Ball(1, 0, 1)).rad));
  CHECK(is_zero(Ball(0) / Ball(3)));
}

// 2^-1074 times 1.5 is no double: what is cut off is in the radius.
TEST_CASE("a ball that is scaled below the normal numbers still holds its members") {
  Random random(43);
  for (int i = 0; i < 1000; ++i) {
    const Ball a = random_ball(random);
    for (const int exponent : {-960, -1000, -1040, -1070}) {
      const Ball small = scaled(a, exponent);
      CHECK(holds(small, member(a, 0) * Fraction(std::ldexp(1.0, exponent / 2)) *
                             Fraction(std::ldexp(1.0, exponent - exponent / 2))));
    }
  }
}

TEST_CASE("rounding a ball to a double is counted") {
  Random random(44);
  for (int i = 0; i < 1000; ++i) {
    const Ball a = random_ball(random);
    const Fraction error(a.error_of_rounded());
    for (const int p : {-1, 0, 1}) CHECK(abs(Fraction(a.rounded()) - member(a, p)) <= error);
  }
}

}  // namespace
}  // namespace plimsoll
