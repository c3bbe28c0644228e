// How much of each cube of a solid the balls of a packing cover.
#pragma once

#include <plimsoll/sphere_packing.h>

#include <span>
#include <vector>

#include "spheres/solid_voxels.h"

namespace plimsoll {

/// For each cube, by its number, the sum of the volumes that it has in common with the balls, in
/// cubes: less than the sum, by no more than 2e-13 of the volume of balls that end in it. In
/// parallel.
[[nodiscard]] std::vector<double> covered_cubes(const SolidVoxels& voxels,
                                                std::span<const PlacedSphere> spheres);

}  // namespace plimsoll
