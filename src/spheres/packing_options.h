// What is asked of a packing.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/submersion.h>

namespace plimsoll {

/// Errors: `InvalidArgument`, with the name of an option out of range.
[[nodiscard]] Result<void> check_packing(const PackingOptions& options);

/// Errors: `InvalidArgument` for a normal without direction, and numbers that are not finite.
[[nodiscard]] Result<void> check_half_space(const HalfSpace& kept);

/// The half space as what is under a plane.
[[nodiscard]] inline WaterPlane water_below(const HalfSpace& kept) {
  return {-kept.normal, -kept.offset};
}

}  // namespace plimsoll
