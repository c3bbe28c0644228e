#include <doctest/doctest.h>
#include <plimsoll/elementary.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

// An oracle that calls no C library: sums of its own in 240 binary digits, and in 1400 for angles
// of which more than 2^100 turns have to be taken away.
template <unsigned Digits>
using Binary = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<Digits, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using Exact = Binary<240>;
using Longest = Binary<1400>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The error of `found` in units in the last place of `wanted`.
template <class Number>
double units_off(double found, const Number& wanted) {
  if (wanted == 0) return found == 0 ? 0 : kInfinity;
  if (boost::multiprecision::abs(wanted) > std::numeric_limits<double>::max())
    return std::isinf(found) || std::fabs(found) == std::numeric_limits<double>::max() ? 0
                                                                                       : kInfinity;
  if (!std::isfinite(found)) return kInfinity;
  const int exponent = std::max(static_cast<int>(ilogb(wanted)) - 52, -1074);
  return static_cast<double>(
      ldexp(Number(boost::multiprecision::abs(Number(found) - wanted)), -exponent));
}

/// Arguments of all sizes between 2^low and 2^high.
struct Sizes {
  double low, high;
  bool signs = true;
  double operator()(Random& random) const {
    const double size = std::exp2(random.uniform(low, high));
    return signs && random.below(2) == 0 ? -size : size;
  }
};
struct Uniform {
  double low, high;
  double operator()(Random& random) const { return random.uniform(low, high); }
};
/// Any finite double.
double any_double(Random& random) {
  for (;;) {
    const std::uint64_t bits = random.next();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isfinite(x)) return x;
  }
}

template <class Found, class Wanted, class Draw>
void check_function(const char* name, int count, const Found& found, const Wanted& wanted,
                    const Draw& draw) {
  CAPTURE(name);
  Random random(38);
  double worst = 0, at = 0;
  for (int i = test::campaign(count); i > 0; --i) {
    const double x = draw(random), off = units_off(found(x), wanted(x));
    if (off > worst || std::isnan(off)) worst = off, at = x;
  }
  CAPTURE(at);
  CHECK(worst < 0.95);
}

template <class Number>
Number sine(double x) {
  return sin(Number(x));
}
template <class Number>
Number cosine(double x) {
  return cos(Number(x));
}
template <class Number>
Number tangent(double x) {
  return tan(Number(x));
}

