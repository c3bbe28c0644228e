#include "hydro/clip_plane.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

BodyFrame body_frame(const Box3& box) {
  if (box.isEmpty()) return {};
  BodyFrame frame;
  const Vec3 half = 0.5 * box.max() - 0.5 * box.min();
  const double size = half.maxCoeff();
  const int exponent = size > 0 ? std::ilogb(size) : 0;
  if (exponent < -128 || exponent > 127) frame.exponent = exponent;
  const auto scaled = [&](double x) { return std::ldexp(x, -frame.exponent); };
  frame.center = Vec3(0.5 * box.min() + 0.5 * box.max()).unaryExpr(scaled);
  // What rounding the center has moved it by is below an ulp of the half, or of the center itself.
  const Vec3 low = frame.center - box.min().unaryExpr(scaled);
  const Vec3 high = box.max().unaryExpr(scaled) - frame.center;
  frame.reach = std::max(low.maxCoeff(), high.maxCoeff()) * (1 + 0x1p-50);
  return frame;
}

// The level cancels where the body is far from the origin, hence the expansion. The apex is
// rounded, which moves it off the plane by a unit in the last place of its distance from the
// center, as every vertex is moved when the center is subtracted from it.
//
// A height is computed as n . a, a = (x - center) - apex. With u = 2^-53 and r the reach, x -
// center is off by u r, the apex by 3 u |level|, a by u (r + |level|) more, and the dot product by
// 3 u of its absolute terms; |n|_1 < 3. Together below 3 u (8 r + 8 |level|). 2^-48 leaves a
// margin.
ClipPlane clip_plane(const WaterPlane& water, const BodyFrame& frame) {
  ClipPlane plane;
  plane.center = frame.center;
  water.normal.cwiseAbs().maxCoeff(&plane.axis);
  const int e = std::ilogb(water.normal[plane.axis]) + 1;
  plane.normal = water.normal.unaryExpr([e](double x) { return std::ldexp(x, -e); });
  // Beyond these bounds the body is all wet or all dry.
  plane.offset = std::clamp(std::ldexp(water.offset, -e - frame.exponent), -0x1p900, 0x1p900);
  const double length = plane.normal.norm();
  plane.unit = plane.normal / length;
  plane.level = -plane.exact_height(frame.center) / length;
  plane.apex = plane.level * plane.unit;
  plane.nearness = 0x1p-48 * (frame.reach + std::fabs(plane.level));
  return plane;
}

}  // namespace plimsoll
