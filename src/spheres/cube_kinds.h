// Cubes of a lattice, told apart by how deep their centers are in a solid.
#pragma once

#include <cstdint>
#include <vector>

#include "spheres/solid_voxels.h"

namespace plimsoll {

enum class CubeKind : std::uint8_t { kOutside, kInside, kCutOutside, kCutInside };

/// Half the diagonal of a cube, and a little more [m]: where a center is farther from the surface,
/// the surface does not touch the cube.
[[nodiscard]] double reach_of_cubes(const SolidVoxels& lattice);

/// Of a cube whose center is so deep [m], below 0 outside of the solid.
[[nodiscard]] CubeKind kind_of(double depth, double reach);

/// Gives a lattice its cubes, those that are outside left out. `kinds` is numbered
/// z + nz (y + ny x). Those wholly inside wind once; the others are in the numbers of those that
/// the surface touches, without shares or triangles, and `is_inside` tells of their centers.
void add_cubes(const std::vector<CubeKind>& kinds, SolidVoxels& lattice);

}  // namespace plimsoll
