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

namespace plimsoll {

struct QuadratureRule {
  static constexpr int kPoints = 15;
  static constexpr std::array<double, 8> kNodes = {
      0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
      0.586087235467691130294144691258399, 0.405845151377397166906606412076961,
      0.207784955007898467600689403773245, 0};
  static constexpr std::array<double, 8> kKronrod = {
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static constexpr std::array<double, 4> kGauss = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
      0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

  /// The k-th point in 0..1, its weight, and its weight in the rule of 7, 0 where that has none.
  struct Point {
    double at, weight, coarse_weight;
  };
  static Point point(int k) {
    const int i = k < 8 ? k : 14 - k;
    const auto index = static_cast<std::size_t>(i);
    const double node = k < 8 ? -kNodes[index] : kNodes[index];
    return {(1 + node) / 2, kKronrod[index] / 2, i % 2 == 1 ? kGauss[index / 2] / 2 : 0};
  }
};

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
  const auto part = [&](double begin, double end) {
    std::array<double, QuadratureRule::kPoints> x;
    std::array<double, QuadratureRule::kPoints> slope;
    std::array<std::array<double, N>, QuadratureRule::kPoints> y;
    for (int k = 0; k < QuadratureRule::kPoints; ++k) {
      const double s = begin + (end - begin) * QuadratureRule::point(k).at;
      const auto index = static_cast<std::size_t>(k);
      x[index] = a + (b - a) * s * s * (3 - 2 * s);
      slope[index] = 6 * s * (1 - s);
    }
    samples(x, y);
    Part result{begin, end, {}, 0};
    std::array<double, N> coarse{};
    for (int k = 0; k < QuadratureRule::kPoints; ++k) {
      const QuadratureRule::Point point = QuadratureRule::point(k);
      const auto index = static_cast<std::size_t>(k);
      const double scale = (end - begin) * (b - a) * slope[index];
      for (std::size_t n = 0; n < N; ++n) {
        const double term = scale * y[index][n];
        result.found.value[n] += point.weight * term;
        coarse[n] += point.coarse_weight * term;
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
