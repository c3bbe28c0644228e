// What wide_number.h has for many numbers at once, for one: a text of mathematics written with
// these names serves both. Numbers may have more digits than doubles.
#pragma once

#include <algorithm>
#include <utility>

namespace plimsoll {

/// What comparisons of numbers tell.
template <class Number>
using Condition = decltype(std::declval<Number>() > std::declval<Number>());

/// `x` as a number, in the one lane there is.
template <class Number>
constexpr Number everywhere(double x) {
  return Number(x);
}
template <class Number>
constexpr Number select(bool condition, const Number& yes, const Number& no) {
  return condition ? yes : no;
}
template <class Number>
constexpr Number select_or_zero(bool condition, const Number& yes) {
  return condition ? yes : Number(0);
}
template <class Number>
constexpr Number clamped(const Number& x, const Number& low, const Number& high) {
  return std::min(std::max(x, low), high);
}
template <class... Conditions>
constexpr bool all_hold(Conditions... conditions) {
  return (conditions && ...);
}
/// a / b for b above 0; any number for others.
template <class Number>
constexpr Number quotient(const Number& a, const Number& b) {
  return b > Number(0) ? Number(a / b) : Number(0);  // rational numbers refuse to divide by 0
}

}  // namespace plimsoll
