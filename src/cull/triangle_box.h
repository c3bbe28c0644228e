// The box around a triangle that FAR draws in its place [Govindaraju2004, sec. 4.1]: the tightest
// rectangle with one side along the longest edge, and every side moved outward by a radius. It
// encloses the Minkowski sum of the triangle with a ball of that radius, since the rectangle
// encloses the triangle and a box with its axes encloses the ball.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace plimsoll {

/// A rectangle in space, as a box without height but for what rounding adds.
struct TriangleBox {
  Vec3 center;
  std::array<Vec3, 3>
      axis;   ///< Unit vectors, right-handed: the longest edge, in the plane, normal.
  Vec3 half;  ///< Along these.

  /// The half size of the axis-parallel box around it.
  [[nodiscard]] Vec3 reach() const {
    Vec3 reach = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) reach += half[static_cast<int>(k)] * axis[k].cwiseAbs();
    return reach;
  }
};

/// The same corners, relative to a point.
[[nodiscard]] inline std::array<Vec3, 3> from(const Vec3& origin,
                                              const std::array<Vec3, 3>& corners) {
  return {corners[0] - origin, corners[1] - origin, corners[2] - origin};
}

/// A direction at right angles to the unit vector `a`.
[[nodiscard]] inline Vec3 any_normal(const Vec3& a) {
  int least = 0;
  a.cwiseAbs().minCoeff(&least);
  return a.cross(Vec3::Unit(least)).normalized();
}

/// Of corners no farther from 0 than some 1. A triangle may be a segment or a point. Rounding moves
/// its sides by less than 1e-14 of its size.
[[nodiscard]] inline TriangleBox box_around(const std::array<Vec3, 3>& corner) {
  // Squares below that underflow: so short an edge is none.
  constexpr double kSmallest = 1e-290;
  std::size_t start = 0;
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double length = (corner[(i + 1) % 3] - corner[i]).squaredNorm();
    if (length > longest) {
      longest = length;
      start = i;
    }
  }
  TriangleBox box;
  const Vec3& origin = corner[start];
  const Vec3 edge = corner[(start + 1) % 3] - origin;
  box.axis[0] = longest > kSmallest ? Vec3(edge.normalized()) : Vec3(Vec3::UnitX());
  // What is along the edge is taken off twice, which leaves a height that is at right angles to it;
  // unless the second time takes most of it: then the height is rounding alone, and has no
  // direction [Giraud2005].
  Vec3 height = corner[(start + 2) % 3] - origin;
  height -= box.axis[0].dot(height) * box.axis[0];
  const double once = height.squaredNorm();
  height -= box.axis[0].dot(height) * box.axis[0];
  const double twice = height.squaredNorm();
  box.axis[1] =
      twice > kSmallest && twice > once / 4 ? Vec3(height.normalized()) : any_normal(box.axis[0]);
  box.axis[2] = box.axis[0].cross(box.axis[1]);
  box.center = origin;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = 0, high = 0;
    for (const Vec3& p : corner) {
      const double along = box.axis[k].dot(p - origin);
      low = std::min(low, along);
      high = std::max(high, along);
    }
    box.center += (low / 2 + high / 2) * box.axis[k];
    box.half[static_cast<int>(k)] = (high / 2 - low / 2);
  }
  return box;
}

/// Corner i is on the far side of axis k if bit k of i is set.
[[nodiscard]] inline std::array<Vec3, 8> corners_of(const TriangleBox& box, double radius) {
  std::array<Vec3, 8> corners;
  for (std::size_t i = 0; i < 8; ++i) {
    corners[i] = box.center;
    for (std::size_t k = 0; k < 3; ++k) {
      const double side = box.half[static_cast<int>(k)] + radius;
      corners[i] += (i >> k & 1U) != 0 ? Vec3(side * box.axis[k]) : Vec3(-side * box.axis[k]);
    }
  }
  return corners;
}

/// The faces of such a box, counter-clockwise seen from outside.
inline constexpr std::array<Triangle, 12> kBoxTriangles = {{{0, 2, 3},
                                                            {0, 3, 1},
                                                            {4, 5, 7},
                                                            {4, 7, 6},
                                                            {0, 1, 5},
                                                            {0, 5, 4},
                                                            {2, 6, 7},
                                                            {2, 7, 3},
                                                            {0, 4, 6},
                                                            {0, 6, 2},
                                                            {1, 3, 7},
                                                            {1, 7, 5}}};

}  // namespace plimsoll
