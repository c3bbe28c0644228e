// Interval arithmetic with outward rounding by a margin instead of a rounding mode, so that it is
// the same on every machine and no flag of the processor has to be changed.
// [Moore2009, ch. 2]
//
// A result computed to nearest is moved outward by 2^-52 of itself, at least one unit in its last
// place, which covers the half unit of its rounding; products also by kTiny, which covers
// underflow. Exact zeros stay exact: a slope that is 0 at the end of a segment then still proves
// monotony. Elementary functions, whose errors are below 1 unit, are moved by kElementary of
// themselves. An interval has no -inf as its high end nor +inf as its low end: what overflowed is a
// real number beyond the largest double.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/expression.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace plimsoll {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr Interval kWholeLine{-kInfinity, kInfinity};
inline constexpr double kTiny = 0x1p-1072;
inline constexpr double kElementary = 0x1p-50;

/// At most any real number that is rounded to x.
inline double below(double x, double margin = 0x1p-52) {
  const double y = x - std::fabs(x) * margin;
  if (y == y) return y;
  return x > 0 ? std::numeric_limits<double>::max() : -kInfinity;
}
inline double above(double x, double margin = 0x1p-52) { return -below(-x, margin); }

inline double product_below(double a, double b) {
  return a == 0 || b == 0 ? 0 : below(a * b) - kTiny;
}
inline double product_above(double a, double b) {
  return a == 0 || b == 0 ? 0 : above(a * b) + kTiny;
}

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  return {below(a.low + b.low), above(a.high + b.high)};
}
inline Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }

inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.low >= 0) {
    if (b.low >= 0) return {product_below(a.low, b.low), product_above(a.high, b.high)};
    if (b.high <= 0) return {product_below(a.high, b.low), product_above(a.low, b.high)};
    return {product_below(a.high, b.low), product_above(a.high, b.high)};
  }
  if (a.high <= 0) return -((-a) * b);
  if (b.low >= 0) return {product_below(a.low, b.high), product_above(a.high, b.high)};
  if (b.high <= 0) return {product_below(a.high, b.low), product_above(a.low, b.low)};
  return {std::min(product_below(a.low, b.high), product_below(a.high, b.low)),
          std::max(product_above(a.low, b.low), product_above(a.high, b.high))};
}

inline bool is_zero(const Interval& a) { return a.low == 0 && a.high == 0; }
inline bool holds_zero(const Interval& a) { return a.low <= 0 && a.high >= 0; }
inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
inline Interval intersection(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// 1 / a where 0 is not in a.
inline Interval reciprocal(const Interval& a) {
  return {below(1 / a.high) - kTiny, above(1 / a.low) + kTiny};
}

inline Interval absolute(const Interval& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, std::max(-a.low, a.high)};
}

/// The range over a of a function of elementary.h that grows over all of it.
template <class Function>
Interval increasing(const Interval& a, Function function) {
  return {below(function(a.low), kElementary) - kTiny,
          above(function(a.high), kElementary) + kTiny};
}

/// a^n, n > 0, by the same products as the number's own power.
inline Interval whole_power(const Interval& a, int n) {
  const bool even = n % 2 == 0;
  Interval base = even ? absolute(a) : a;
  const bool mixed = base.low < 0 && base.high > 0;
  if (mixed) {  // odd: each end by itself
    const double low = whole_power(Interval{-base.low, -base.low}, n).high;
    return {-low, whole_power(Interval{base.high, base.high}, n).high};
  }
  const bool negative = base.high <= 0 && !even;
  if (negative) base = -base;
  Interval power{1, 1};
  for (; n > 0; n >>= 1) {
    if (n & 1) power = power * base;
    if (n > 1) base = base * base;
    base.low = std::max(base.low, 0.0);
  }
  power.low = std::max(power.low, 0.0);
  return negative ? -power : power;
}

/// a^b for a >= 0, monotone in each of the two, so that its extremes are at corners.
inline Interval power_of_positive(const Interval& a, const Interval& b) {
  Interval range{kInfinity, -kInfinity};
  const auto take_in = [&](double power) { range = hull(range, {power, power}); };
  for (const double exponent : {b.low, b.high}) {
    take_in(elementary::pow(a.low, exponent));
    take_in(elementary::pow(a.high, exponent));
    if (b.low == b.high) break;
  }
  return {std::max(0.0, below(range.low, kElementary) - kTiny),
          above(range.high, kElementary) + kTiny};
}

/// Whether some whole k has phase + k period in a, or nearly.
inline bool meets_lattice(const Interval& a, double phase, double period) {
  const double margin = 1e-15 * (1 + std::max(std::fabs(a.low), std::fabs(a.high)));
  return std::floor((a.high - phase + margin) / period) >=
         std::ceil((a.low - phase - margin) / period);
}

inline Interval sine(const Interval& a) {
  using std::numbers::pi;
  constexpr double kFar = 1e8;  // beyond, the lattice of extremes is not known well enough
  if (!(a.low > -kFar && a.high < kFar)) return {-1, 1};
  const double low = elementary::sin(a.low), high = a.low == a.high ? low : elementary::sin(a.high);
  Interval range{below(std::min(low, high), kElementary) - kTiny,
                 above(std::max(low, high), kElementary) + kTiny};
  if (meets_lattice(a, pi / 2, 2 * pi)) range.high = 1;
  if (meets_lattice(a, -pi / 2, 2 * pi)) range.low = -1;
  return intersection(range, {-1, 1});
}

inline Interval cosine(const Interval& a) {
  using std::numbers::pi;
  constexpr double kFar = 1e8;
  if (!(a.low > -kFar && a.high < kFar)) return {-1, 1};
  const double low = elementary::cos(a.low), high = a.low == a.high ? low : elementary::cos(a.high);
  Interval range{below(std::min(low, high), kElementary) - kTiny,
                 above(std::max(low, high), kElementary) + kTiny};
  if (meets_lattice(a, 0, 2 * pi)) range.high = 1;
  if (meets_lattice(a, pi, 2 * pi)) range.low = -1;
  return intersection(range, {-1, 1});
}

}  // namespace plimsoll
