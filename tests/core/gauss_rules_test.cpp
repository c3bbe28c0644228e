#include "core/gauss_rules.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

namespace plimsoll {
namespace {

// int x^d = 1 / (d + 1) over [0, 1]. Nodes are rounded by 1.1e-16, of which x^d makes d times as
// much of its value, but the weights of the nodes where that is much add up to about 1 / d.
TEST_CASE("Gauss-Legendre rules are exact for the powers they promise") {
  for (const int size : {1, 2, 3, 5, 8, 13, 63, 120, 200}) {
    CAPTURE(size);
    const GaussRule rule = gauss_legendre(size);
    for (const int degree : {0, 1, size, 2 * size - 2, 2 * size - 1}) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i)
        sum += rule.weights[i] * std::pow(rule.nodes[i], degree);
      CHECK(std::abs(sum * (degree + 1) - 1) < 2e-15 + 1e-16 * degree);
    }
  }
}

TEST_CASE("a rule of n nodes is not exact for degree 2 n") {
  const GaussRule rule = gauss_legendre(2);
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i) sum += rule.weights[i] * std::pow(rule.nodes[i], 4);
  CHECK(std::abs(sum - 7.0 / 36) < 1e-16);  // 1/5 less 1/180
}

// Both rules are symmetric about the middle, which makes the one of 7 nodes exact for degree 13 and
// that of 15 nodes, 8 of them chosen for it, for degree 23; not beyond.
TEST_CASE(
    "a rule of Gauss and Kronrod is exact for the powers it promises, with few nodes and all") {
  for (int degree = 0; degree <= 25; ++degree) {
    CAPTURE(degree);
    double fine = 0, coarse = 0;
    for (const KronrodNode& node : gauss_kronrod()) {
      fine += node.weight * std::pow(node.at, degree);
      coarse += node.coarse_weight * std::pow(node.at, degree);
    }
    CHECK((std::abs(fine * (degree + 1) - 1) < 4e-15) == (degree <= 23));
    CHECK((std::abs(coarse * (degree + 1) - 1) < 4e-15) == (degree <= 13));
  }
}

TEST_CASE("as few nodes are taken as a degree allows") {
  CHECK(gauss_size(0) == 1);
  CHECK(gauss_size(1) == 1);
  CHECK(gauss_size(2) == 2);
  CHECK(gauss_size(14) == 8);
}

}  // namespace
}  // namespace plimsoll
