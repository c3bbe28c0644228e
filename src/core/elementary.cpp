// Exponentials, logarithms, powers and roots. Logarithms are found to some 100 bits, so that a
// power, whose error is the exponent's times its logarithm's, is as good as they are.
#include <plimsoll/elementary.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/double_double.h"

namespace plimsoll::elementary {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The natural logarithm of 2: its first 42 digits, so that whole numbers below 2^11 times it are
// exact, and the next 53.
constexpr double kLog2First = 0x1.62e42fefa3800p-1, kLog2Rest = 0x1.ef35793c76730p-45;
constexpr Parts kLog2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Parts kPerLog2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Parts kPerLog10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/// e^x, x = x.high + x.low. With k the whole number next to x / log 2 and r = x - k log 2 it is
/// 2^k e^r, |r| <= 0.35 [CodyWaite1980]. Taylor's series to the power 13: the first term left out
/// is 5e-18. It is added up from 1 + r, without rounding, and the rest.
double power_of_e(const Parts& x) {
  if (x.high > 710) return kInfinity;
  if (x.high < -746) return 0;
  constexpr double kWhole = 0x1.8p52;  // added, it rounds to a whole number
  const double k = (x.high * kPerLog2.high + kWhole) - kWhole;
  const Parts first = exact_sum(x.high - k * kLog2First, -k * kLog2Rest);
  const Parts r = ordered_sum(first.high, first.low + x.low);
  const double z = r.high;
  const double series =
      1.0 / 2 +
      z * (1.0 / 6 +
           z * (1.0 / 24 + z * (1.0 / 120 +
                                z * (1.0 / 720 +
                                     z * (1.0 / 5040 +
                                          z * (1.0 / 40320 +
                                               z * (1.0 / 362880 +
                                                    z * (1.0 / 3628800 +
                                                         z * (1.0 / 39916800 +
                                                              z * (1.0 / 479001600 +
                                                                   z * (1.0 / 6227020800)))))))))));
  const Parts sum = ordered_sum(1, z);
  const double power = sum.high + (sum.low + (r.low + r.low * z + z * z * series));
  const int exponent = static_cast<int>(k);
  if (exponent < -1020 || exponent > 1022) return std::ldexp(power, exponent);
  return power * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// log(x), x between 1/2 and 2: with s = (x - 1) / (x + 1) it is 2 atanh(s). Three terms of the
/// series in s^2 <= 0.112 are summed in two doubles each; it ends with s^41.
Parts logarithm_by_series(double x) {
  const Parts s = Parts{x - 1, 0} / exact_sum(x, 1), square = s * s;
  double series = 0;
  for (int odd = 41; odd >= 7; odd -= 2) series = 1.0 / odd + square.high * series;
  constexpr Parts kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  constexpr Parts kFifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};
  const Parts beyond = square * (kThird + square * (kFifth + Parts{square.high * series, 0}));
  return (s + s * beyond) * 2;
}

/// Numbers of ten digits next to 128 / i and their logarithms. That of 128 / 128 is 1.
class Factors {
 public:
  struct Factor {
    double value;
    Parts log;  // of 1 / value
  };
  Factors() {
    for (int i = kFirst; i <= kLast; ++i) {
      const double value = std::floor(65536.0 / i + 0.5) / 512;
      factors_[static_cast<std::size_t>(i - kFirst)] = {value, -logarithm_by_series(value)};
    }
  }
  /// For m between sqrt(1/2) and sqrt(2).
  [[nodiscard]] const Factor& next_to_inverse(double m) const {
    return factors_[static_cast<std::size_t>(static_cast<int>(128 * m + 0.5) - kFirst)];
  }

 private:
  static constexpr int kFirst = 90, kLast = 182;
  std::array<Factor, kLast - kFirst + 1> factors_;
};

/// The natural logarithm of x = x.high + x.low, positive and finite, to 2^-66 of itself. With
/// x = 2^k m, m between sqrt(1/2) and sqrt(2), a factor c next to 1 / m and f = c m - 1, it is
/// k log 2 - log c + log(1 + f). |f| < 0.007, so that of f - f^2/2 + f^3/3 - ... + f^9/9 the first
/// two terms need two doubles each; where c is 1, |f| <= 2^-8, and what is left out is 2^-67 of f.
Parts logarithm(const Parts& x) {
  static const Factors kFactors;
  int k = 0;
  double high = x.high;
  if (high >= std::numeric_limits<double>::min()) {
    const auto bits = std::bit_cast<std::uint64_t>(high);
    k = static_cast<int>(bits >> 52) - 1022;
    high = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3fe0000000000000);
  } else {
    high = std::frexp(high, &k);
  }
  if (high < 0x1.6a09e667f3bcdp-1) {
    high *= 2;
    --k;
  }
  const auto& [c, log] = kFactors.next_to_inverse(high);
  const Parts half = halves(high);  // c times each is exact
  Parts f = exact_sum(half.high * c - 1, half.low * c);
  if (x.low != 0) f = f + std::ldexp(x.low, -k) * c;
  const double z = f.high;
  const Parts square = exact_product(z, z);
  const double series =
      1.0 / 3 +
      z * (-1.0 / 4 + z * (1.0 / 5 + z * (-1.0 / 6 + z * (1.0 / 7 + z * (-1.0 / 8 + z / 9)))));
  const Parts first = ordered_sum(z, -square.high / 2);
  const double rest = first.low + (f.low * (1 - z) - square.low / 2 + square.high * z * series);
  const Parts near = log + ordered_sum(first.high, rest);
  if (k == 0) return near;
  return Parts{k * kLog2First, 0} + (near + exact_product(k, kLog2Rest));
}

