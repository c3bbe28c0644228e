#include "patch/bernstein_polynomial.h"

#include <plimsoll/assert.h>

namespace plimsoll {
namespace {

// C(n, 0) ... C(n, n), exact up to n = 56.
std::vector<double> binomials(std::size_t n) {
  std::vector<double> row{1};
  for (std::size_t k = 1; k <= n; ++k)
    row.push_back(row.back() * static_cast<double>(n - k + 1) / static_cast<double>(k));
  return row;
}

// Coefficients of u^i (1 - u)^(n - i) v^j (1 - v)^(m - j), which multiply like those of powers.
void scale(BernsteinPolynomial& p, bool back) {
  const std::vector<double> by_u = binomials(p.n), by_v = binomials(p.m);
  for (std::size_t i = 0; i <= p.n; ++i)
    for (std::size_t j = 0; j <= p.m; ++j) {
      double& c = p.coefficients[i * (p.m + 1) + j];
      c = back ? c / (by_u[i] * by_v[j]) : c * (by_u[i] * by_v[j]);
    }
}

}  // namespace

BernsteinPolynomial derivative_in_u(const BernsteinPolynomial& p) {
  if (p.is_zero() || p.n == 0) return {};
  BernsteinPolynomial result{p.n - 1, p.m, {}};
  const std::size_t columns = p.m + 1;
  for (std::size_t i = 0; i < p.n * columns; ++i)
    result.coefficients.push_back(static_cast<double>(p.n) *
                                  (p.coefficients[i + columns] - p.coefficients[i]));
  return result;
}

BernsteinPolynomial derivative_in_v(const BernsteinPolynomial& p) {
  if (p.is_zero() || p.m == 0) return {};
  BernsteinPolynomial result{p.n, p.m - 1, {}};
  for (std::size_t i = 0; i <= p.n; ++i)
    for (std::size_t j = 0; j < p.m; ++j) {
      const double* at = &p.coefficients[i * (p.m + 1) + j];
      result.coefficients.push_back(static_cast<double>(p.m) * (at[1] - at[0]));
    }
  return result;
}

BernsteinPolynomial operator*(const BernsteinPolynomial& p, const BernsteinPolynomial& q) {
  if (p.is_zero() || q.is_zero()) return {};
  BernsteinPolynomial a = p, b = q;
  scale(a, false);
  scale(b, false);
  BernsteinPolynomial result{p.n + q.n, p.m + q.m, {}};
  result.coefficients.resize((result.n + 1) * (result.m + 1));
  for (std::size_t i = 0; i <= a.n; ++i)
    for (std::size_t j = 0; j <= a.m; ++j)
      for (std::size_t k = 0; k <= b.n; ++k)
        for (std::size_t l = 0; l <= b.m; ++l)
          result.coefficients[(i + k) * (result.m + 1) + j + l] +=
              a.coefficients[i * (a.m + 1) + j] * b.coefficients[k * (b.m + 1) + l];
  scale(result, true);
  return result;
}

BernsteinPolynomial sum(BernsteinPolynomial p, double factor, const BernsteinPolynomial& q) {
  if (q.is_zero()) return p;
  if (p.is_zero()) p = {q.n, q.m, std::vector<double>(q.coefficients.size())};
  PLIMSOLL_ASSERT(p.n == q.n && p.m == q.m, "polynomials of equal degrees");
  for (std::size_t i = 0; i < q.coefficients.size(); ++i)
    p.coefficients[i] += factor * q.coefficients[i];
  return p;
}

}  // namespace plimsoll
