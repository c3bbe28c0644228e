// The mean of points.
#pragma once

#include <plimsoll/types.h>

#include <span>

namespace plimsoll {

/// Rounding does not take it out of the points' box: not beyond the range of numbers. Precondition:
/// at least one point, all finite.
[[nodiscard]] inline Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero(), low = points[0], high = points[0];
  for (const Vec3& p : points) {
    mean += p / static_cast<double>(points.size());
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return mean.cwiseMax(low).cwiseMin(high);
}

}  // namespace plimsoll
