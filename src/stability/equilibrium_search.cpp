// Newton's method on E(n) = n . (G - B) with signs chosen for the eigenvalues of its Hessian: both
// positive leads to minima, both negative to maxima, the lower one negative and the other positive
// to saddles, up along the first direction and down along the second.
#include "stability/equilibrium_search.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "completeness/isolation.h"
#include "hydro/heave.h"

namespace plimsoll {
namespace {

/// The Newton step in the two heel axes, no longer than a trust radius.
Vec2 newton_step(const FloatingState& at, const SearchSigns& search, double size, double trust) {
  const Vec2 slope = at.heel_axes * at.righting_arm;
  Vec2 step;
  for (int k = 0; k < 2; ++k) {
    const double curvature = std::max(std::fabs(at.metacentric_heights[k]), 1e-9 * size);
    step[k] = -search.signs[k] * slope[k] / curvature;
  }
  const double length = step.norm();
  return length > trust ? Vec2(step * (trust / length)) : step;
}

Vec3 turned(const FloatingState& at, const Vec2& step) {
  // Along the great circle: a step of length l turns by l.
  const double angle = step.norm();
  if (angle == 0) return at.up;
  const Vec3 along = at.heel_axes.transpose() * (step / angle);
  const auto [sine, cosine] = elementary::sin_cos(angle);
  return (cosine * at.up + sine * along).normalized();
}

double missing(const FloatingBody& body, const FloatingState& at) {
  return body.displacement - at.wet.volume;
}

/// Where the water would be to first order: through the waterplane's center, and higher by what is
/// missing of the displacement.
std::optional<double> level_ahead(const FloatingBody& body, const FloatingState& at,
                                  const Vec3& up) {
  const WaterSection& section = at.wet.waterplane;
  if (!(section.area > 0)) return std::nullopt;
  return up.dot(section.center) + missing(body, at) / section.area;
}

class Walk {
 public:
  Walk(const FloatingBody& body, const SearchSigns& search, double tolerance)
      : body_(body), search_(search), tolerance_(tolerance), size_(elementary::cbrt(body.volume)) {}

  std::optional<FloatingState> from(const Vec3& up, std::optional<double> level = std::nullopt) {
    FloatingState at = state_at(up, level, size_);
    double trust = 0.7;
    while (cost_ < kMaxCost && at.righting_arm.allFinite()) {
      if (at.righting_arm.norm() <= tolerance_ * size_) break;
      const std::optional<FloatingState> next = better(at, trust);
      if (!next) break;
      at = *next;
    }
    return is_at_rest(at) ? settled(at) : std::nullopt;
  }

  [[nodiscard]] std::size_t cost() const { return cost_; }

 private:
  static constexpr std::size_t kMaxCost = 1000;

  /// Whether the arm is 0, or so short that rounding lets no step improve, or each by next to
  /// nothing. Of a body so thin that rounding makes long arms, an arm tells nothing. False where
  /// the arm is no number.
  bool is_at_rest(const FloatingState& at) const {
    constexpr double kStalled = 1e-10;
    const double stalled = std::max({tolerance_, kStalled, center_error(body_, at) / size_});
    return at.righting_arm.norm() <= std::min(stalled, kLargestResidual) * size_;
  }

  /// What energies may differ by that is rounding [m]: of a body of which little is wet, the center
  /// of buoyancy is known less well. Measured for tetrahedra of which a millionth to a half is wet:
  /// a thousandth of the bound.
  double energy_noise(const FloatingState& at) const {
    constexpr double kNoise = 1e-13, kShare = 1e-2;
    return std::max(kNoise * size_, kShare * center_error(body_, at));
  }

  /// The displacement only as nearly as the arm before asks for: what is missing of it counts to
  /// second order, and the next level makes up for it. Of what is to stay dry a part stays: where
  /// none does, there is no waterplane to tell of it.
  FloatingState state_at(const Vec3& up, std::optional<double> level, double arm) {
    const double dry = body_.volume - body_.displacement;
    const double tolerance = std::min({0.03 * arm / size_, 1e-2, 0.3 * dry / body_.displacement});
    const HeaveState found = heave(body_, up, level, tolerance);
    cost_ += found.cost();
    return state_of(body_, up, found);
  }

