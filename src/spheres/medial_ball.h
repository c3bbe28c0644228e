// Balls in a solid that no larger ball in it contains.
#pragma once

#include <plimsoll/types.h>

#include <optional>

#include "spheres/unit_solid.h"

namespace plimsoll {

/// A ball about a point of the medial axis.
struct MedialBall {
  Vec3 center = Vec3::Zero();
  double depth = 0;  ///< Its radius: how far the center is from the surface, to 1e-9 and the slack.
  /// How fast the depth grows as the center moves along the medial axis: half the sum of the
  /// directions from both walls that the ball touches first.
  Vec3 slope = Vec3::Zero();
};

/// The ball about `center` that the surface leaves room for, grown away from the nearest point of
/// the surface until it touches another: it contains the ball that it has grown from. Its radius is
/// that of the ball through both points, made smaller for each point of the surface that is found
/// inside. Points that lie deeper in it than that share of the radius count alone, if a slack is
/// given, and then it is faster (clearance.h). Nothing for a point on the
/// surface. Precondition: the point is in the solid.
[[nodiscard]] std::optional<MedialBall> medial_ball(const UnitSolid& solid, const Vec3& center,
                                                    double slack = 0);

/// The same from just below a point of the surface, on either side of it, where that is in the
/// solid.
[[nodiscard]] std::optional<MedialBall> medial_ball_below(const UnitSolid& solid, const Vec3& at,
                                                          const Vec3& normal);

}  // namespace plimsoll
