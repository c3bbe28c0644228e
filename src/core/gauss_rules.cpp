#include "core/gauss_rules.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <cstddef>

namespace plimsoll {
// The nodes are the zeros x of P_n; the weights on [-1, 1] are 2 / ((1 - x^2) P_n'(x)^2), with
// (x^2 - 1) P_n' = n (x P_n - P_n-1) [DavisRabinowitz1984]. Long double keeps the last place of a
// double where it is wider.
GaussRule gauss_legendre(int size) {
  const auto count = static_cast<std::size_t>(size);
  GaussRule rule{std::vector<double>(count), std::vector<double>(count)};
  std::size_t at = count / 2;
  for (const long double x : boost::math::legendre_p_zeros<long double>(size)) {
    const long double value = boost::math::legendre_p(size, x);
    const long double slope =
        size * (x * value - boost::math::legendre_p(size - 1, x)) / (x * x - 1);
    rule.nodes[count - 1 - at] = static_cast<double>((1 - x) / 2);
    rule.nodes[at] = static_cast<double>((1 + x) / 2);
    rule.weights[at] = rule.weights[count - 1 - at] =
        static_cast<double>(1 / ((1 - x * x) * slope * slope));
    ++at;
  }
  return rule;
}

// Boost has the nodes of [-1, 1] that are not negative, ascending, and of Gauss every second one.
const std::array<KronrodNode, kKronrodNodes>& gauss_kronrod() {
  static const auto rule = [] {
    using Fine = boost::math::quadrature::gauss_kronrod<double, kKronrodNodes>;
    using Coarse = boost::math::quadrature::gauss<double, kKronrodNodes / 2>;
    constexpr std::size_t kMiddle = kKronrodNodes / 2;
    std::array<KronrodNode, kKronrodNodes> nodes{};
    for (std::size_t i = 0; i <= kMiddle; ++i) {
      const double x = Fine::abscissa()[i], weight = Fine::weights()[i] / 2;
      const double coarse_weight = i % 2 == 0 ? Coarse::weights()[i / 2] / 2 : 0;
      nodes[kMiddle - i] = {(1 - x) / 2, weight, coarse_weight};
      nodes[kMiddle + i] = {(1 + x) / 2, weight, coarse_weight};
    }
    return nodes;
  }();
  return rule;
}

}  // namespace plimsoll
