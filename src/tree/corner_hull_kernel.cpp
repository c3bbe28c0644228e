// How far two hulls reach, compiled once per instruction set.
#include <bit>
#include <cmath>

#include "tree/corner_hull.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/corner_hull_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

HWY_INLINE HullReach reach_along(const CornerHull& hull, double x, double y, double z) {
  double along[3];
  for (std::size_t j = 0; j < 3; ++j)
    along[j] = std::fabs((x * hull.axis[j][0] + y * hull.axis[j][1]) + z * hull.axis[j][2]);
  const Plain direction[3] = {everywhere(x), everywhere(y), everywhere(z)};
  const Plain sizes[3] = {everywhere(along[0]), everywhere(along[1]), everywhere(along[2])};
  constexpr std::size_t kRows = CornerHull::kBoxes / Plain::kWidth;
  Plain value[kRows], most;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t lane = row * Plain::kWidth;
    const auto part = [&](std::size_t k) {
      return direction[k] * load(hull.center[k] + lane) + sizes[k] * load(hull.half[k] + lane);
    };
    value[row] = (part(0) + part(1)) + part(2);
    most = row == 0 ? value[row] : max(most, value[row]);
  }
  most.v = hn::MaxOfLanes(Plain::kTag, most.v);
  unsigned boxes = 0;
  for (std::size_t row = 0; row < kRows; ++row)
    boxes |= bits_of(Plain::kTag, value[row] >= most) << row * Plain::kWidth;
  return {hn::GetLane(most.v), static_cast<std::size_t>(std::countr_zero(boxes))};
}

HullReaches find_reaches(const CornerHull& a, const CornerHull& b, const Vec3& d) {
  return {reach_along(a, d[0], d[1], d[2]), reach_along(b, -d[0], -d[1], -d[2])};
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_reaches);
}  // namespace

HullReaches reaches_of(const CornerHull& a, const CornerHull& b, const Vec3& d) {
  return HWY_DYNAMIC_DISPATCH(find_reaches)(a, b, d);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
