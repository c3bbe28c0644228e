// Which control points can be computed with.
#pragma once

#include <plimsoll/patches.h>

#include <cmath>
#include <string>

namespace plimsoll {

/// What is wrong with `point`, for a message; empty if nothing is.
[[nodiscard]] inline std::string fault_of(const WeightedPoint& point) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(point[axis]) <= kMaxPatchNumber))
      return "a coordinate that is not finite or beyond 2^200";
  if (!(point.w() >= 1 / kMaxPatchNumber && point.w() <= kMaxPatchNumber))
    return "a weight that is not above 0, from 2^-200 to 2^200";
  return {};
}

}  // namespace plimsoll
