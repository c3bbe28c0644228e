// Sets of balls of many kinds: usual ones, and those on which schemes for points fail.
#pragma once

#include <plimsoll/sphere_packing.h>

#include <cmath>
#include <vector>

#include "core/random.h"

namespace plimsoll::test {

inline constexpr int kBallCaseKinds = 8;

inline Vec3 point_in_cube(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Balls within about 2 of the origin.
inline std::vector<PlacedSphere> ball_case(Random& random, int kind, std::size_t count) {
  std::vector<PlacedSphere> balls(count);
  const Vec3 axis = point_in_cube(random).normalized(), other = point_in_cube(random);
  for (std::size_t i = 0; i < count; ++i) {
    PlacedSphere& ball = balls[i];
    ball = {point_in_cube(random), random.uniform(0, 0.5)};
    if (kind == 1) ball.radius = 0;
    if (kind == 2) ball.center = random.uniform(-1, 1) * axis;                      // on a line
    if (kind == 3) ball.center -= ball.center.dot(axis) * axis;                     // in a plane
    if (kind == 4) ball.center = other;                                             // at one point
    if (kind == 5) ball.radius = 1 - ball.center.norm() / 2;                        // nearly nested
    if (kind == 6) ball.radius = std::pow(10, random.uniform(-12, 0));              // of all sizes
    if (kind == 7 && i > 0 && random.below(2) == 0) ball = balls[random.below(i)];  // equal ones
  }
  return balls;
}

}  // namespace plimsoll::test
