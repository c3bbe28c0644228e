// How long formulas take, told by what they are made of: so limits of work are the same on every
// machine.
#pragma once

#include <plimsoll/expression.h>

#include <cstdint>

namespace plimsoll {

/// The work of one evaluation, in units of a nanosecond of one processor, or a little less.
struct ExpressionWork {
  std::int64_t value = 0;  ///< Expression::operator().
  std::int64_t range = 0;  ///< Expression::range_along; Expression::range takes no more.
};

[[nodiscard]] ExpressionWork work_of(const Expression& expression);

}  // namespace plimsoll
