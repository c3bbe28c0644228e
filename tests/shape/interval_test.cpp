// Intervals at the ends of what doubles hold: rounding outward, underflow, powers without a value.
#include "shape/interval.h"

#include <doctest/doctest.h>
#include <plimsoll/expression.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"

namespace plimsoll {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

bool holds(const Interval& a, const Fraction& x) {
  return Fraction(a.low) <= x && x <= Fraction(a.high);
}

TEST_CASE("what is done with single numbers is inside what is done with their intervals") {
  Random random(71);
  for (int i = 0; i < 3000; ++i) {
    const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
    const Interval a{x, x}, b{y, y};
    const Fraction p(x), q(y);
    CHECK(holds(a + b, p + q));
    CHECK(holds(a - b, p - q));
    CHECK(holds(a * b, p * q));
    CHECK(holds(reciprocal(a), 1 / p));
    CHECK(holds(whole_power(a, 3), p * p * p));
    CHECK(holds(whole_power(a, 4), p * p * p * p));
  }
}

TEST_CASE("the extremes of a product are where its factors have theirs") {
  Random random(72);
  for (int i = 0; i < 3000; ++i) {
    const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
    const Interval a{x, x + random.uniform(0, 2)}, b{y, y + random.uniform(0, 2)};
    const Interval product = a * b;
    double low = kInfinity, high = -kInfinity;
    for (const double u : {a.low, a.high})
      for (const double v : {b.low, b.high}) {
        CHECK(holds(product, Fraction(u) * Fraction(v)));
        low = std::min(low, u * v);
        high = std::max(high, u * v);
      }
    CHECK(std::abs(product.low - low) <= 1e-14);
    CHECK(std::abs(product.high - high) <= 1e-14);
  }
}

TEST_CASE("a product too small for a double is not called zero") {
  for (const double sign : {-1.0, 1.0}) {
    const Interval product = Interval{1e-200, 1e-200} * Interval{sign * 1e-200, sign * 1e-200};
    CHECK(product.low < 0);
    CHECK(product.high > 0);
  }
}

// The C library has the square root of minus infinity as infinity.
TEST_CASE("a negative number has no power that is not whole, however large it is") {
  const Result<Expression> root = Expression::parse("x^y");
  REQUIRE(root);
  CHECK(std::isnan((*root)(Vec3(-2, 0.5, 0))));
  CHECK(std::isnan((*root)(Vec3(-kInfinity, 0.5, 0))));
  CHECK((*root)(Vec3(-2, 3, 0)) == -8);
}

}  // namespace
}  // namespace plimsoll
