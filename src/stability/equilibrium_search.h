// One search for a pose at rest, from a direction to a critical point of a chosen kind.
#pragma once

#include <plimsoll/equilibrium.h>

#include <optional>

#include "completeness/search_signs.h"

namespace plimsoll {

/// Direction k of n that are spread evenly over the sphere: golden-angle spiral.
[[nodiscard]] Vec3 spread_direction(int k, int n);

/// Where Newton's method with these signs ends from `up`, its righting arm at most `tolerance`
/// times the cube root of the volume; nothing where it does not within a thousand steps. `level` is
/// a first guess.
[[nodiscard]] std::optional<FloatingState> search_rest(const FloatingBody& body,
                                                       const SearchSigns& signs, double tolerance,
                                                       const Vec3& up,
                                                       std::optional<double> level = std::nullopt);

}  // namespace plimsoll
