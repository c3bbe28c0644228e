// Righting arms over heel: what brings a floating body back when it is leaned over.
#pragma once

#include <plimsoll/floating.h>

#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// How a body is leaned over.
struct Heeling {
  Vec3 up{0, 0, 1};       ///< The water's outward normal in the body when upright.
  Vec3 axis{1, 0, 0};     ///< Of the body, which turns about it by the right-hand rule.
  bool free_trim = true;  ///< The body turns about the horizontal axis across as it likes to.
  /// Points of the body that have to stay dry, such as the rim of an open hull: a curve ends where
  /// the first of them goes under.
  std::vector<Vec3> openings;
};

/// The body at one angle of heel.
struct HeeledState {
  double heel = 0;  ///< [rad]
  double trim = 0;  ///< Angle of the axis over the water's plane [rad]; 0 where it is held.
  FloatingState state;
  double righting_arm = 0;  ///< GZ: slope of the energy over heel; positive arms turn back [m].
  double slope = 0;         ///< d GZ / d heel, the trim following [m/rad].
  double area = 0;          ///< Under the curve, from upright to here [m rad].
  /// The piece of the curve that it is on: 0 about upright, then 1, 2, ... with each jump of the
  /// trim on the way to positive heel, and -1, -2, ... on the way to negative heel.
  int piece = 0;
};

/// Where a stable trim ends: the body snaps to another one, its heel held. The energy that it had
/// more before is lost.
struct TrimJump {
  HeeledState before, after;  ///< At one heel, to 1e-12.
};

/// The curve of righting arms. Arms, slopes and areas within rounding of 0 are 0.
struct RightingArms {
  /// At heel 0. Nothing where the body does not float, is no solid, the axis is along up, or no
  /// trim is stable: then there is no curve.
  std::optional<HeeledState> upright;
  bool upright_trim_is_unstable = false;  ///< At trim 0; the curve begins where the body falls to.
  /// At each heel that was asked for. Nothing where the curve does not lead: no stable trim is
  /// left, or an opening is under water.
  std::vector<std::optional<HeeledState>> states;
  std::vector<TrimJump> jumps;  ///< Up to the outermost heels asked for, ascending.
  // From heel 0 up to the largest heel asked for; angles in radians, to 1e-10.
  std::optional<HeeledState> largest;     ///< The largest arm, if any is above 0.
  std::optional<double> vanishing_angle;  ///< The first at which the arm, having been positive,
                                          ///< vanishes.
  std::optional<double> loll_angle;       ///< The same of an arm that was negative, for a body that
                                          ///< rests upright, but unstably.
  /// Heel at which a body rests that does not upright: the first, to the side that its arm pushes
  /// it to, at which that arm vanishes; looked for up to 90 degrees, whatever heels were asked for.
  std::optional<double> list_angle;
  // Where the first opening goes under; 0 where one is under upright.
  std::optional<double> flooding_angle;           ///< To positive heel.
  std::optional<double> negative_flooding_angle;  ///< To negative heel.
};

/// One turn [rad].
inline constexpr double kMaxHeel = 6.283185307179587;

/// Leans the body over, from upright to either side. With free trim it stays on the stable trim (a
/// minimum of the energy over trim) that is reached without a jump from upright; where that ends,
/// found to 1e-12 by halving steps, the trim falls to the next one downhill, as the body would. On
/// top of a symmetric hill it falls to positive trim. Where the axis comes within 10 degrees of the
/// vertical, heel has no meaning, and the curve ends. docs/theory/hydrostatics.md, "Righting arms".
/// Vectors may have any length. Heels beyond kMaxHeel, and those that are no numbers, have no
/// state.
[[nodiscard]] RightingArms righting_arms(const FloatingBody& body, const Heeling& heeling,
                                         std::span<const double> heels);

}  // namespace plimsoll
