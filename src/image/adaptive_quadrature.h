// Adaptive integration of vectors of integrals, with an estimate of its error.
//
// The rule of Gauss and Kronrod with 7 and 15 points, on x = a + (b - a) s^2 (3 - 2 s): the change
// of variable makes square roots at the ends, as silhouettes have them, smooth [Piessens 1983,
// QUADPACK; Davis & Rabinowitz 1984, sec. 2.9.2]. The worst intervals are halved
// until the two rules agree.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/gauss_rules.h"

namespace plimsoll {

/// An integral, and an estimate of the error of each of its terms.
template <std::size_t N>
struct Estimated {
  std::array<double, N> value{};
  std::array<double, N> error{};
};

/// Integrates over a..b. `samples(x, y)` is called on all 15 points of an interval at once: x are
/// its points, y takes the values, both arrays of 15. The interval with the largest error, relative
/// to `tolerance`, is halved until the errors add up to no more than that, or there are
/// `max_intervals` of them.
template <std::size_t N, class Samples>
Estimated<N> integrate(double a, double b, const std::array<double, N>& tolerance,
                       std::size_t max_intervals, const Samples& samples) {
  struct Part {
    double begin, end;  // of s
    Estimated<N> found;
    double excess;  // of its error over the tolerance
    bool operator<(const Part& other) const { return excess < other.excess; }
  };
  const std::array<KronrodNode, kKronrodNodes>& rule = gauss_kronrod();
  const auto part = [&](double begin, double end) {
    std::array<double, kKronrodNodes> x;
    std::array<double, kKronrodNodes> slope;
    std::array<std::array<double, N>, kKronrodNodes> y;
    for (std::size_t k = 0; k < kKronrodNodes; ++k) {
      const double s = begin + (end - begin) * rule[k].at;
      x[k] = a + (b - a) * s * s * (3 - 2 * s);
      slope[k] = 6 * s * (1 - s);
    }
    samples(x, y);
    Part result{begin, end, {}, 0};
    std::array<double, N> coarse{};
    for (std::size_t k = 0; k < kKronrodNodes; ++k) {
      const double scale = (end - begin) * (b - a) * slope[k];
      for (std::size_t n = 0; n < N; ++n) {
        const double term = scale * y[k][n];
        result.found.value[n] += rule[k].weight * term;
        coarse[n] += rule[k].coarse_weight * term;
      }
    }
    for (std::size_t n = 0; n < N; ++n) {
      // The finer rule is far better than the difference where the integrand is smooth, and not
      // where it only nearly has a crease.
      result.found.error[n] = std::abs(result.found.value[n] - coarse[n]);
      result.excess = std::max(result.excess, result.found.error[n] / tolerance[n]);
    }
    return result;
  };
  std::vector<Part> parts = {part(0, 1)};
  const auto is_good = [&] {
    std::array<double, N> sum{};
    for (const Part& p : parts)
      for (std::size_t n = 0; n < N; ++n) sum[n] += p.found.error[n];
    for (std::size_t n = 0; n < N; ++n)
      if (sum[n] > tolerance[n]) return false;
    return true;
  };
  while (parts.size() < max_intervals && !is_good()) {
    std::pop_heap(parts.begin(), parts.end());
    const Part worst = parts.back();
    const double middle = (worst.begin + worst.end) / 2;
    parts.back() = part(worst.begin, middle);
    std::push_heap(parts.begin(), parts.end());
    parts.push_back(part(middle, worst.end));
    std::push_heap(parts.begin(), parts.end());
  }
  Estimated<N> total;
  for (const Part& p : parts)
    for (std::size_t n = 0; n < N; ++n) {
      total.value[n] += p.found.value[n];
      total.error[n] += p.found.error[n];
    }
  return total;
}

}  // namespace plimsoll
