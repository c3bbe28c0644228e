// Gauss-Legendre quadrature of any order.
#pragma once

#include <vector>

namespace plimsoll {

/// Integrates polynomials up to degree 2 size - 1 over [0, 1] exactly, up to rounding.
struct GaussRule {
  std::vector<double> nodes;    ///< Ascending.
  std::vector<double> weights;  ///< Positive, their sum is 1.
};

/// The rule with `size` nodes, 1 or more; nodes and weights good to a unit in the last place.
[[nodiscard]] GaussRule gauss_legendre(int size);

/// The number of nodes that is exact for polynomials of `degree`.
[[nodiscard]] constexpr int gauss_size(int degree) { return degree / 2 + 1; }

}  // namespace plimsoll
