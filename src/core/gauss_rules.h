// Rules of quadrature: Gauss-Legendre of any order, and one of Gauss and Kronrod.
#pragma once

#include <array>
#include <cstddef>
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

/// A node in [0, 1], its weight, and its weight in the rule of fewer nodes, 0 where that has none.
struct KronrodNode {
  double at, weight, coarse_weight;
};

/// The rule of 15 nodes, ascending, every second of which is one of the 7 of Gauss: exact for
/// polynomials up to degree 23, and 13, up to rounding.
inline constexpr std::size_t kKronrodNodes = 15;
[[nodiscard]] const std::array<KronrodNode, kKronrodNodes>& gauss_kronrod();

}  // namespace plimsoll
