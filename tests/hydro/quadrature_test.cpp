#include "hydro/quadrature.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace plimsoll {
namespace {

// sqrt(x + gap) over [0, 1], by the rule that is chosen for it.
double integral_of_root(double gap) {
  const std::array<Singularity, 1> at{{{-gap, 0}}};
  std::array<double, 1> sum{};
  integrate(
      0, 1, rule_for(is_clear(0, 1, at)), [&](double x) { return std::array{std::sqrt(x + gap)}; },
      sum);
  return sum[0];
}

// 1 / (x + gap), whose pole has to be farther off.
double integral_over_pole(double gap) {
  const std::array<Singularity, 1> at{{{-gap, 0, true}}};
  std::array<double, 1> sum{};
  integrate(
      0, 1, rule_for(is_clear(0, 1, at)), [&](double x) { return std::array{1 / (x + gap)}; }, sum);
  return sum[0];
}

// What the step of the double exponential rule leaves.
constexpr double kStepError = 2e-13;

TEST_CASE("the rule that is chosen for a root integrates it, wherever the root is") {
  for (const double gap : {0.0, 1e-10, 1e-6, 1e-4, 1e-3, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0}) {
    CAPTURE(gap);
    const double expected = 2.0 / 3 * (std::pow(1 + gap, 1.5) - std::pow(gap, 1.5));
    CHECK(std::abs(integral_of_root(gap) - expected) <= kStepError * expected);
  }
}

TEST_CASE("the rule that is chosen for a pole outside integrates it") {
  for (const double gap : {0.1, 0.3, 0.9, 1.0, 3.0}) {
    CAPTURE(gap);
    const double expected = std::log1p(1 / gap);
    CHECK(std::abs(integral_over_pole(gap) - expected) <= kStepError * expected);
  }
}

}  // namespace
}  // namespace plimsoll
