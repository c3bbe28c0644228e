// How high a plane is over a point, which is what brings it into a body: of x = L y + t, with L a
// rotation times a scale, the plane n . x = d is the plane (L^T n) . y = d - n . t, its level over
// the body's origin t. The same difference tells the level over the center of a frame.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <cmath>

#include "core/power_of_two.h"

namespace plimsoll {

/// offset - normal . p, to a unit in the last place: summed without rounding, for it cancels where
/// p is far from the origin and the plane is near p. In lengths of the normal.
[[nodiscard]] double level_over(const Vec3& p, const Vec3& normal, double offset);

/// The same, each operation rounded, for points near the origin: a tenth of the time.
[[nodiscard]] inline double rounded_level_over(const Vec3& p, const Vec3& normal, double offset) {
  return offset - normal.dot(p);
}

/// The same plane, its normal and offset divided by a power of two that makes the normal's length a
/// usual number, so that level_over does not overflow. Normals between 2^-100 and 2^100 stay.
/// Offsets beyond 1e300 of the new length are taken for that.
inline void shorten(Vec3& normal, double& offset) {
  constexpr int kUsual = 100;
  constexpr double kFar = 1e300;
  const int e = exponent_of(normal.cwiseAbs().maxCoeff());
  if (e >= -kUsual && e <= kUsual) return;
  normal = normal.unaryExpr([e](double x) { return std::ldexp(x, -e); });
  offset = std::clamp(std::ldexp(offset, -e), -kFar, kFar);
}

}  // namespace plimsoll
