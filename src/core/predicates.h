// Signs of determinants of points, exact for any finite coordinates: no rounding, overflow or
// underflow changes them. A floating filter answers nearly always; the rest goes to expansions
// [Shewchuk1997] or to whole numbers.
#pragma once

#include <plimsoll/types.h>

namespace plimsoll {

/// The sign of det(b - a, c - a, d - a): +1 where d lies on the side of the plane through a, b, c
/// from which they run counter-clockwise (in front of the triangle), -1 behind it, 0 on it.
[[nodiscard]] int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The sign of the area of abc as projected along `axis` (0, 1, 2 = x, y, z): +1 where a, b, c run
/// counter-clockwise seen from the positive end of the axis, 0 where the projections lie on a line.
[[nodiscard]] int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

/// Whether a, b, c lie on one line; so do any three of which two are equal.
[[nodiscard]] bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace plimsoll
