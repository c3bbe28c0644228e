// Formulas in x, y, z, for solids { p : f(p) < 0 }: values, guaranteed ranges, guaranteed slopes.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <memory>
#include <string_view>

namespace [[gnu::visibility("default")]] plimsoll {

/// The closed interval [low, high]; empty where low > high. An end may be infinite.
struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool is_empty() const { return !(low <= high); }
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// What a formula and its derivative can be in a box.
struct SlopeRange {
  Interval value;  ///< As Expression::range.
  Interval slope;  ///< Of the derivative along the direction, where there is one; at kinks of abs,
                   ///< min and max of all directions between.
  bool is_continuous = false;  ///< Proved to be defined and continuous in the whole box.
};

/// A formula of
///
///   sum     := product (('+' | '-') product)*
///   product := signed (('*' | '/') signed)*
///   signed  := '-' signed | power
///   power   := operand ('^' signed)?
///   operand := number | 'x' | 'y' | 'z' | 'pi' | '(' sum ')' | name '(' sum (',' sum)* ')'
///
/// so that -x^2 is -(x^2) and 2^3^2 is 2^9. Names: abs sqrt exp log sin cos tan of one argument,
/// atan2 of two, min and max of two or more. Where a real formula has no value (sqrt(-1), 1/0) it
/// is NaN, and so is every formula of it. Copies are cheap and share the program.
class Expression {
 public:
  /// Errors: `Malformed`, saying what was found and expected, `where` = "column 7" (from 1);
  /// `ResourceLimit` beyond 64 KiB of text or 100 levels of nesting.
  [[nodiscard]] static Result<Expression> parse(std::string_view text);

  /// The value, each operation rounded to nearest. Powers with a constant whole exponent up to 1024
  /// are products. No allocation.
  [[nodiscard]] double operator()(const Vec3& p) const;

  /// Contains the value at every point of `box` where it has one, exact or computed by operator();
  /// empty where no point has one. Constants, and what is computed of constants alone, count as
  /// the doubles that they are rounded to. Interval arithmetic: wider than need be where a variable
  /// occurs twice, sharp as the box shrinks.
  [[nodiscard]] Interval range(const Box3& box) const;

  /// The same with the derivative along `direction`, by forward differentiation in intervals.
  [[nodiscard]] SlopeRange range_along(const Box3& box, const Vec3& direction) const;

  struct Program;

 private:
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace plimsoll
