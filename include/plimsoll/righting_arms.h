// Righting arms over heel: what brings a floating body back when it is leaned over.
#pragma once

#include <plimsoll/equilibrium.h>

#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

/// How a body is leaned over.
struct Heeling {
  Vec3 up{0, 0, 1};       ///< The water's outward normal in the body when upright.
  Vec3 axis{1, 0, 0};     ///< Of the body, which turns about it by the right-hand rule.
  bool free_trim = true;  ///< The body turns about the horizontal axis across as it likes to.
};

/// The body at one angle of heel.
struct HeeledState {
  double heel = 0;      ///< [rad]
  double trim = 0;      ///< Angle of the axis under the water's plane [rad]; 0 where it is held.
  FloatingState state;  ///< Its energy over the upright one is the area under the curve.
  double righting_arm = 0;  ///< GZ: slope of the energy over heel; positive arms turn back [m].
  double slope = 0;         ///< d GZ / d heel, the trim following [m/rad].
};

/// The body upright, then at each angle of `heels` [rad], found one from the other in small steps
/// starting at 0, so that it stays on one branch of trims. Nothing for an angle to which no trim
/// leads, which ends the branch: beyond, there is nothing either.
/// Precondition: unit vectors, axis not along up; as float_upright.
[[nodiscard]] std::vector<std::optional<HeeledState>> righting_arms(const FloatingBody& body,
                                                                    const Heeling& heeling,
                                                                    std::span<const double> heels);

/// The first angle above 0 and up to `end` [rad] at which the arm, having been positive, vanishes,
/// to 1e-10; nothing if there is none.
[[nodiscard]] std::optional<double> vanishing_angle(const FloatingBody& body,
                                                    const Heeling& heeling, double end);

}  // namespace plimsoll
