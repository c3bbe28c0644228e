// Righting arms as derivatives of the energy E(n) = n . (G - B) (equilibrium.cpp). Heeling the body
// by phi about its axis a turns the water's normal, seen from the body, the other way: n0(phi) is
// `up` turned by -phi about a. Trimming by tau tilts the axis under the water:
//
//   n(phi, tau) = cos tau n0 + sin tau e,   e = a - (a . n0) n0, of unit length.
//
// Free trim is a minimum of E over tau: dE / dtau = 0 and d2E / dtau2 > 0. By the envelope theorem
// GZ = dE / dphi then needs no derivative of the trim. With M / V = H + E 1, H the Hessian of E on
// the tangent plane, and subscripts for derivatives by heel or trim,
//
//   E_x = (G - B) . n_x,   E_xy = n_x . (M / V) n_y + (G - B) . n_xy,
//   dtau / dphi = -E_ht / E_tt,   dGZ / dphi = E_hh - E_ht^2 / E_tt.
//
// A minimum ends where E_tt falls to 0 (or, where a face comes to lie in the water, jumps below
// it): the trim then falls to another one with phi held, and the energy that this sets free is no
// part of the area under the curve. So the area is E less its value at the beginning of each piece,
// summed over the pieces.
#include <plimsoll/elementary.h>
#include <plimsoll/righting_arms.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hydro/heave.h"
#include "hydro/units.h"

namespace plimsoll {
namespace {

constexpr double kStep = std::numbers::pi / 180;  // between angles that follow each other
constexpr double kFinestStep = 1e-12;             // where a stable trim ends is known to that
constexpr double kMaxTrim = 1.4;                  // [rad]; at pi / 2 heel has no meaning
// Trims that differ by less are neighbours on one branch. The two ends of a step of a degree agree
// with their slopes to h^3 tau''' / 12 = 4e-7 tau'''.
constexpr double kNeighbours = 1e-4;  // [rad]
// A curve in more pieces is none that can be followed: the trim is as good as neutral.
constexpr int kMaxFalls = 100;

/// The normal and its derivatives by heel and trim.
struct Normal {
  Vec3 n, by_heel, by_trim, heel_heel, heel_trim, trim_trim;
};

/// The body held at a heel and a trim.
struct Held {
  HeeledState at;
  double trim_moment = 0;     // E_t
  double trim_stiffness = 0;  // E_tt
  double trim_slope = 0;      // dtau / dphi of a trim that stays at E_t = 0
};

class Heeler {
 public:
  Heeler(const FloatingBody& body, const Heeling& heeling) : body_(body), heeling_(heeling) {
    const double reach =
        std::max({body.box.min().norm(), body.box.max().norm(), body.center_of_mass.norm()});
    noise_ = 0x1p-44 * reach * body.volume / body.displacement;
  }

  /// Nothing where the body is no solid, or so thin that it is not held up. One with openings that
  /// is not held up is flooded, which is told of them.
  [[nodiscard]] std::optional<Held> hold(double heel, double trim,
                                         std::optional<double> level) const {
    Held held;
    held.at.heel = heel;
    held.at.trim = trim;
    const Normal normal = normal_at(heel, trim);
    held.at.state = float_upright(body_, normal.n, level);
    if (!held.at.state.righting_arm.allFinite()) return std::nullopt;
    if (heeling_.openings.empty() && !is_held_up(body_, held.at.state)) return std::nullopt;
    set_slopes(held, normal);
    return held;
  }

  /// The state at that heel, the trim found from the one given by Newton's method.
  [[nodiscard]] std::optional<Held> settle(double heel, double trim,
                                           std::optional<double> level) const {
    constexpr int kMaxSteps = 60, kFewSteps = 8;
    const double size = elementary::cbrt(body_.volume);
    for (int step = 0; step < kMaxSteps; ++step) {
      std::optional<Held> found = hold(heel, trim, level);
      if (!found || !heeling_.free_trim) return found;
      const double moment = std::fabs(found->trim_moment);
      if (moment <= 1e-13 * size || (step > kFewSteps && moment <= noise_)) return found;
      // Downhill where the curve bends up, else along the slope.
      const double curvature = std::max(std::fabs(found->trim_stiffness), 1e-6 * size);
      const double move = std::clamp(-found->trim_moment / curvature, -0.1, 0.1);
      if (std::fabs(trim + move) > kMaxTrim) return std::nullopt;
      if (std::fabs(move) <= 1e-15) return found;
      trim += move;
      level = found->at.state.level;
    }
    return std::nullopt;
  }

