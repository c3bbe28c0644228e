// Numbers of about 106 bits: unevaluated sums of two doubles, the larger first. [Dekker1971]
//
// No operation fuses a product with a sum. Errors are below 2^-100 of the result, of sums and
// differences of their terms, unless something overflows or a product is below 2^-960.
#pragma once

#include <cmath>

#include "core/expansion.h"

namespace plimsoll {

/// a + b. Precondition: |a| >= |b|, or a = 0.
inline Parts ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline Parts operator-(const Parts& a) { return {-a.high, -a.low}; }

inline Parts operator+(const Parts& a, const Parts& b) {
  const Parts sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}
inline Parts operator+(const Parts& a, double b) { return a + Parts{b, 0}; }
inline Parts operator-(const Parts& a, const Parts& b) { return a + (-b); }

inline Parts operator*(const Parts& a, const Parts& b) {
  const Parts product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
inline Parts operator*(const Parts& a, double b) {
  const Parts product = exact_product(a.high, b);
  return ordered_sum(product.high, product.low + a.low * b);
}

inline Parts operator/(const Parts& a, const Parts& b) {
  const double reciprocal = 1 / b.high, quotient = a.high * reciprocal;
  const Parts product = exact_product(quotient, b.high);
  const double rest = ((a.high - product.high) - product.low) + (a.low - quotient * b.low);
  return ordered_sum(quotient, rest * reciprocal);
}

inline Parts square_root(const Parts& a) {
  if (!(a.high > 0)) return {std::sqrt(a.high), 0};
  const double root = std::sqrt(a.high);
  const Parts square = exact_product(root, root);
  const double rest = ((a.high - square.high) - square.low) + a.low;
  return ordered_sum(root, rest / (2 * root));
}

inline double rounded(const Parts& a) { return a.high + a.low; }

}  // namespace plimsoll
