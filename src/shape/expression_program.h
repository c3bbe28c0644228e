// A formula as a program for a stack machine, and the one interpreter that runs it on numbers, on
// intervals and on intervals with slopes.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/expression.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <numbers>
#include <vector>

#include "shape/interval.h"

namespace plimsoll {

enum class Operation : unsigned char {
  kConstant,
  kX,
  kY,
  kZ,
  kNegate,
  kAbs,
  kSqrt,
  kExp,
  kLog,
  kSin,
  kCos,
  kTan,
  kSquare,
  kWholePower,  // exponent in `exponent`
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kAtan2,
  kMin,
  kMax,
};

struct Instruction {
  Operation operation = Operation::kConstant;
  int exponent = 0;
  double constant = 0;
};

struct Expression::Program {
  /// No program has more numbers on its stack at once.
  static constexpr std::size_t kMaxStack = 128;
  std::vector<Instruction> instructions;

  static const std::vector<Instruction>& instructions_of(const Expression& expression) {
    return expression.program_->instructions;
  }
};

/// Runs `instructions`, which must keep within kMaxStack and leave one number.
template <class Algebra, class Number = typename Algebra::Number>
Number run(const std::vector<Instruction>& instructions, const std::array<Number, 3>& point,
           Algebra& algebra) {
  // Bytes, because constructing 128 intervals would cost more than most formulas.
  alignas(Number) std::array<std::byte, sizeof(Number) * Expression::Program::kMaxStack> bytes;
  Number* top = std::launder(reinterpret_cast<Number*>(bytes.data()));  // the next to be pushed
  for (const Instruction& instruction : instructions) {
    switch (instruction.operation) {
      case Operation::kConstant:
        *top++ = algebra.constant(instruction.constant);
        break;
      case Operation::kX:
        *top++ = point[0];
        break;
      case Operation::kY:
        *top++ = point[1];
        break;
      case Operation::kZ:
        *top++ = point[2];
        break;
      case Operation::kNegate:
        top[-1] = algebra.negate(top[-1]);
        break;
      case Operation::kAbs:
        top[-1] = algebra.abs(top[-1]);
        break;
      case Operation::kSqrt:
        top[-1] = algebra.sqrt(top[-1]);
        break;
      case Operation::kExp:
        top[-1] = algebra.exp(top[-1]);
        break;
      case Operation::kLog:
        top[-1] = algebra.log(top[-1]);
        break;
      case Operation::kSin:
        top[-1] = algebra.sin(top[-1]);
        break;
      case Operation::kCos:
        top[-1] = algebra.cos(top[-1]);
        break;
      case Operation::kTan:
        top[-1] = algebra.tan(top[-1]);
        break;
      case Operation::kSquare:
        top[-1] = algebra.square(top[-1]);
        break;
      case Operation::kWholePower:
        top[-1] = algebra.whole_power(top[-1], instruction.exponent);
        break;
      case Operation::kAdd:
        --top;
        top[-1] = algebra.add(top[-1], top[0]);
        break;
      case Operation::kSubtract:
        --top;
        top[-1] = algebra.subtract(top[-1], top[0]);
        break;
      case Operation::kMultiply:
        --top;
        top[-1] = algebra.multiply(top[-1], top[0]);
        break;
      case Operation::kDivide:
        --top;
        top[-1] = algebra.divide(top[-1], top[0]);
        break;
      case Operation::kPower:
        --top;
        top[-1] = algebra.power(top[-1], top[0]);
        break;
      case Operation::kAtan2:
        --top;
        top[-1] = algebra.atan2(top[-1], top[0]);
        break;
      case Operation::kMin:
        --top;
        top[-1] = algebra.min(top[-1], top[0]);
        break;
      case Operation::kMax:
        --top;
        top[-1] = algebra.max(top[-1], top[0]);
        break;
    }
  }
  return top[-1];
}

/// Doubles. What has no value in the reals is NaN, and so is every function of it, also where the C
/// library has it otherwise.
struct RealAlgebra {
  using Number = double;
  static constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

