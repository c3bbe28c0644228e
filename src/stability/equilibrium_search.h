// One search for a pose at rest, from a direction to a critical point of a chosen kind.
#pragma once

#include <plimsoll/equilibrium.h>

#include <optional>

#include "completeness/search_signs.h"

namespace plimsoll {

/// Direction k of n that are spread evenly over the sphere: golden-angle spiral.
[[nodiscard]] Vec3 spread_direction(int k, int n);

/// The longest righting arm of a state at rest, in cube roots of the volume.
inline constexpr double kLargestResidual = 1e-3;

/// Where Newton's method with these signs ends from `up`, its righting arm at most `tolerance`
/// times the cube root of the volume, or where rounding lets it fall no further below
/// kLargestResidual; nothing where it does not within a thousand steps, of which a state that takes
/// many levels counts as several (HeaveState::cost), nor where it is not held up there. `level` is
/// a first guess. Adds the steps to `cost`, if it is there.
[[nodiscard]] std::optional<FloatingState> search_rest(const FloatingBody& body,
                                                       const SearchSigns& signs, double tolerance,
                                                       const Vec3& up,
                                                       std::optional<double> level = std::nullopt,
                                                       std::size_t* cost = nullptr);

}  // namespace plimsoll
