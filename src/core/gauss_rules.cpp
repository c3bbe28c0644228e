#include "core/gauss_rules.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plimsoll {
namespace {

struct Legendre {
  long double value, slope;
};

// P_n by (k + 1) P_k+1 = (2 k + 1) x P_k - k P_k-1, and (x^2 - 1) P_n' = n (x P_n - P_n-1).
Legendre legendre(int n, long double x) {
  long double before = 1, value = x;
  for (int k = 1; k < n; ++k) {
    const long double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
    before = value;
    value = next;
  }
  return {value, n * (x * value - before) / (x * x - 1)};
}

}  // namespace

// The nodes are the zeros x of P_n, found by Newton's method from cos(pi (i - 1/4) / (n + 1/2)),
// which is near enough for it to converge [DavisRabinowitz1984]; the weights on [-1, 1]
// are 2 / ((1 - x^2) P_n'(x)^2). Long double keeps the last place of a double where it is wider.
GaussRule gauss_legendre(int size) {
  const auto count = static_cast<std::size_t>(size);
  GaussRule rule{std::vector<double>(count, 0.5), std::vector<double>(count, 1)};
  if (size == 1) return rule;
  for (int i = 0; i < size / 2; ++i) {
    long double x =
        std::cos(std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.75L) /
                 (static_cast<long double>(size) + 0.5L));
    for (int step = 0; step < 8; ++step) {  // it doubles the digits: four steps are enough
      const Legendre p = legendre(size, x);
      x -= p.value / p.slope;
    }
    const long double slope = legendre(size, x).slope;
    const auto weight = static_cast<double>(1 / ((1 - x * x) * slope * slope));
    const auto at = static_cast<std::size_t>(i);
    rule.nodes[at] = static_cast<double>((1 - x) / 2);
    rule.nodes[count - 1 - at] = static_cast<double>((1 + x) / 2);
    rule.weights[at] = rule.weights[count - 1 - at] = weight;
  }
  if (size % 2 == 1) {
    const long double slope = legendre(size, 0).slope;
    rule.weights[count / 2] = static_cast<double>(1 / (slope * slope));
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