  static double constant(double value) { return value; }
  static double negate(double a) { return -a; }
  static double abs(double a) { return std::fabs(a); }
  static double sqrt(double a) { return std::sqrt(a); }
  static double exp(double a) { return elementary::exp(a); }
  static double log(double a) { return a > 0 ? elementary::log(a) : kNoValue; }
  static double sin(double a) { return elementary::sin(a); }
  static double cos(double a) { return elementary::cos(a); }
  static double tan(double a) { return elementary::tan(a); }
  static double square(double a) { return a * a; }
  static double whole_power(double a, int n) {
    double base = a, power = a == a ? 1 : a;
    for (unsigned rest = static_cast<unsigned>(n < 0 ? -n : n); rest > 0; rest >>= 1) {
      if (rest & 1) power *= base;
      if (rest > 1) base *= base;
    }
    return n < 0 ? divide(1, power) : power;
  }
  static double add(double a, double b) { return a + b; }
  static double subtract(double a, double b) { return a - b; }
  static double multiply(double a, double b) { return a * b; }
  static double divide(double a, double b) { return b != 0 ? a / b : kNoValue; }
  static double power(double a, double b) {
    if (a != a || b != b) return kNoValue;             // pow(1, NaN) is 1
    if (a < 0 && b != std::floor(b)) return kNoValue;  // pow(-inf, 0.5) is inf
    if (a == 0 && b < 0) return kNoValue;
    return elementary::pow(a, b);
  }
  static double atan2(double a, double b) { return elementary::atan2(a, b); }
  static double min(double a, double b) { return a != a ? a : b < a || b != b ? b : a; }
  static double max(double a, double b) { return a != a ? a : b > a || b != b ? b : a; }
};

/// Where in a box a formula is proved to have a value.
struct Domain {
  bool everywhere = true;  ///< And continuous there.
  bool nowhere = false;
};

/// Intervals, with what is found about the domain on the way.
struct IntervalAlgebra {
  using Number = Interval;
  Domain domain;

  Interval constant(double value) { return {value, value}; }
  Interval negate(const Interval& a) { return -a; }
  Interval abs(const Interval& a) { return absolute(a); }
  Interval sqrt(const Interval& a) {
    if (a.low < 0) domain.everywhere = false;
    if (a.high < 0) domain.nowhere = true;
    return {std::max(0.0, below(std::sqrt(std::max(a.low, 0.0)))),
            above(std::sqrt(std::max(a.high, 0.0)))};
  }
  Interval exp(const Interval& a) {
    const Interval range = increasing(a, [](double x) { return elementary::exp(x); });
    return finite({std::max(0.0, range.low), range.high});
  }
  Interval log(const Interval& a) {
    if (a.low <= 0) domain.everywhere = false;
    if (a.high <= 0) domain.nowhere = true;
    return increasing(Interval{std::max(a.low, 0.0), std::max(a.high, 0.0)},
                      [](double x) { return elementary::log(x); });
  }
  Interval sin(const Interval& a) { return sine(a); }
  Interval cos(const Interval& a) { return cosine(a); }
  Interval tan(const Interval& a) {
    using std::numbers::pi;
    if (!(a.low > -1e8 && a.high < 1e8) || meets_lattice(a, pi / 2, pi)) return undefined();
    return increasing(a, [](double x) { return elementary::tan(x); });
  }
  Interval square(const Interval& a) { return finite(plimsoll::whole_power(a, 2)); }
  Interval whole_power(const Interval& a, int n) {
    if (n == 0) return {1, 1};
    const Interval power = plimsoll::whole_power(a, n < 0 ? -n : n);
    if (n > 0) return finite(power);
    return divide({1, 1}, power);
  }
  Interval add(const Interval& a, const Interval& b) { return finite(a + b); }
  Interval subtract(const Interval& a, const Interval& b) { return finite(a - b); }
  Interval multiply(const Interval& a, const Interval& b) { return finite(a * b); }
  Interval divide(const Interval& a, const Interval& b) {
    if (is_zero(b)) domain.nowhere = true;
    if (holds_zero(b)) return undefined();
    return finite(a * reciprocal(b));
  }
  Interval power(const Interval& a, const Interval& b) {
    if (a.low < 0) {
      // Only whole exponents have a value there.
      const bool fraction = b.low == b.high && b.low != std::floor(b.low);
      if (!fraction) return undefined();
      domain.everywhere = false;
      if (a.high < 0) domain.nowhere = true;
    }
    if (a.low <= 0 && b.low <= 0) domain.everywhere = false;
    return finite(power_of_positive({std::max(a.low, 0.0), std::max(a.high, 0.0)}, b));
  }
  Interval atan2(const Interval& y, const Interval& x) {
    constexpr double pi = std::numbers::pi;
    if (holds_zero(y) && x.low <= 0) {  // the cut along the negative x axis, or the origin
      domain.everywhere = false;
      return {below(-pi), above(pi)};
    }
    Interval range{kInfinity, -kInfinity};
    for (const double v : {y.low, y.high})
      for (const double u : {x.low, x.high}) range = hull(range, constant(elementary::atan2(v, u)));
    return {below(range.low, kElementary) - kTiny, above(range.high, kElementary) + kTiny};
  }
  Interval min(const Interval& a, const Interval& b) {
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  }
  Interval max(const Interval& a, const Interval& b) {
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }

  /// Numbers beyond the largest double become infinite, and differences of such have no value.
  Interval finite(const Interval& a) {
    if (!(a.low > -kInfinity && a.high < kInfinity)) domain.everywhere = false;
    return a;
  }

 private:
  Interval undefined() {
    domain.everywhere = false;
    return kWholeLine;
  }
};

struct SlopedInterval {
  Interval value;
  Interval slope;
};

/// Intervals with those of the derivative. Where a function is not proved to be continuous the
/// domain says so, and the slope means nothing.
struct SlopeAlgebra {
  using Number = SlopedInterval;
  IntervalAlgebra intervals;