  /// The first minimum downhill from there, the heel held; or there, if neither side is downhill.
  [[nodiscard]] std::optional<Held> fall(double heel, double trim, double level) const {
    const std::optional<Held> beside = downhill_of(heel, trim, level);
    if (!beside) return settle(heel, trim, level);
    const double side = beside->at.trim < trim ? -1 : 1;
    double step = std::fabs(beside->at.trim - trim);
    Held high = *beside;
    while (std::fabs(high.at.trim) <= kMaxTrim) {
      const std::optional<Held> low = hold(heel, high.at.trim + side * step, high.at.state.level);
      if (!low) return std::nullopt;
      const bool is_coarse = step > kFinestFall && !agree(high, *low, side);
      if (!is_coarse && side * low->trim_moment > noise_) return between(high, *low, side);
      if (!is_coarse) high = *low;
      step = is_coarse ? step / 2 : std::min(2 * step, kStep);
    }
    return std::nullopt;
  }

  /// The trim would not leave by itself; true too where it is neutral.
  [[nodiscard]] bool is_stable(const Held& held) const {
    return !heeling_.free_trim || held.trim_stiffness >= -noise_;
  }

  /// Rounding aside, in stable trim.
  [[nodiscard]] bool is_at_rest(const Held& held) const {
    return is_stable(held) && (!heeling_.free_trim || std::fabs(held.trim_moment) <= noise_);
  }

  [[nodiscard]] bool is_dry(const FloatingState& state) const {
    return std::all_of(heeling_.openings.begin(), heeling_.openings.end(),
                       [&](const Vec3& p) { return state.up.dot(p) > state.level; });
  }

  /// An arm, area or slope [m] that rounding may have made.
  [[nodiscard]] double without_noise(double value) const {
    return std::fabs(value) <= noise_ ? 0 : value;
  }

 private:
  static constexpr double kFinestFall = 1e-7;  // [rad]

  [[nodiscard]] Normal normal_at(double heel, double trim) const {
    const Vec3& a = heeling_.axis;
    const auto [sine, cosine] = elementary::sin_cos(heel);
    const Vec3 kept = a.dot(heeling_.up) * a;
    const Vec3 n0 = kept + cosine * (heeling_.up - kept) - sine * a.cross(heeling_.up);
    const Vec3 d0 = -a.cross(n0);           // by heel
    const Vec3 dd0 = a.cross(a.cross(n0));  // twice by heel
    const double along = a.dot(n0);         // does not change
    const double across = std::sqrt(1 - along * along);
    const Vec3 e = (a - along * n0) / across;
    const Vec3 de = -along / across * d0;
    const Vec3 dde = -along / across * dd0;
    const auto [s, c] = elementary::sin_cos(trim);
    return {c * n0 + s * e,    c * d0 + s * de,  -s * n0 + c * e,
            c * dd0 + s * dde, -s * d0 + c * de, -c * n0 - s * e};
  }

  void set_slopes(Held& held, const Normal& normal) const {
    const FloatingState& state = held.at.state;
    const Vec3 apart = state.righting_arm + state.energy * state.up;  // G - B
    Mat3 hessian = Mat3::Zero();
    for (int k = 0; k < 2; ++k) {
      const Vec3 axis = state.heel_axes.row(k);
      hessian += state.metacentric_heights[k] * axis * axis.transpose();
    }
    const auto second = [&](const Vec3& x, const Vec3& y, const Vec3& xy) {
      return x.dot(hessian * y) + apart.dot(xy) + state.energy * x.dot(y);
    };
    const double heel_heel = second(normal.by_heel, normal.by_heel, normal.heel_heel);
    const double heel_trim = second(normal.by_heel, normal.by_trim, normal.heel_trim);
    held.trim_moment = apart.dot(normal.by_trim);
    held.trim_stiffness = second(normal.by_trim, normal.by_trim, normal.trim_trim);
    // A neutral trim, such as that of a ball, has no reason to move.
    const bool moves = heeling_.free_trim && std::fabs(held.trim_stiffness) > noise_;
    held.trim_slope = moves ? -heel_trim / held.trim_stiffness : 0;
    held.at.righting_arm = without_noise(apart.dot(normal.by_heel));
    held.at.slope = without_noise(heel_heel + heel_trim * held.trim_slope);
  }

