// Whether spheres are what a tree of inner spheres is made of.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>

#include <span>

namespace plimsoll {

/// Errors: `InvalidArgument`, with the number of a sphere whose numbers are not finite or whose
/// radius is not positive, which leaves the solid, or which overlaps another, by more than about
/// 1e-9 of the solid's size. O(n log n), in parallel.
[[nodiscard]] Result<void> check_inner_spheres(const ClosedMesh& solid,
                                               std::span<const PlacedSphere> spheres);

/// Errors: as check_inner_spheres; `InvalidArgument` for no spheres, and for a number of children
/// out of range.
[[nodiscard]] Result<void> check_tree_of_spheres(const ClosedMesh& solid,
                                                 std::span<const PlacedSphere> spheres,
                                                 const SphereTreeOptions& options);

}  // namespace plimsoll
