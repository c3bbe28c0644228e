// Points spread over a triangle.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cmath>

namespace plimsoll {

/// The first of these, however many, lie evenly: weights of corners along a golden spiral.
[[nodiscard]] inline Vec3 point_of_triangle(const std::array<Vec3, 3>& corner, int number) {
  const double first = std::sqrt(std::fmod(0.5 + 0.754877666 * number, 1.0));
  const double second = std::fmod(0.5 + 0.569840291 * number, 1.0);
  return corner[0] + first * (corner[1] - corner[0]) + first * second * (corner[2] - corner[1]);
}

}  // namespace plimsoll
