// Two fixed rules for integrals of functions that are smooth but at the ends of an interval or
// beyond them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace plimsoll {

struct Node {
  double at, weight;  // on [0, 1]
};

/// Where a function has a singularity: at t +- i `beside`; ends have to be clear of poles by more.
struct Singularity {
  double at, beside;
  bool is_pole = false;
};

/// Whether all singularities but roots at the ends are clear of [a, b]. A root that comes nearer to
/// an end than rounding is there.
[[nodiscard]] bool is_clear(double a, double b, std::span<const Singularity> singularities);

/// The rule for an interval that is clear, or not.
[[nodiscard]] std::span<const Node> rule_for(bool clear);

/// Adds the integrals over [a, b] of the terms, an array, to `sums`.
template <std::size_t N, class Terms>
void integrate(double a, double b, std::span<const Node> rule, const Terms& terms,
               std::array<double, N>& sums) {
  for (const Node& node : rule) {
    const std::array<double, N> value = terms(a + (b - a) * node.at);
    const double weight = (b - a) * node.weight;
    for (std::size_t k = 0; k < N; ++k) sums[k] += weight * value[k];
  }
}

}  // namespace plimsoll