TEST_CASE(
    "sines, cosines and tangents are within a unit in the last place, of angles of any size") {
  const auto both = [](auto draw, int count, auto wanted_sine, auto wanted_cosine,
                       auto wanted_tangent) {
    check_function("sin", count, elementary::sin, wanted_sine, draw);
    check_function("cos", count, elementary::cos, wanted_cosine, draw);
    check_function("tan", count, elementary::tan, wanted_tangent, draw);
  };
  both(Uniform{-10, 10}, 20'000, sine<Exact>, cosine<Exact>, tangent<Exact>);
  both(Sizes{-1074, 100}, 20'000, sine<Exact>, cosine<Exact>, tangent<Exact>);
  both(Sizes{90, 1024}, 1'000, sine<Longest>, cosine<Longest>, tangent<Longest>);
  both(any_double, 1'000, sine<Longest>, cosine<Longest>, tangent<Longest>);
  // Next to whole quarter turns, few and many, where nearly all digits of the angle are taken away.
  const auto near_quarter = [](Random& random) {
    const double turns = std::floor(std::exp2(random.uniform(0, 52)));
    const double x = turns * (std::numbers::pi / 2);
    return random.below(2) == 0 ? x : std::nextafter(x, 0);
  };
  both(near_quarter, 20'000, sine<Exact>, cosine<Exact>, tangent<Exact>);
}

// No double is nearer to a whole number of quarter turns than the first [Muller2016]. The second is
// one for which three parts of pi / 2 would be off by two units. Of the third a digit is carried
// from the lowest word of its turns to the highest, by which its sine would be off by 3e-7 of
// itself. The second was found by trying all angles below 2^20, the third by continued fractions.
TEST_CASE("angles that are nearest to multiples of pi / 2") {
  for (const double x : {std::ldexp(6381956970095103, 797), 0x1.93c05c9ed3cbcp+18,
                         std::ldexp(8988070970585063, 642)}) {
    CAPTURE(x);
    CHECK(units_off(elementary::cos(x), Longest(cos(Longest(x)))) < 0.95);
    CHECK(units_off(elementary::sin(x), Longest(sin(Longest(x)))) < 0.95);
    CHECK(std::min(std::fabs(elementary::cos(x)), std::fabs(elementary::sin(x))) < 2e-12);
  }
}

TEST_CASE("sine and cosine together are those found apart, odd and even") {
  Random random(39);
  for (int i = test::campaign(100'000); i > 0; --i) {
    const double x = i % 2 == 0 ? any_double(random) : random.uniform(-100, 100);
    const SineAndCosine both = elementary::sin_cos(x);
    CHECK(both.sine == elementary::sin(x));
    CHECK(both.cosine == elementary::cos(x));
    CHECK(elementary::sin(-x) == -both.sine);
    CHECK(elementary::cos(-x) == both.cosine);
    CHECK(elementary::tan(-x) == -elementary::tan(x));
  }
}

TEST_CASE("inverse functions are within a unit in the last place") {
  const auto arcsine = [](double x) { return Exact(asin(Exact(x))); };
  const auto arccosine = [](double x) { return Exact(acos(Exact(x))); };
  check_function("asin", 2'000, elementary::asin, arcsine, Uniform{-1, 1});
  check_function("asin", 2'000, elementary::asin, arcsine, Sizes{-80, 0});
  check_function("acos", 2'000, elementary::acos, arccosine, Uniform{-1, 1});
  check_function("acos", 2'000, elementary::acos, arccosine, Sizes{-80, 0});
  const auto to_one = [](Random& random) { return 1 - std::exp2(random.uniform(-53, 0)); };
  check_function("acos", 2'000, elementary::acos, arccosine, to_one);
  for (const double x : {1.0, -1.0, 0.7, -0.7, 1e-310, -1e300, 3e8}) {
    CAPTURE(x);
    const auto of_y = [&](double y) { return elementary::atan2(y, x); };
    const auto of_x = [&](double y) { return elementary::atan2(x, y); };
    const auto wanted_y = [&](double y) { return Exact(atan2(Exact(y), Exact(x))); };
    const auto wanted_x = [&](double y) { return Exact(atan2(Exact(x), Exact(y))); };
    check_function("atan2", 2'000, of_y, wanted_y, any_double);
    check_function("atan2", 4'000, of_y, wanted_y,
                   Sizes{std::log2(std::fabs(x)) - 5, std::log2(std::fabs(x)) + 5});
    check_function("atan2", 2'000, of_x, wanted_x, any_double);
  }
}

// Where the smaller over the larger is a whole number of sixteenths, the angle is one of a table,
// or that and a quarter or half turn: nothing is rounded but the sum of its two parts, once. The
// second is known to 2^-53 of itself; a hundredth of a unit is far more.
TEST_CASE("angles whose tangents are whole sixteenths are rounded once") {
  for (int i = 0; i <= 16; ++i)
    for (const double x : {16.0, -16.0})
      for (const double y : {i, -i}) {
        CAPTURE(x);
        CAPTURE(y);
        CHECK(units_off(elementary::atan2(y, x), Exact(atan2(Exact(y), Exact(x)))) < 0.51);
        CHECK(units_off(elementary::atan2(x, y), Exact(atan2(Exact(x), Exact(y)))) < 0.51);
      }
}

TEST_CASE("exponentials and logarithms are within a unit in the last place") {
  const auto power = [](double x) { return Exact(exp(Exact(x))); };
  check_function("exp", 10'000, elementary::exp, power, Uniform{-746, 710});
  check_function("exp", 10'000, elementary::exp, power, Uniform{-1, 1});
  check_function("exp", 10'000, elementary::exp, power, Sizes{-1074, 9});
  const auto of_two = [](double x) { return Exact(pow(Exact(2), Exact(x))); };
  check_function("exp2", 10'000, elementary::exp2, of_two, Uniform{-1076, 1025});
  const auto natural = [](double x) { return Exact(log(Exact(x))); };
  check_function("log", 10'000, elementary::log, natural, Sizes{-1074, 1024, false});
  check_function("log", 10'000, elementary::log, natural, Uniform{0.5, 2});
  const auto near_one = [](Random& random) { return 1 + Sizes{-52, -1}(random); };
  check_function("log", 10'000, elementary::log, natural, near_one);
  const auto binary = [](double x) { return Exact(log(Exact(x)) / log(Exact(2))); };
  check_function("log2", 10'000, elementary::log2, binary, Sizes{-1074, 1024, false});
  check_function("log2", 10'000, elementary::log2, binary, near_one);
  const auto decimal = [](double x) { return Exact(log(Exact(x)) / log(Exact(10))); };
  check_function("log10", 10'000, elementary::log10, decimal, Sizes{-1074, 1024, false});
  const auto beyond_one = [](double x) {
    return std::fabs(x) < 1e-30 ? Exact(x) - Exact(x) * Exact(x) / 2 : Exact(log(1 + Exact(x)));
  };
  check_function("log1p", 10'000, elementary::log1p, beyond_one, Uniform{-1, 3});
  check_function("log1p", 10'000, elementary::log1p, beyond_one, Sizes{-1074, -1});
  check_function("log1p", 10'000, elementary::log1p, beyond_one, Sizes{0, 1024, false});
  const auto area = [](double x) {
    return Exact(log(Exact(x) + sqrt((Exact(x) - 1) * (Exact(x) + 1))));
  };
  check_function("acosh", 10'000, elementary::acosh, area, Sizes{0, 1024, false});
  const auto from_one = [](Random& random) { return 1 + std::exp2(random.uniform(-52, 1)); };
  check_function("acosh", 10'000, elementary::acosh, area, from_one);
}

TEST_CASE("powers are within a unit in the last place") {
  Random random(40);
  double worst = 0;
  for (int i = test::campaign(40'000); i > 0; --i) {
    const double x = i % 2 == 0 ? Sizes{-1074, 1024, false}(random) : 1 + Sizes{-40, -1}(random);
    const double log = std::log2(x);
    // The larger the power, the more digits of the logarithm are seen.
    const double power = i % 4 == 1 ? random.uniform(950, 1020) : random.uniform(-1080, 1030);
    const double y = log == 0 ? 1 : power / log;
    const Exact wanted = pow(Exact(x), Exact(y));
    const double off = units_off(elementary::pow(x, y), wanted);
    CAPTURE(x);
    CAPTURE(y);
    if (!(off < 0.95)) CHECK(off < 0.95);
    worst = std::max(worst, off);
  }
  CHECK(worst < 0.95);
  CHECK(elementary::pow(-2, 3) == -8);
  CHECK(elementary::pow(-2, -2) == 0.25);
  CHECK(std::isnan(elementary::pow(-2, 0.5)));
}

// Found by their powers, so that nothing but products is trusted.
TEST_CASE("cube roots and lengths are within a unit in the last place") {
  const auto root = [](double x) {
    Exact t = elementary::cbrt(x);
    for (int i = 0; i < 3; ++i) t -= (t * t * t - x) / (3 * t * t);
    CHECK(boost::multiprecision::abs(Exact(t * t * t - x)) <=
          boost::multiprecision::abs(Exact(x)) * 1e-60);
    return t;
  };
  check_function("cbrt", 20'000, elementary::cbrt, root, Sizes{-1074, 1024});
  check_function("cbrt", 20'000, elementary::cbrt, root, Uniform{-10, 10});
  Random random(41);
  double worst = 0;
  for (int i = test::campaign(40'000); i > 0; --i) {
    const double x = any_double(random);
    const double y = i % 4 == 0 ? any_double(random) : x * Sizes{-30, 30}(random);
    if (!std::isfinite(y)) continue;
    const Exact wanted = sqrt(Exact(Exact(x) * Exact(x) + Exact(y) * Exact(y)));
    worst = std::max(worst, units_off(elementary::hypot(x, y), wanted));
    CHECK(elementary::hypot(x, y) == elementary::hypot(-y, x));
  }
  CHECK(worst < 0.95);
}

TEST_CASE("whole powers of two and ten are exact") {
  for (int k = -1074; k < 1024; ++k) {
    CHECK(elementary::exp2(k) == std::ldexp(1, k));
    CHECK(elementary::log2(std::ldexp(1, k)) == k);
  }
  double ten = 1;
  for (int k = 0; k <= 22; ++k, ten *= 10) CHECK(elementary::log10(ten) == k);
}

/// Equal, zeros by their signs; any NaN is one.
bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
bool is_special(double x) { return x == 0 || !std::isfinite(x); }

// The C library keeps to annex F of C, which says what zeros, infinities and NaN become.
TEST_CASE("zeros, infinities and what is outside a domain are as in C") {
  const double arguments[] = {0.0,
                              -0.0,
                              1,
                              -1,
                              0.5,
                              -0.5,
                              2,
                              -2,
                              3,
                              -3,
                              kInfinity,
                              -kInfinity,
                              kNan,
                              1e308,
                              -1e308,
                              5e-324,
                              -5e-324,
                              1e-310,
                              1e17,
                              -1e17,
                              4503599627370497,
                              9007199254740991,
                              -9007199254740991};
  for (const double x : arguments) {
    CAPTURE(x);
    const auto agree = [&](const char* name, double found, double library) {
      CAPTURE(name);
      if (is_special(library) || is_special(found))
        CHECK(is_same(found, library));
      else
        CHECK(std::fabs(found - library) <= 2 * std::fabs(library) * 0x1p-52);
    };
    agree("sin", elementary::sin(x), std::sin(x));
    agree("cos", elementary::cos(x), std::cos(x));
    agree("tan", elementary::tan(x), std::tan(x));
    agree("sine", elementary::sin_cos(x).sine, std::sin(x));
    agree("cosine", elementary::sin_cos(x).cosine, std::cos(x));
    agree("asin", elementary::asin(x), std::asin(x));
    agree("acos", elementary::acos(x), std::acos(x));
    agree("exp", elementary::exp(x), std::exp(x));
    agree("exp2", elementary::exp2(x), std::exp2(x));
    agree("log", elementary::log(x), std::log(x));
    agree("log1p", elementary::log1p(x), std::log1p(x));
    agree("log2", elementary::log2(x), std::log2(x));
    agree("log10", elementary::log10(x), std::log10(x));
    agree("acosh", elementary::acosh(x), std::acosh(x));
    agree("cbrt", elementary::cbrt(x), std::cbrt(x));
    for (const double y : arguments) {
      CAPTURE(y);
      agree("pow", elementary::pow(x, y), std::pow(x, y));
      agree("atan2", elementary::atan2(x, y), std::atan2(x, y));
      agree("hypot", elementary::hypot(x, y), std::hypot(x, y));
    }
  }
}

}  // namespace
}  // namespace plimsoll
