#include "core/gauss_rules.h"

#include <plimsoll/elementary.h>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cstddef>
#include <numbers>

#include "core/double_double.h"

namespace plimsoll {
namespace {

struct Legendre {
  Parts value, slope;
};
/// P_n(x) and P_n'(x), n > 0, |x| < 1: (k + 1) P_k+1 = (2 k + 1) x P_k - k P_k-1 and
/// (x^2 - 1) P_n' = n (x P_n - P_n-1) [DavisRabinowitz1984].
Legendre legendre(int n, const Parts& x) {
  Parts before{0, 0}, value{1, 0};
  for (int k = 0; k < n; ++k) {
    const Parts next = (x * value * (2.0 * k + 1) - before * k) / Parts{k + 1.0, 0};
    before = value;
    value = next;
  }
  return {value, (x * value - before) * n / (x * x + -1.0)};
}

}  // namespace

// The nodes are the zeros x of P_n, by Newton's method from the usual guess; the weights on [-1, 1]
// are 2 / ((1 - x^2) P_n'(x)^2) [DavisRabinowitz1984]. Twice the digits of a double keep its last
// place.
GaussRule gauss_legendre(int size) {
  const auto count = static_cast<std::size_t>(size);
  GaussRule rule{std::vector<double>(count), std::vector<double>(count)};
  constexpr int kSteps = 6;  // the error is squared by each; the guess is good to 1e-2
  for (std::size_t i = 0; i < (count + 1) / 2; ++i) {
    const double turn = (static_cast<double>(i) + 0.75) / (size + 0.5);
    Parts x{2 * i + 1 == count ? 0 : elementary::cos(std::numbers::pi * turn), 0};
    for (int step = 0; step < kSteps && x.high != 0; ++step) {
      const Legendre at = legendre(size, x);
      x = x - at.value / at.slope;
    }
    const Parts slope = legendre(size, x).slope;
    rule.nodes[i] = rounded((Parts{1, 0} - x) * 0.5);
    rule.nodes[count - 1 - i] = rounded((x + 1.0) * 0.5);
    rule.weights[i] = rule.weights[count - 1 - i] =
        rounded(Parts{1, 0} / ((Parts{1, 0} - x * x) * slope * slope));
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