  /// Close by, on the side that the energy falls to.
  [[nodiscard]] std::optional<Held> downhill_of(double heel, double trim, double level) const {
    for (double away = kFinestFall; away <= kStep; away *= 10)
      for (const double side : {1.0, -1.0}) {
        const std::optional<Held> beside = hold(heel, trim + side * away, level);
        if (!beside) return std::nullopt;
        if (side * beside->trim_moment < -noise_) return beside;
      }
    return std::nullopt;
  }

  /// Whether the moments change along the way as their slopes say, to a quarter.
  [[nodiscard]] static bool agree(const Held& a, const Held& b, double side) {
    const double step = side * std::fabs(b.at.trim - a.at.trim);
    const double expected = step * (a.trim_stiffness + b.trim_stiffness) / 2;
    const double larger = std::max(std::fabs(a.trim_moment), std::fabs(b.trim_moment));
    return std::fabs(b.trim_moment - a.trim_moment - expected) <= larger / 4;
  }

  /// Where the moment changes sign between the two.
  [[nodiscard]] std::optional<Held> between(const Held& high, const Held& low, double side) const {
    const double size = elementary::cbrt(body_.volume);
    double from = high.at.trim, to = low.at.trim;
    std::optional<Held> found = low;
    constexpr int kMaxSteps = 200;
    for (int step = 0; step < kMaxSteps && std::fabs(found->trim_moment) > 1e-13 * size; ++step) {
      (side * found->trim_moment > 0 ? to : from) = found->at.trim;
      double next = found->at.trim - found->trim_moment / found->trim_stiffness;
      const bool is_inside = (next - from) * (next - to) < 0;
      if (!is_inside || step % 4 == 3) next = (from + to) / 2;
      if (std::fabs(next - found->at.trim) <= 1e-15) break;
      found = hold(found->at.heel, next, found->at.state.level);
      if (!found) break;
    }
    return found;
  }

  const FloatingBody& body_;
  const Heeling& heeling_;
  double noise_;  // [m]: moments and arms below it may be rounding
};

/// The curve to one side of upright: states no farther apart than a degree, so close that no jump
/// is between two of one piece, and with the extrema of the arm among them.
class Side {
 public:
  Side(const Heeler& heeler, const Held& upright, double end)
      : heeler_(heeler), base_(upright.at.state.energy), nodes_{upright} {
    if (heeler_.is_dry(upright.at.state))
      walk(end);
    else
      flooding_ = 0;
    add_extrema();
  }

  [[nodiscard]] const std::vector<TrimJump>& jumps() const { return jumps_; }
  [[nodiscard]] std::optional<double> flooding() const { return flooding_; }

  [[nodiscard]] std::optional<HeeledState> at(double heel) const {
    if (std::fabs(heel) > std::fabs(last().heel) || flooding_ == 0.0) return std::nullopt;
    const auto next = std::lower_bound(
        nodes_.begin(), nodes_.end(), std::fabs(heel),
        [](const Held& node, double angle) { return std::fabs(node.at.heel) < angle; });
    if (next->at.heel == heel) return next->at;
    const std::optional<Held> found = between(*std::prev(next), *next, heel);
    return found ? std::optional(found->at) : std::nullopt;
  }

