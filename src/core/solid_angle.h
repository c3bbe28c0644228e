// How much of the sky a triangle takes up.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// The solid angle of the triangle a, b, c seen from 0, with the sign of `det`, which is
/// a . (b x c) [VanOosterom1983].
[[nodiscard]] inline double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c, double det) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * elementary::atan2(det, la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

}  // namespace plimsoll
