// A water plane made ready for a body: in the body's frame, and able to say exactly on which side a
// vertex is.
#pragma once

#include <plimsoll/submersion.h>

#include <cmath>

#include "core/expansion.h"

namespace plimsoll {

/// The error for what is no plane.
[[nodiscard]] Error no_plane();

/// What is found under no plane.
[[nodiscard]] Submersion unknown_submersion();

/// The units and the origin that a body's sums are taken in.
struct BodyFrame {
  /// In units of 2^exponent. Each coordinate is that of the center of the body's box, or 0 if the
  /// origin is within a box's size of it: then vertices less the center are exact.
  Vec3 center = Vec3::Zero();
  double reach = 0;  ///< No coordinate of a vertex is farther from the center.
  int exponent = 0;  ///< Coordinates are divided by 2^exponent, so that nothing over- or
                     ///< underflows: 0 for sizes between 2^-100 and 2^100.

  /// `x`, as given, in these units and from the center; exact, as far as coordinates of the body
  /// go.
  [[nodiscard]] Vec3 from_center(const Vec3& x) const {
    if (exponent == 0) return x - center;
    return x.unaryExpr([this](double c) { return std::ldexp(c, -exponent); }) - center;
  }
};

/// The frame of a body with the box given; of an empty one, all zero.
[[nodiscard]] BodyFrame body_frame(const Box3& box);

/// The plane { x : normal . x = offset }, in units of a frame; heights over it are normal . x -
/// offset, in lengths of the normal.
struct ClipPlane {
  Vec3 center;      ///< Of the frame.
  Vec3 apex;        ///< The point of the plane next to the center, relative to it.
  Vec3 normal;      ///< As given but for a power of two: |n_i| < 1, and 1/2 or more for one i.
  Vec3 unit;        ///< The same, of length 1 up to rounding.
  double offset;    ///< For vertices as given, not relative to the center.
  double level;     ///< Height of the plane over the center, along `unit`.
  double nearness;  ///< A height as computed is farther from the true one by less than this: below
                    ///< it, exact_height() tells.
  int axis;         ///< That i: sections are taken in the other two coordinates.

  /// The height of center + x to a unit in the last place, its sign exact (unless it is below
  /// 1e-290 of the size of the body).
  [[nodiscard]] double exact_height(const Vec3& x) const {
    Expansion<16> height;
    for (int i = 0; i < 3; ++i) {
      height.add_product(normal[i], x[i]);
      height.add_product(normal[i], center[i]);
    }
    height.add(-offset);
    return height.value();
  }
};

/// Precondition: is_plane(water).
[[nodiscard]] ClipPlane clip_plane(const WaterPlane& water, const BodyFrame& frame);

}  // namespace plimsoll