  /// The first heel at which the arm, having been of the sign of `sign`, no longer is.
  [[nodiscard]] std::optional<double> vanishing(double sign) const {
    bool was_positive = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const double arm = sign * nodes_[i].at.righting_arm;
      if (was_positive && arm <= 0)
        return change(i, [&](const HeeledState& s) { return sign * s.righting_arm > 0; });
      was_positive = was_positive || arm > 0;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<HeeledState> largest() const {
    const auto best = std::max_element(
        nodes_.begin(), nodes_.end(),
        [](const auto& a, const auto& b) { return a.at.righting_arm < b.at.righting_arm; });
    return best->at.righting_arm > 0 && flooding_ != 0.0 ? std::optional(best->at) : std::nullopt;
  }

 private:
  [[nodiscard]] const HeeledState& last() const { return nodes_.back().at; }

  void walk(double end) {
    double step = kStep;
    int falls = 0;
    while (last().heel != end && !flooding_) {
      const double left = std::fabs(end - last().heel);
      const double heel = left <= step ? end : last().heel + std::copysign(step, end);
      std::optional<Held> next = heeler_.settle(heel, last().trim, last().state.level);
      const bool is_neighbour = next && continues(nodes_.back(), *next);
      if (!is_neighbour && step > kFinestStep) {
        step = std::max(std::min(step, left) / 2, kFinestStep);
        continue;
      }
      if (!is_neighbour) next = heeler_.fall(heel, last().trim, last().state.level);
      if (!next || (!is_neighbour && ++falls > kMaxFalls)) return;
      append(*next, !is_neighbour);
      step = std::min(2 * step, kStep);
    }
  }

  /// Both are on one stable branch of trims.
  [[nodiscard]] bool continues(const Held& a, const Held& b) const {
    if (!heeler_.is_stable(b)) return false;
    const double moved = b.at.trim - a.at.trim;
    const double expected = (b.at.heel - a.at.heel) * (a.trim_slope + b.trim_slope) / 2;
    return std::min(std::fabs(moved), std::fabs(moved - expected)) <= kNeighbours;
  }

  void append(Held next, bool fell) {
    next.at.piece = last().piece;
    const bool jumped = fell && std::fabs(next.at.trim - last().trim) > kNeighbours;
    if (jumped) {
      next.at.piece += next.at.heel < 0 ? -1 : 1;
      base_ = next.at.state.energy - last().area;
    }
    next.at.area = heeler_.without_noise(next.at.state.energy - base_);
    const bool is_dry = heeler_.is_dry(next.at.state);
    if (jumped && is_dry) jumps_.push_back({last(), next.at});
    nodes_.push_back(next);
    if (!is_dry) end_at_flooding();
  }

  /// The last state is the first with an opening under water: the curve ends where that begins.
  void end_at_flooding() {
    const std::size_t wet = nodes_.size() - 1;
    const auto is_dry = [&](const HeeledState& s) { return heeler_.is_dry(s.state); };
    flooding_ = change(wet, is_dry);
    const std::optional<Held> end = between(nodes_[wet - 1], nodes_[wet], *flooding_);
    nodes_.pop_back();
    if (end && end->at.heel != last().heel) nodes_.push_back(*end);
  }

  /// So that no arm between two states is beyond both, and none vanishes unseen.
  void add_extrema() {
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      const HeeledState &a = nodes_[i - 1].at, &b = nodes_[i].at;
      if (a.piece != b.piece || !(a.slope * b.slope < 0)) continue;
      const bool rises = a.slope > 0;
      const double heel = change(i, [&](const HeeledState& s) { return (s.slope > 0) == rises; });
      const std::optional<Held> extremum = between(nodes_[i - 1], nodes_[i], heel);
      if (!extremum || heel == b.heel) continue;
      nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(i), *extremum);
      ++i;
    }
  }

  /// Between two neighbours, `a` the inner one.
  [[nodiscard]] std::optional<Held> between(const Held& a, const Held& b, double heel) const {
    if (a.at.piece != b.at.piece) return a;
    const double share = (heel - a.at.heel) / (b.at.heel - a.at.heel);
    const double trim = a.at.trim + share * (b.at.trim - a.at.trim);
    std::optional<Held> found = heeler_.settle(heel, trim, a.at.state.level);
    if (!found) return std::nullopt;
    found->at.piece = a.at.piece;
    found->at.area = heeler_.without_noise(found->at.state.energy - a.at.state.energy + a.at.area);
    return found;
  }

  /// The heel between nodes i - 1 and i up to which `holds` does, by halving.
  template <class Predicate>
  [[nodiscard]] double change(std::size_t i, const Predicate& holds) const {
    double low = nodes_[i - 1].at.heel, high = nodes_[i].at.heel;
    while (std::fabs(high - low) > 1e-11) {
      const double middle = (low + high) / 2;
      const std::optional<Held> here = between(nodes_[i - 1], nodes_[i], middle);
      (here && holds(here->at) ? low : high) = middle;
    }
    return high;
  }

