// Polynomials in two variables by their Bernstein coefficients, which bound them.
#pragma once

#include <cstddef>
#include <vector>

namespace plimsoll {

/// Of degree n in u and m in v; empty: zero.
struct BernsteinPolynomial {
  std::size_t n = 0, m = 0;
  std::vector<double> coefficients;  ///< (n + 1) x (m + 1), v fastest.

  [[nodiscard]] bool is_zero() const { return coefficients.empty(); }
};

[[nodiscard]] BernsteinPolynomial derivative_in_u(const BernsteinPolynomial& p);
[[nodiscard]] BernsteinPolynomial derivative_in_v(const BernsteinPolynomial& p);
[[nodiscard]] BernsteinPolynomial operator*(const BernsteinPolynomial& p,
                                            const BernsteinPolynomial& q);
/// p + factor * q, of equal degrees unless one is zero.
[[nodiscard]] BernsteinPolynomial sum(BernsteinPolynomial p, double factor,
                                      const BernsteinPolynomial& q);

}  // namespace plimsoll