  /// The same at the full displacement; nothing where no level has it, or where it is not at rest.
  std::optional<FloatingState> settled(const FloatingState& at) const {
    if (std::fabs(missing(body_, at)) <= full_displacement(body_)) return at;
    const FloatingState full = float_upright(body_, at.up, level_ahead(body_, at, at.up));
    // The arm changed to second order only, unless rounding made it.
    const bool is_settled =
        is_held_up(body_, full) && full.righting_arm.norm() <= 2 * kLargestResidual * size_;
    return is_settled ? std::optional(full) : std::nullopt;
  }

  /// Halves the trust radius until the step improves; nothing if none does.
  std::optional<FloatingState> better(const FloatingState& at, double& trust) {
    const double arm = at.righting_arm.norm();
    Vec2 step = newton_step(at, search_, size_, trust);
    for (int halving = 0; halving < 50; ++halving) {
      const Vec3 up = turned(at, step);
      if (up == at.up) return std::nullopt;
      FloatingState next = state_at(up, level_ahead(body_, at, up), arm);
      if (!next.righting_arm.allFinite()) return std::nullopt;
      if (is_in_valley(next)) {
        FloatingState back = back_in_valley(next, arm);
        if (is_better(at, back, step)) next = std::move(back);
      }
      if (is_better(at, next, step)) {
        trust = std::clamp(2 * step.norm(), 1e-3, 0.7);
        return next;
      }
      step /= halving < 4 ? 2 : 8;
    }
    return std::nullopt;
  }

  /// Nearly round bodies have valleys that lead around their axis with next to no slope. A straight
  /// step leaves such a valley; brought back into it, it may be long. Where the valley of a light
  /// body ends the way back is too far, and the straight step is the better one.
  static bool is_in_valley(const FloatingState& at) {
    const Vec2 heights = at.metacentric_heights.cwiseAbs();
    return heights.minCoeff() < 1e-3 * heights.maxCoeff();
  }
  FloatingState back_in_valley(const FloatingState& at, double arm) {
    Vec2 step = newton_step(at, search_, size_, 0.1);
    int flat = 0;
    at.metacentric_heights.cwiseAbs().minCoeff(&flat);
    step[flat] = 0;
    const Vec3 up = turned(at, step);
    return state_at(up, level_ahead(body_, at, up), arm);
  }

  /// Less energy (or more, uphill); where energies differ by rounding only, and to saddles, which
  /// are lower in one direction and higher in the other, a shorter arm.
  bool is_better(const FloatingState& at, const FloatingState& next, const Vec2& step) const {
    const double arm = next.righting_arm.norm();
    const bool shorter = arm < at.righting_arm.norm();
    if (search_.signs[0] != search_.signs[1]) return shorter || step.norm() > kFarStep;
    const double noise = energy_noise(at);
    const double gain = search_.signs[0] * (at.energy - next.energy);
    const double expected = std::fabs((at.heel_axes * at.righting_arm).dot(step));
    if (gain >= 1e-4 * expected && gain > noise) return true;
    // On the wrong side of an inflection the way leads through longer arms.
    const bool is_curved_back = search_.signs[0] * at.metacentric_heights[0] < 0 ||
                                search_.signs[1] * at.metacentric_heights[1] < 0;
    return (shorter || is_curved_back) && gain > -noise && expected <= 1e3 * noise;
  }

  static constexpr double kFarStep = 0.2;

  const FloatingBody& body_;
  const SearchSigns search_;
  const double tolerance_;
  const double size_;
  std::size_t cost_ = 0;
};

}  // namespace

Vec3 spread_direction(int k, int n) {
  const double z = 1 - (2 * k + 1.0) / n;
  const double turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
  const double r = std::sqrt(1 - z * z);
  const auto [sine, cosine] = elementary::sin_cos(turn);
  return {r * cosine, r * sine, z};
}

std::optional<FloatingState> search_rest(const FloatingBody& body, const SearchSigns& signs,
                                         double tolerance, const Vec3& up,
                                         std::optional<double> level, std::size_t* cost) {
  Walk walk(body, signs, tolerance);
  std::optional<FloatingState> end = walk.from(up, level);
  if (cost != nullptr) *cost += walk.cost();
  return end;
}

}  // namespace plimsoll