  const Heeler& heeler_;
  double base_;  // the energy less the area
  std::vector<Held> nodes_;
  std::vector<TrimJump> jumps_;
  std::optional<double> flooding_;
};

HeeledState in_meters(HeeledState at, int e) {
  for (double* length : {&at.righting_arm, &at.slope, &at.area})
    *length = times_power_of_two(*length, e);
  at.state = in_meters(at.state, e);
  return at;
}

/// The curve of a body whose size is far from 1 m.
RightingArms arms_in_units(const BodyInUnits& own, Heeling heeling, std::span<const double> heels) {
  for (Vec3& opening : heeling.openings) opening = times_power_of_two(opening, -own.exponent);
  RightingArms arms = righting_arms(own.body, heeling, heels);
  const auto convert = [&](HeeledState& at) { at = in_meters(at, own.exponent); };
  for (std::optional<HeeledState>* at : {&arms.upright, &arms.largest})
    if (*at) convert(**at);
  for (std::optional<HeeledState>& at : arms.states)
    if (at) convert(*at);
  for (TrimJump& jump : arms.jumps) {
    convert(jump.before);
    convert(jump.after);
  }
  return arms;
}

bool is_heel(double angle) { return std::fabs(angle) <= kMaxHeel; }

Heeling with_unit_vectors(Heeling heeling) {
  heeling.up = with_unit_length(heeling.up);
  heeling.axis = with_unit_length(heeling.axis);
  return heeling;
}

/// At heel 0, from trim 0; says whether that was unstable.
std::optional<Held> upright_state(const Heeler& heeler, bool& is_unstable) {
  const std::optional<Held> given = heeler.hold(0, 0, std::nullopt);
  if (!given) return std::nullopt;
  is_unstable = !heeler.is_stable(*given);
  return heeler.is_at_rest(*given) ? heeler.settle(0, 0, given->at.state.level)
                                   : heeler.fall(0, 0, given->at.state.level);
}

}  // namespace

RightingArms righting_arms(const FloatingBody& body, const Heeling& heeling,
                           std::span<const double> heels) {
  RightingArms arms;
  arms.states.resize(heels.size());
  constexpr double kAlong = 1e-9;
  const Heeling unit = with_unit_vectors(heeling);
  if (!floats(body) || !(unit.axis.cross(unit.up).norm() > kAlong)) return arms;
  if (const std::optional<BodyInUnits> own = in_own_units(body))
    return arms_in_units(*own, unit, heels);
  const Heeler heeler(body, unit);
  const std::optional<Held> upright = upright_state(heeler, arms.upright_trim_is_unstable);
  if (!upright) return arms;
  arms.upright = upright->at;
  double first = 0, last = 0;
  for (const double heel : heels) {
    if (!is_heel(heel)) continue;
    first = std::min(first, heel);
    last = std::max(last, heel);
  }
  const Side negative(heeler, *upright, first), positive(heeler, *upright, last);
  for (std::size_t i = 0; i < heels.size(); ++i)
    if (is_heel(heels[i]))
      arms.states[i] = heels[i] < 0 ? negative.at(heels[i]) : positive.at(heels[i]);
  arms.jumps.assign(negative.jumps().rbegin(), negative.jumps().rend());
  arms.jumps.insert(arms.jumps.end(), positive.jumps().begin(), positive.jumps().end());
  arms.largest = positive.largest();
  arms.vanishing_angle = positive.vanishing(1);
  if (upright->at.righting_arm == 0 && upright->at.slope < 0)
    if (const auto angle = positive.vanishing(-1); angle && *angle < std::numbers::pi / 2)
      arms.loll_angle = angle;
  if (const double arm = upright->at.righting_arm; arm != 0)
    arms.list_angle =
        Side(heeler, *upright, std::copysign(std::numbers::pi / 2, -arm)).vanishing(arm);
  arms.flooding_angle = positive.flooding();
  arms.negative_flooding_angle = negative.flooding();
  return arms;
}

}  // namespace plimsoll
