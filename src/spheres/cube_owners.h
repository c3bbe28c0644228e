// Which sphere each cube of a solid goes to.
#pragma once

#include <plimsoll/sphere_packing.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "spheres/solid_voxels.h"

namespace plimsoll {

/// The sphere that a cube goes to.
struct CubeOwner {
  /// |x - c| - r of the cube's center x, in cubes: how far outside the sphere it is.
  double gap = std::numeric_limits<double>::infinity();
  std::uint32_t sphere = 0;
};

/// For each cube, by its number, the sphere with the least gap, of equal ones the first. Spheres of
/// any sizes cost some dozens of gaps for each cube (cube_blocks.h). In parallel. Precondition: at
/// least one sphere.
[[nodiscard]] std::vector<CubeOwner> cube_owners(const SolidVoxels& voxels,
                                                 std::span<const PlacedSphere> spheres);

/// No point of the solid is farther from the spheres than this [m]: each is in a cube, and gaps
/// grow from its center to its corners by half its diagonal at most.
[[nodiscard]] double protrusion_of_cubes(const SolidVoxels& voxels,
                                         std::span<const CubeOwner> owners);

}  // namespace plimsoll
