// Adaptive integration of vectors of integrals, with an estimate of its error.
//
// The rule of Gauss and Kronrod with 7 and 15 points, on x = a + (b - a) s^2 (3 - 2 s): the change
// of variable makes square roots at the ends, as silhouettes have them, smooth [Piessens 1983,
// QUADPACK; Davis & Rabinowitz 1984, sec. 2.9.2]. Intervals are halved until the two rules agree.
#pragma once

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

/// Integrates over a..b. `sample(x, y)` is called on all 15 points of an interval at once:
/// x are its points, y takes the values, both arrays of 15. Intervals are halved while the error
/// exceeds `tolerance` [of the integral] and they are wider than `narrowest`.
template <std::size_t N, class Samples>
Estimated<N> integrate(double a, double b, const std::array<double, N>& tolerance, double narrowest,
                       const Samples& samples) {
  struct Part {
    double begin, end;  // of s
  };
  Estimated<N> total;
  std::vector<Part> waiting = {{0, 1}};
  std::array<double, QuadratureRule::kPoints> x;
  std::array<std::array<double, N>, QuadratureRule::kPoints> y;
  while (!waiting.empty()) {
    const Part interval = waiting.back();
    waiting.pop_back();
    const double width = interval.end - interval.begin;
    std::array<double, QuadratureRule::kPoints> slope;
    for (int k = 0; k < QuadratureRule::kPoints; ++k) {
      const double s = interval.begin + width * QuadratureRule::point(k).at;
      const auto index = static_cast<std::size_t>(k);
      x[index] = a + (b - a) * s * s * (3 - 2 * s);
      slope[index] = 6 * s * (1 - s);
    }
    samples(x, y);
    std::array<double, N> fine{}, coarse{}, spread{};
    for (int k = 0; k < QuadratureRule::kPoints; ++k) {
      const QuadratureRule::Point point = QuadratureRule::point(k);
      const auto index = static_cast<std::size_t>(k);
      const double scale = width * (b - a) * slope[index];
      for (std::size_t n = 0; n < N; ++n) {
        const double term = scale * y[index][n];
        fine[n] += point.weight * term;
        coarse[n] += point.coarse_weight * term;
        spread[n] += point.weight * std::abs(term);
      }
    }
    std::array<double, N> error;
    bool good = true;
    for (std::size_t n = 0; n < N; ++n) {
      // Smooth integrands converge so fast that the finer rule is far better than the difference.
      const double difference = std::abs(fine[n] - coarse[n]);
      const double ratio = spread[n] > 0 ? 200 * difference / spread[n] : 0;
      error[n] = ratio < 1 ? difference * std::sqrt(ratio) : difference;
      good = good && error[n] <= tolerance[n] * std::sqrt(width);
    }
    if (!good && width * std::abs(b - a) > narrowest) {
      const double middle = (interval.begin + interval.end) / 2;
      waiting.push_back({middle, interval.end});
      waiting.push_back({interval.begin, middle});
      continue;
    }
    for (std::size_t n = 0; n < N; ++n) {
      total.value[n] += fine[n];
      total.error[n] += error[n];
    }
  }
  return total;
}

}  // namespace plimsoll