  SlopedInterval constant(double value) { return {{value, value}, {0, 0}}; }
  SlopedInterval negate(const SlopedInterval& a) { return {-a.value, -a.slope}; }
  SlopedInterval abs(const SlopedInterval& a) {
    if (a.value.low >= 0) return a;
    if (a.value.high <= 0) return negate(a);
    return {absolute(a.value), hull(a.slope, -a.slope)};
  }
  SlopedInterval sqrt(const SlopedInterval& a) {
    const Interval root = intervals.sqrt(a.value);
    const Interval doubled{2 * root.low, 2 * root.high};
    return {root, a.slope * over_positive(doubled)};
  }
  SlopedInterval exp(const SlopedInterval& a) {
    const Interval power = intervals.exp(a.value);
    return {power, power * a.slope};
  }
  SlopedInterval log(const SlopedInterval& a) {
    return {intervals.log(a.value), a.slope * over_positive(a.value)};
  }
  SlopedInterval sin(const SlopedInterval& a) {
    if (is_zero(a.slope)) return {sine(a.value), a.slope};
    return {sine(a.value), cosine(a.value) * a.slope};
  }
  SlopedInterval cos(const SlopedInterval& a) {
    if (is_zero(a.slope)) return {cosine(a.value), a.slope};
    return {cosine(a.value), -(sine(a.value) * a.slope)};
  }
  SlopedInterval tan(const SlopedInterval& a) {
    const Interval tangent = intervals.tan(a.value);
    return {tangent, (Interval{1, 1} + intervals.square(tangent)) * a.slope};
  }
  SlopedInterval square(const SlopedInterval& a) {
    return {intervals.square(a.value), Interval{2 * a.value.low, 2 * a.value.high} * a.slope};
  }
  SlopedInterval whole_power(const SlopedInterval& a, int n) {
    if (n == 0) return constant(1);
    const double factor = n;
    const Interval derivative = Interval{factor, factor} * intervals.whole_power(a.value, n - 1);
    return {intervals.whole_power(a.value, n), derivative * a.slope};
  }
  SlopedInterval add(const SlopedInterval& a, const SlopedInterval& b) {
    return {intervals.add(a.value, b.value), a.slope + b.slope};
  }
  SlopedInterval subtract(const SlopedInterval& a, const SlopedInterval& b) {
    return {intervals.subtract(a.value, b.value), a.slope - b.slope};
  }
  SlopedInterval multiply(const SlopedInterval& a, const SlopedInterval& b) {
    return {intervals.multiply(a.value, b.value), a.value * b.slope + a.slope * b.value};
  }
  SlopedInterval divide(const SlopedInterval& a, const SlopedInterval& b) {
    const Interval quotient = intervals.divide(a.value, b.value);
    if (holds_zero(b.value)) return {quotient, kWholeLine};
    return {quotient, (a.slope - quotient * b.slope) * reciprocal(b.value)};
  }
  /// (a^b)' = a^b (b' log a + b a' / a); for a constant b it is b a^(b - 1) a', also at a = 0.
  SlopedInterval power(const SlopedInterval& a, const SlopedInterval& b) {
    const Interval power = intervals.power(a.value, b.value);
    if (a.value.low < 0) return {power, kWholeLine};
    if (b.value.low == b.value.high && b.slope.low == 0 && b.slope.high == 0) {
      const Interval less = b.value - Interval{1, 1};
      return {power, b.value * power_of_positive(a.value, less) * a.slope};
    }
    if (a.value.low <= 0) return {power, kWholeLine};
    const Interval logarithm = increasing(a.value, [](double x) { return elementary::log(x); });
    return {power, power * (b.slope * logarithm + b.value * a.slope * reciprocal(a.value))};
  }
  SlopedInterval atan2(const SlopedInterval& y, const SlopedInterval& x) {
    const Interval square = intervals.square(x.value) + intervals.square(y.value);
    return {intervals.atan2(y.value, x.value),
            (x.value * y.slope - y.value * x.slope) * over_positive(square)};
  }
  SlopedInterval min(const SlopedInterval& a, const SlopedInterval& b) {
    if (a.value.high < b.value.low) return a;
    if (b.value.high < a.value.low) return b;
    return {intervals.min(a.value, b.value), hull(a.slope, b.slope)};
  }
  SlopedInterval max(const SlopedInterval& a, const SlopedInterval& b) {
    if (a.value.low > b.value.high) return a;
    if (b.value.low > a.value.high) return b;
    return {intervals.max(a.value, b.value), hull(a.slope, b.slope)};
  }

 private:
  /// 1 / a over the positive part of a.
  static Interval over_positive(const Interval& a) {
    return {a.high > 0 ? below(1 / a.high) : 0, a.low > 0 ? above(1 / a.low) : kInfinity};
  }
};

}  // namespace plimsoll
