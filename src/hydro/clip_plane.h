// A water plane made ready for a body: in the body's frame, and able to say exactly on which side a
// vertex is.
#pragma once

#include <plimsoll/assert.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <cmath>

#include "core/expansion.h"
#include "core/plane_level.h"
#include "core/power_of_two.h"
#include "tree/body_frame.h"

namespace plimsoll {

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

/// The first axis along which `normal` is longest, without a branch, which nothing could predict.
inline int longest_axis(const Vec3& normal) {
  const double x = std::fabs(normal[0]), y = std::fabs(normal[1]), z = std::fabs(normal[2]);
  const int y_is_longer = y > x ? 1 : 0, z_is_longest = z > std::max(x, y) ? 1 : 0;
  return 2 * z_is_longest | (y_is_longer & ~z_is_longest);
}

// The level cancels where the body is far from the origin, hence the expansion. The apex is
// rounded, which moves it off the plane by a unit in the last place of its distance from the
// center.
//
// A height is computed as n . a, a = x - apex, x relative to the center. With u = 2^-53, r the
// reach and |level| <= 2 r, the apex is off by 3 u |level|, a by u (r + |level|) more, and the dot
// product by 3 u of its absolute terms; |n|_1 < 3. Together below 3 u (9 r + 6 r) < 48 u r; 2^-47
// is 64 u.
/// Precondition: is_plane(water).
[[nodiscard]] inline ClipPlane clip_plane(const WaterPlane& water, const BodyFrame& frame) {
  PLIMSOLL_ASSERT(is_plane(water), "a plane has a direction");
  ClipPlane plane;
  plane.center = frame.center;
  plane.axis = longest_axis(water.normal);
  const int e = exponent_of(water.normal.cwiseAbs().maxCoeff()) + 1;
  plane.normal = water.normal.unaryExpr([e](double x) { return times_power_of_two(x, -e); });
  // What overflows is far beyond the body.
  plane.offset =
      std::clamp(times_power_of_two(water.offset, -e - frame.exponent), -0x1p900, 0x1p900);
  const double length = plane.normal.norm();
  plane.unit = plane.normal / length;
  // All of the body is within sqrt(3) reaches of the center: beyond two it is on one side.
  const bool is_at_origin = frame.center.isZero(0);
  const double level =
      is_at_origin ? -(0 - plane.offset) : level_over(frame.center, plane.normal, plane.offset);
  plane.level = std::clamp(level / length, -2 * frame.reach, 2 * frame.reach);
  plane.apex = plane.level * plane.unit;
  plane.nearness = 0x1p-47 * frame.reach;
  return plane;
}

}  // namespace plimsoll
