#include "hydro/quadrature.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/gauss_rules.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// The double exponential rule on [0, 1]: the trapezoid rule in t of x = 1 / (1 + exp(-pi sinh t))
/// [TakahasiMori1974]. Roots and logarithms at the ends do not matter to it, and little those that
/// lie beyond the ends, however near; intervals are split so that there are no others. With a third
/// of the step no result changes by more than 2e-13; past the last node is 4e-17 of the interval.
struct EndRule {
  static constexpr int kHalf = 37;
  static constexpr double kStep = 0.086;
  std::array<Node, 2 * kHalf + 1> nodes;

  EndRule() {
    for (int i = -kHalf; i <= kHalf; ++i) {
      const double t = kStep * i;
      const double grown = elementary::exp(t), shrunk = elementary::exp(-t);
      const double sinh = (grown - shrunk) / 2, cosh = (grown + shrunk) / 2;
      const double before = 1 / (1 + elementary::exp(-pi * sinh));
      const double behind = 1 / (1 + elementary::exp(pi * sinh));
      nodes[static_cast<std::size_t>(i + kHalf)] = {before, kStep * pi * cosh * before * behind};
    }
  }
};

/// Gauss's rule in theta, x = (1 - cos theta) / 2, in which square roots at the ends are analytic.
/// A singularity beyond an end by 0.3 of the interval lies on the ellipse about theta's whose
/// half axes add up to 2.3 half intervals, and n nodes leave 2.3^-2n [Trefethen2013, theorem 19.3]:
/// 4e-18 times its strength for 24 of them.
struct ClearRule {
  std::array<Node, 24> nodes;

  ClearRule() {
    const GaussRule rule = gauss_legendre(static_cast<int>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double theta = pi * rule.nodes[i];
      const double root = elementary::sin(theta / 2);
      nodes[i] = {root * root, pi / 2 * elementary::sin(theta) * rule.weights[i]};
    }
  }
};

}  // namespace

bool is_clear(double a, double b, std::span<const Singularity> singularities) {
  constexpr double kFromRoots = 0.3, kFromPoles = 1;
  return std::all_of(singularities.begin(), singularities.end(), [&](const Singularity& s) {
    const double along = std::fmax(0, std::fmax(a - s.at, s.at - b));
    const bool is_end = std::fmin(std::fabs(a - s.at), std::fabs(b - s.at)) < 1e-13;
    return (is_end && s.beside == 0 && !s.is_pole) ||
           elementary::hypot(along, s.beside) >= (s.is_pole ? kFromPoles : kFromRoots) * (b - a);
  });
}

std::span<const Node> rule_for(bool clear) {
  static const EndRule end;
  static const ClearRule smooth;
  return clear ? std::span<const Node>(smooth.nodes) : std::span<const Node>(end.nodes);
}

}  // namespace plimsoll
