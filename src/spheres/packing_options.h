// What is asked of a packing.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/submersion.h>

namespace plimsoll {

/// Errors: `InvalidArgument`, with the name of an option out of range.
[[nodiscard]] Result<void> check_packing(const PackingOptions& options);

/// The half space as what is under a plane.
[[nodiscard]] inline WaterPlane water_below(const HalfSpace& kept) {
  return {-kept.normal, -kept.offset};
}

}  // namespace plimsoll
