// Error counts: tetrahedron_terms evaluated on how much rounding each number type adds, so that the
// bounds of the kernels are read off the very code that they bound.
//
// A quantity x stands with a magnitude M, the value of its expression with every term taken
// absolute. u = 2^-53. Terms of higher order are covered by the factor kSlack of moment_sums.cpp.
#pragma once

#include <algorithm>

namespace plimsoll {

/// Plain double: |computed - true| <= k u M. A product or sum adds one rounding of its result.
struct PlainGrowth {
  double k = 0;
};
constexpr PlainGrowth operator*(PlainGrowth a, PlainGrowth b) { return {a.k + b.k + 1}; }
constexpr PlainGrowth operator+(PlainGrowth a, PlainGrowth b) { return {std::max(a.k, b.k) + 1}; }
constexpr PlainGrowth operator-(PlainGrowth a, PlainGrowth b) { return a + b; }

/// Double-double as a pair h + l that is not renormalized (wide_number.h):
/// |h + l - true| <= k u^2 M and |l| <= lambda u M.
///
/// Product: h exact with its error e; then fl(fl(fl(h1 l2) + fl(l1 h2)) + e), l1 l2 left out. The
/// terms are below lambda2 u M, lambda1 u M and u M, so the roundings are (lambda1 + lambda2) u^2
/// twice and (lambda1 + lambda2 + 1) u^2, the term left out lambda1 lambda2 u^2.
/// Sum: h exact with its error e; then fl(fl(l1 + l2) + e): roundings lambda and lambda + 1.
struct DoubleDoubleGrowth {
  double k = 0;
  double lambda = 0;
};
constexpr DoubleDoubleGrowth operator*(DoubleDoubleGrowth a, DoubleDoubleGrowth b) {
  return {a.k + b.k + a.lambda * b.lambda + 3 * (a.lambda + b.lambda) + 1, a.lambda + b.lambda + 1};
}
constexpr DoubleDoubleGrowth operator+(DoubleDoubleGrowth a, DoubleDoubleGrowth b) {
  const double lambda = std::max(a.lambda, b.lambda);
  return {std::max(a.k, b.k) + 2 * lambda + 1, lambda + 1};
}
constexpr DoubleDoubleGrowth operator-(DoubleDoubleGrowth a, DoubleDoubleGrowth b) { return a + b; }

/// A sum of `terms` of them, one after another, into a pair (H, L): H exact with its error e_i,
/// then L = fl(L + fl(l_i + e_i)). |l_i| <= lambda u M_i and |e_i| <= u sum M, so |L| grows to at
/// most (lambda + terms) u sum M, and each step rounds by (lambda M_i + sum M) u^2 and u |L|.
constexpr DoubleDoubleGrowth accumulated(DoubleDoubleGrowth term, double terms) {
  return {term.k + term.lambda + terms + terms * (term.lambda + terms), term.lambda + terms};
}
/// The same in plain double: at most one rounding of the sum for each term.
constexpr PlainGrowth accumulated(PlainGrowth term, double terms) { return {term.k + terms}; }

}  // namespace plimsoll
