// The prism around a triangle fattened for one view: tighter than the box, which has twice its area
// and is fattened for all views, with 20 faces in place of 12.
//
// What a view hides of a point is its pixel: the center may be anywhere in a square about it. So
// the triangle's Minkowski sum is taken with the box B of half a pixel to each side and little
// depth, as in [Govindaraju2004, lemma 1], not with a ball around it. B reaches h(n) = sum_i b_i
// |n_i| along a unit vector n. Each side of the triangle is moved outward by h of its normal, and
// so are the two faces. Where two sides then meet far from the corner, beyond an angle of less than
// 90 degrees, the corner is cut off by a line at right angles to its bisector, h of that from the
// corner. All are planes that the sum touches, or does not reach. Two of them, with the normals m
// and n in the triangle's plane and c = m . n, meet at
//   ((h(m) - c h(n)) m + (h(n) - c h(m)) n) / (1 - c^2)
// from the corner. Of an angle above 60 degrees, so that this is within 2 h, no corner is cut off
// that is shorter than twice the least h: no face is thinner than 2/3 of that, for what thin faces
// do to depths (slope_room() of view_volume.h).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "cull/triangle_box.h"
#include "cull/view_volume.h"

namespace plimsoll {

/// What is added to a triangle: the box B, and a ball.
struct Fattening {
  Vec3 half = Vec3::Zero();  ///< b
  double radius = 0;         ///< Of the ball.

  /// How far the sum of both reaches along a unit vector.
  [[nodiscard]] double along(const Vec3& n) const { return half.dot(n.cwiseAbs()) + radius; }
  /// And at least, along any.
  [[nodiscard]] double least() const { return half.minCoeff() + radius; }
};

/// What prisms are fattened by for a view of `volume` along `axis`, of a triangle of `length`
/// pixels: the pixel's center may be half a pixel off along each side, and vertices and depths half
/// a sub-pixel of 2^-bits each; a 64th is for what is rounded to floats. `fattening` is that of
/// view_volume.h.
[[nodiscard]] inline Fattening view_fattening(const ViewVolume& volume, int axis, double fattening,
                                              int subpixel_bits, double length) {
  const double rounding = 1.0 / 64, snapping = std::ldexp(1, -subpixel_bits);
  const double pixel = fattening * volume.pixel();
  const double depth = prism_depth(length);
  Fattening by;
  by.half = Vec3::Constant((0.5 + snapping + rounding) * pixel);
  by.half[axis] = depth * pixel;
  by.radius = volume.within / 2 + slope_room(length, depth) * pixel;
  return by;
}

/// Vertex i of the lower face, 0 to 5, counter-clockwise seen against the normal; i + 6 above it.
/// Two of them are one where a corner is not cut off.
[[nodiscard]] inline std::array<Vec3, 12> prism_around(const std::array<Vec3, 3>& corner,
                                                       const Fattening& by) {
  const TriangleBox box = box_around(corner);
  const auto reach = [&](const Vec2& n) {
    return by.along(n.x() * box.axis[0] + n.y() * box.axis[1]);
  };
  const auto meeting = [&](const Vec2& m, const Vec2& n) -> Vec2 {
    const double c = m.dot(n), along_m = reach(m), along_n = reach(n);
    return ((along_m - c * along_n) * m + (along_n - c * along_m) * n) / (1 - c * c);
  };
  const auto in_plane = [&](const Vec3& p) {
    return Vec2(box.axis[0].dot(p - box.center), box.axis[1].dot(p - box.center));
  };
  constexpr double kShortest = 2;
  std::array<Vec2, 6> rim;
  // A rectangle is nearly as tight around a triangle that is no thicker than what it is fattened
  // by, and its sides do not meet at flat angles.
  if (2 * box.half[1] <= by.along(box.axis[1])) {
    const double x = box.half[0] + by.along(box.axis[0]), y = box.half[1] + by.along(box.axis[1]);
    rim = {Vec2(-x, -y), Vec2(x, -y), Vec2(x, -y), Vec2(x, y), Vec2(-x, y), Vec2(-x, y)};
  } else {
    // Counter-clockwise, as the height above the longest edge is the second axis.
    const std::array<Vec2, 3> p{in_plane(corner[0]), in_plane(corner[1]), in_plane(corner[2])};
    const auto normal = [&](std::size_t i) {
      const Vec2 side = (p[(i + 1) % 3] - p[i]).normalized();
      return Vec2(side.y(), -side.x());
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 m = normal((i + 2) % 3), n = normal(i);
      if (m.dot(n) >= 0) {
        rim[2 * i] = rim[2 * i + 1] = p[i] + meeting(m, n);
        continue;
      }
      const Vec2 across = (n - m).normalized(), b(across.y(), -across.x());
      rim[2 * i] = p[i] + meeting(m, b);
      rim[2 * i + 1] = p[i] + meeting(b, n);
      if (m.dot(n) > -0.5 && (rim[2 * i + 1] - rim[2 * i]).norm() < kShortest * by.least())
        rim[2 * i] = rim[2 * i + 1] = p[i] + meeting(m, n);
    }
  }
  std::array<Vec3, 12> prism;
  const double height = box.half[2] + by.along(box.axis[2]);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 foot = box.center + rim[i].x() * box.axis[0] + rim[i].y() * box.axis[1];
    prism[i] = foot - height * box.axis[2];
    prism[i + 6] = foot + height * box.axis[2];
  }
  return prism;
}

/// The faces of such a prism, counter-clockwise seen from outside.
inline constexpr std::array<Triangle, 20> kPrismTriangles = {
    {{0, 2, 1},   {0, 3, 2},  {0, 4, 3},  {0, 5, 4},   {6, 7, 8}, {6, 8, 9}, {6, 9, 10},
     {6, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
     {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}}};

}  // namespace plimsoll
