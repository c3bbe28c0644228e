// The smallest ball that encloses given balls.
#pragma once

#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <cmath>
#include <span>

namespace plimsoll {

struct EnclosingBall {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

/// The distance from `center` to the farthest point of a ball, rounded up by less than 2^-49 of
/// itself: the three roundings of a difference, its square and the sums, that of the root and the
/// last one cost less than 6 x 2^-53. The small term is for squares that underflow.
/// Precondition: no length is above 2^500.
inline double far_side(const Vec3& center, const Vec3& ball_center, double ball_radius) {
  const double x = ball_center[0] - center[0];
  const double y = ball_center[1] - center[1];
  const double z = ball_center[2] - center[2];
  return (std::sqrt(x * x + y * y + z * z) + ball_radius) * (1 + 0x1p-50) + 0x1p-500;
}

/// Encloses all balls in truth: the radius is rounded up, by less than 2^-49 of itself. It exceeds
/// the least possible one by less than 1e-14 of the largest coordinate and of the radius. Balls
/// may be equal, nested or points. Method: a set of at most four balls that touch is exchanged for
/// a better one with the ball that sticks out most [Fischer2003]; a few passes over the balls.
/// Precondition: at least one ball; no radius is negative.
[[nodiscard]] EnclosingBall smallest_enclosing_ball(std::span<const PlacedSphere> balls);

}  // namespace plimsoll
