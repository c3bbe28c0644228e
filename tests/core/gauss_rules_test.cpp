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

// With u = 2 x - 1 the integral of u^d over [0, 1] is 1 / (d + 1) for even d; odd ones are 0 by the
// symmetry of the nodes, so that the degrees promised are 13 of 7 nodes and 23 of 15.
TEST_CASE("a rule of Gauss and Kronrod is exact for the powers it promises, and no others") {
  for (int degree = 0; degree <= 30; degree += 2) {
    CAPTURE(degree);
    double fine = 0, coarse = 0;
    for (const KronrodNode& node : gauss_kronrod()) {
      fine += node.weight * std::pow(2 * node.at - 1, degree);
      coarse += node.coarse_weight * std::pow(2 * node.at - 1, degree);
    }
    CHECK((std::abs(fine * (degree + 1) - 1) < 1e-14) == (degree < 23));
    CHECK((std::abs(coarse * (degree + 1) - 1) < 1e-14) == (degree < 13));
  }
}

TEST_CASE("the nodes of Gauss and Kronrod ascend, symmetric about the middle") {
  const auto& rule = gauss_kronrod();
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (i > 0) CHECK(rule[i].at > rule[i - 1].at);
    CHECK(std::abs(rule[i].at + rule[rule.size() - 1 - i].at - 1) <= 1e-16);
    CHECK(rule[i].weight == rule[rule.size() - 1 - i].weight);
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
