// The mass properties of balls that overlap, as one body: of clumps of grains, and of covers.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>

#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// Of the union of the balls, of density 1: what lies in several of them counts once. In closed
/// form, of the arcs in which spheres cross (docs/theory/spheres.md); rounded by some 1e-13 of the
/// sum of all balls, more where three spheres cross at slight angles. `error_bound` is infinite.
/// Errors: `InvalidArgument` for no balls, and for coordinates and radii that are not finite or
/// beyond 1e100, or radii that are not above 0, by the ball's number. O(n^2), and O(m^2 log m) for
/// a ball that m others meet.
[[nodiscard]] Result<MassProperties> union_mass_properties(std::span<const PlacedSphere> spheres);

}  // namespace plimsoll
