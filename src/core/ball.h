// Double-double ball arithmetic: a real number known to lie within `rad` of `hi + lo`.
//
// Every operation returns a ball that encloses all results of the operation on members of its
// operands. The midpoint carries about 106 bits [Dekker1971; Knuth1997, sec. 4.2.2], so that after
// long computations the radius is far below the half unit in the last place which rounding the
// midpoint to one double costs. With u = 2^-53 each rounding of a term t is bounded by u |t|; the
// radii are themselves computed in double and widened by kUp, which covers up to 16 roundings.
// Overflow gives an infinite or NaN radius, never a finite one that is too small; underflow is
// covered by kTiny as long as the inputs are scaled near 1.
#pragma once

#include <cmath>
#include <limits>

#include "core/power_of_two.h"

namespace plimsoll {

inline constexpr double kUnitRoundoff = 0x1p-53;

/// s + e == a + b exactly, s the rounded sum [Knuth1997, sec. 4.2.2].
inline void two_sum(double a, double b, double& s, double& e) {
  s = a + b;
  const double t = s - a;
  e = (a - (s - t)) + (b - t);
}

/// p + e == a * b exactly, barring underflow.
inline void two_product(double a, double b, double& p, double& e) {
  p = a * b;
  e = std::fma(a, b, -p);
}

struct Ball {
  double hi = 0;
  double lo = 0;
  double rad = 0;

  Ball() = default;
  Ball(double exact) : hi(exact) {}
  Ball(double mid_hi, double mid_lo, double radius) : lo(mid_lo), rad(radius) {
    two_sum(mid_hi, mid_lo, hi, lo);
  }

  static constexpr double kUp = 1 + 0x1p-48;
  static constexpr double kTiny = 0x1p-1060;

  /// The largest absolute value of a member.
  [[nodiscard]] double magnitude() const { return (std::fabs(hi) + std::fabs(lo) + rad) * kUp; }
  /// A lower bound on the absolute value of every member; 0 if 0 may be one.
  [[nodiscard]] double mignitude() const {
    return std::fmax(0.0, (std::fabs(hi) - std::fabs(lo) - rad) * (2 - kUp));
  }
  [[nodiscard]] bool contains_zero() const { return !(mignitude() > 0); }
  [[nodiscard]] bool is_negative() const { return hi < 0; }

  /// The midpoint in one double, and a bound on its distance from every member. What has overflowed
  /// is infinite, and `lo` then means nothing.
  [[nodiscard]] double rounded() const { return std::isfinite(hi) ? hi + lo : hi; }
  [[nodiscard]] double error_of_rounded() const {
    const double r = rounded();
    if (!std::isfinite(r) || std::isnan(rad)) return std::numeric_limits<double>::infinity();
    return (rad + std::fabs((hi - r) + lo)) * kUp;  // r is hi or its neighbour: hi - r is exact
  }
};

/// Whether it is 0 and known to be.
inline bool is_zero(const Ball& a) { return a.hi == 0 && a.lo == 0 && a.rad == 0; }

inline Ball operator-(const Ball& a) { return {-a.hi, -a.lo, a.rad}; }

inline Ball operator+(const Ball& a, const Ball& b) {
  double s = 0;
  double e = 0;
  two_sum(a.hi, b.hi, s, e);
  const double t = a.lo + b.lo;
  const double l = t + e;
  const double rounding = kUnitRoundoff * (std::fabs(t) + std::fabs(l));
  return {s, l, (a.rad + b.rad + rounding) * Ball::kUp};
}

inline Ball operator-(const Ball& a, const Ball& b) { return a + (-b); }

inline Ball operator*(const Ball& a, const Ball& b) {
  double p = 0;
  double e = 0;
  two_product(a.hi, b.hi, p, e);
  const double t1 = a.hi * b.lo;
  const double t2 = a.lo * b.hi;
  const double t = t1 + t2;
  const double l = t + e;
  const double rounding =
      kUnitRoundoff * (std::fabs(t1) + std::fabs(t2) + std::fabs(t) + std::fabs(l)) +
      std::fabs(a.lo * b.lo);  // the term left out
  const double spread = a.magnitude() * b.rad + b.magnitude() * a.rad;
  return {p, l, (rounding + spread + Ball::kTiny) * Ball::kUp};
}

/// Infinite radius where the divisor may be 0. The quotient q of two correction steps differs from
/// a / b by (a - q b) / b, which is evaluated as a ball.
inline Ball operator/(const Ball& a, const Ball& b) {
  if (is_zero(a) && !b.contains_zero()) return a;
  const double q0 = a.hi / b.hi;
  const Ball r0 = a - Ball(q0) * b;
  const double q1 = r0.hi / b.hi;
  Ball q(q0, q1, 0);
  const Ball remainder = a - q * b;
  q.rad = b.contains_zero() ? std::numeric_limits<double>::infinity()
                            : (remainder.magnitude() / b.mignitude() + Ball::kTiny) * Ball::kUp;
  return q;
}

/// Multiplied by 2^exponent: exact unless it underflows, which the radius then covers.
inline Ball scaled(const Ball& a, int exponent) {
  Ball b;
  b.hi = times_power_of_two(a.hi, exponent);
  b.lo = times_power_of_two(a.lo, exponent);
  b.rad = times_power_of_two(a.rad, exponent);
  // A subnormal may have been rounded, by at most half of the smallest one each.
  const double smallest = std::numeric_limits<double>::denorm_min();
  if (std::fabs(b.lo) < 0x1p-1000 && exponent < 0) b.rad += 4 * smallest;
  return b;
}

}  // namespace plimsoll
