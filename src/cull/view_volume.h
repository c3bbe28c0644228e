// The cube that all views show, and the radius by which FAR fattens for its pixels
// [Govindaraju2004, sec. 3.3].
//
// With N pixels along a side of 2 h, a pixel and, in depth, no less than a step of the depth buffer
// is d = 2 h / N. The paper's p is 2 d for any place of a pixel's sample; OpenGL samples at the
// center, for which half of it is enough: p = d, and the radius sqrt(3) p / 2. For what a renderer
// is off by it is multiplied by f, and for pairs closer than D increased by D / 2:
//   r = f sqrt(3) d / 2 + D / 2.
// Long triangles are fattened further, by slope_room(), since float32 loses their slopes: by s
// pixels at most. A box fattened by b reaches sqrt(3) b farther than its rectangle along an axis, a
// prism sqrt(5) b, with b about D / 2 + 0.75 f d. The cube is to hold both with half a pixel to
// spare: with E how far rectangles reach,
//   h = E + sqrt(5) D / 2 + sqrt(3) (f sqrt(3) / 2 + s) d + 1.5 d
//     = (E + sqrt(5) D / 2) / (1 - (3 (f + 1) + 2 sqrt(3) s) / N).
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {

struct ViewVolume {
  Vec3 center = Vec3::Zero();
  double half_side = 1;  ///< h
  double radius = 0;     ///< r
  double within = 0;     ///< D
  int pixels = 0;        ///< N

  [[nodiscard]] double pixel() const { return 2 * half_side / pixels; }
};

/// How much more is needed for a triangle of that length in place of which a solid is drawn no face
/// of which is thinner than two thirds of `thickness`, all in pixels: what its depths may be off
/// by, along the normal of a face. A renderer takes slopes from products of two sides of a
/// triangle, each rounded by 2^-24 of |u| |v|, over its area, |u| |v| sin q / 2; and goes by that
/// slope from one corner to the other end, |u|. With q no less than w / |u|, where w is the height
/// of a face, that is some 4 x 2^-24 |u|^2 / w.
[[nodiscard]] inline double slope_room(double length, double thickness) {
  const double side = length + 4;  // fattened
  return 6 * 0x1p-24 * side * side / thickness;
}

/// The same for a box, which is as thick as twice the radius of FAR.
[[nodiscard]] inline double box_slope_room(double length) {
  return slope_room(length, std::sqrt(3.0));
}

/// How far a prism reaches in depth [pixels], by which it is thick enough for slopes: their room is
/// no more than as much again half. A 64th is for what is rounded.
[[nodiscard]] inline double prism_depth(double length) { return 1.0 / 64 + length / 2048; }

/// `reach` is E, how far rectangles reach from the center; `fattening` is f, 0 for triangles as
/// they are. Precondition: pixels > 3 (fattening + 1), and no more than 2^14.
[[nodiscard]] inline ViewVolume view_volume(const Vec3& center, double reach, double within,
                                            int pixels, double fattening) {
  const double root = std::sqrt(3.0);
  ViewVolume volume;
  volume.center = center;
  volume.pixels = pixels;
  volume.within = within;
  // The longest triangle is a diagonal of the cube.
  const double longest = root * pixels, depth = prism_depth(longest);
  const double slope =
      fattening * std::max(box_slope_room(longest), 2 * (depth + slope_room(longest, depth)));
  volume.half_side = (reach + std::sqrt(5.0) * within / 2) /
                     (1 - (3 * (fattening + 1) + 2 * root * slope) / pixels);
  // All that is drawn may be one point, or too small to be divided by. A larger view does no harm.
  volume.half_side = std::max(volume.half_side, 0x1p-300);
  volume.radius = fattening * root / 2 * volume.pixel() + within / 2;
  return volume;
}

}  // namespace plimsoll