bool is_whole(double y) { return std::floor(y) == y; }
bool is_odd(double y) { return is_whole(y) && std::fabs(y) < 0x1p53 && std::fmod(y, 2) != 0; }

/// What a logarithm is where none of a positive number is asked for.
double outside_logarithm(double x) {
  if (x == 0) return -kInfinity;
  return x > 0 ? x : kNan;
}
bool has_logarithm(double x) { return x > 0 && x < kInfinity; }

}  // namespace

double exp(double x) { return x == x ? power_of_e({x, 0}) : kNan; }

double exp2(double x) { return pow(2, x); }

double log(double x) {
  return has_logarithm(x) ? rounded(logarithm({x, 0})) : outside_logarithm(x);
}

double log1p(double x) {
  if (std::fabs(x) < 0x1p-54) return x;
  return x > -1 && x < kInfinity ? rounded(logarithm(exact_sum(1, x))) : outside_logarithm(1 + x);
}

double log2(double x) {
  return has_logarithm(x) ? rounded(logarithm({x, 0}) * kPerLog2) : outside_logarithm(x);
}

double log10(double x) {
  return has_logarithm(x) ? rounded(logarithm({x, 0}) * kPerLog10) : outside_logarithm(x);
}

/// log(x + sqrt(x^2 - 1)), or log(2 x) where the difference is below all digits.
double acosh(double x) {
  if (!(x >= 1)) return kNan;
  if (x == kInfinity) return x;
  if (x > 0x1p60) return rounded(logarithm({x, 0}) + kLog2);
  return rounded(logarithm(square_root(exact_product(x, x) + -1.0) + x));
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return kNan;
  const double size = std::fabs(x);
  if (std::isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? kInfinity : 0;
  const double sign = std::signbit(x) && is_odd(y) ? -1 : 1;
  if (size == 0 || size == kInfinity) return sign * ((size == 0) == (y > 0) ? 0 : kInfinity);
  if (x < 0 && !is_whole(y)) return kNan;
  const Parts log = logarithm({size, 0});
  const double about = log.high * y;
  if (!(std::fabs(about) < 800)) return sign * (about > 0 ? kInfinity : 0);
  return sign * power_of_e(std::fabs(about) < 0x1p-60 ? Parts{about, 0} : log * y);
}

/// The root t of a in [1/2, 4) by Halley's iteration, whose relative error is cubed each time: at
/// most 0.08 to begin with, below 1e-16 after three. Then by (a - t^3) / (3 t^2), the difference
/// without rounding.
double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  double a = std::frexp(std::fabs(x), &exponent);
  const int left = (exponent % 3 + 3) % 3, third = (exponent - left) / 3;
  a = std::ldexp(a, left);
  double t = 0.74 + 0.23 * a;
  for (int i = 0; i < 3; ++i) {
    const double cube = t * t * t;
    t *= (cube + 2 * a) / (2 * cube + a);
  }
  const Parts square = exact_product(t, t), cube = square * t;
  t += ((a - cube.high) - cube.low) / (3 * square.high);
  return std::copysign(std::ldexp(t, third), x);
}

double hypot(double x, double y) {
  double a = std::fmax(std::fabs(x), std::fabs(y)), b = std::fmin(std::fabs(x), std::fabs(y));
  if (a == kInfinity) return a;
  if (x != x || y != y) return kNan;
  if (b == 0) return a;
  int exponent = 0;
  if (!(a < 0x1p400 && b > 0x1p-400)) {
    exponent = std::ilogb(a);
    a = std::ldexp(a, -exponent);
    b = std::ldexp(b, -exponent);
  }
  const double root = rounded(square_root(exact_product(a, a) + exact_product(b, b)));
  return exponent == 0 ? root : std::ldexp(root, exponent);
}

}  // namespace plimsoll::elementary
