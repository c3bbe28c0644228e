// Signs of determinants of points, exact for any finite coordinates: no rounding, overflow or
// underflow changes them. A floating filter answers nearly always; the rest goes to expansions
// [Shewchuk1997] or to whole numbers.
#pragma once

#include <plimsoll/types.h>

#include <cmath>

namespace plimsoll {

/// A computed determinant, and the most that it is off by.
struct RoundedDeterminant {
  double value, bound;

  [[nodiscard]] bool is_positive() const { return value > bound; }
  [[nodiscard]] bool is_negative() const { return value < -bound; }
};

/// det(b - a, c - a, d - a). predicates.cpp has the reasons for the bound.
[[nodiscard]] inline RoundedDeterminant rounded_orient3d(const Vec3& a, const Vec3& b,
                                                         const Vec3& c, const Vec3& d) {
  const double bx = b.x() - a.x(), by = b.y() - a.y(), bz = b.z() - a.z();
  const double cx = c.x() - a.x(), cy = c.y() - a.y(), cz = c.z() - a.z();
  const double dx = d.x() - a.x(), dy = d.y() - a.y(), dz = d.z() - a.z();
  const double by_cz = by * cz, bz_cy = bz * cy;
  const double bz_cx = bz * cx, bx_cz = bx * cz;
  const double bx_cy = bx * cy, by_cx = by * cx;
  const double det = dx * (by_cz - bz_cy) + dy * (bz_cx - bx_cz) + dz * (bx_cy - by_cx);
  const double ax = std::fabs(dx), ay = std::fabs(dy), az = std::fabs(dz);
  const double size = ax * (std::fabs(by_cz) + std::fabs(bz_cy)) +
                      ay * (std::fabs(bz_cx) + std::fabs(bx_cz)) +
                      az * (std::fabs(bx_cy) + std::fabs(by_cx));
  return {det, 9 * 0x1p-53 * size + 0x1p-1000 * (ax + ay + az + 1)};
}

/// The same to nearly twice the digits: the bound is some 2^-50 of the value, unless that is 2^-50
/// of the absolute terms or a coordinate is beyond 1e90 or below 1e-90, where it may be infinite.
[[nodiscard]] RoundedDeterminant accurate_orient3d(const Vec3& a, const Vec3& b, const Vec3& c,
                                                   const Vec3& d);

/// The sign of det(b - a, c - a, d - a): +1 where d lies on the side of the plane through a, b, c
/// from which they run counter-clockwise (in front of the triangle), -1 behind it, 0 on it.
[[nodiscard]] int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The sign of the area of abc as projected along `axis` (0, 1, 2 = x, y, z): +1 where a, b, c run
/// counter-clockwise seen from the positive end of the axis, 0 where the projections lie on a line.
[[nodiscard]] int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

/// Whether a, b, c lie on one line; so do any three of which two are equal.
[[nodiscard]] bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace plimsoll
