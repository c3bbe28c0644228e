#include "hydro/clip_plane.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {

bool is_plane(const WaterPlane& water) {
  return water.normal.allFinite() && !water.normal.isZero(0) && std::isfinite(water.offset);
}

Error no_plane() {
  return {ErrorCode::kInvalidArgument,
          "found a normal without direction or numbers that are not finite, expected a plane",
          "water"};
}

Submersion unknown_submersion() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Vec3 nowhere = Vec3::Constant(kNaN);
  return {kNaN,
          nowhere,
          kNaN,
          {kNaN, nowhere, Mat2::Constant(kNaN), Mat23::Constant(kNaN)},
          std::numeric_limits<double>::infinity()};
}

BodyFrame body_frame(const Box3& box) {
  if (box.isEmpty()) return {};
  BodyFrame frame;
  const Vec3 half = 0.5 * box.max() - 0.5 * box.min();
  const double size = half.maxCoeff();
  const int exponent = size > 0 ? std::ilogb(size) : 0;
  // Heights of boxes are taken in float, and squared in double.
  if (exponent < -100 || exponent > 100) frame.exponent = exponent;
  // Sterbenz: x - c is exact for c / 2 <= x <= 2 c. Where the box reaches farther c is 0.
  for (int i = 0; i < 3; ++i) {
    const double low = std::ldexp(box.min()[i], -frame.exponent);
    const double high = std::ldexp(box.max()[i], -frame.exponent);
    const double middle = low / 2 + high / 2;
    const bool is_far = low > 0 ? 2 * low >= middle && high <= 2 * middle
                                : high < 0 && 2 * high <= middle && low >= 2 * middle;
    frame.center[i] = is_far ? middle : 0;
    frame.reach = std::max({frame.reach, high - frame.center[i], frame.center[i] - low});
  }
  return frame;
}

// The level cancels where the body is far from the origin, hence the expansion. The apex is
// rounded, which moves it off the plane by a unit in the last place of its distance from the
// center.
//
// A height is computed as n . a, a = x - apex, x relative to the center. With u = 2^-53, r the
// reach and |level| <= 2 r, the apex is off by 3 u |level|, a by u (r + |level|) more, and the dot
// product by 3 u of its absolute terms; |n|_1 < 3. Together below 3 u (9 r + 6 r) < 48 u r; 2^-47
// is 64 u.
ClipPlane clip_plane(const WaterPlane& water, const BodyFrame& frame) {
  PLIMSOLL_ASSERT(is_plane(water), "a plane has a direction");
  ClipPlane plane;
  plane.center = frame.center;
  water.normal.cwiseAbs().maxCoeff(&plane.axis);
  const int e = std::ilogb(water.normal[plane.axis]) + 1;
  plane.normal = water.normal.unaryExpr([e](double x) { return std::ldexp(x, -e); });
  // What overflows is far beyond the body.
  plane.offset = std::clamp(std::ldexp(water.offset, -e - frame.exponent), -0x1p900, 0x1p900);
  const double length = plane.normal.norm();
  plane.unit = plane.normal / length;
  // All of the body is within sqrt(3) reaches of the center: beyond two it is on one side.
  plane.level =
      std::clamp(-plane.exact_height(Vec3::Zero()) / length, -2 * frame.reach, 2 * frame.reach);
  plane.apex = plane.level * plane.unit;
  plane.nearness = 0x1p-47 * frame.reach;
  return plane;
}

}  // namespace plimsoll
