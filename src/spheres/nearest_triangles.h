// The triangle of a surface that is nearest to the center of each cube of its solid.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <vector>

#include "spheres/solid_voxels.h"

namespace plimsoll {

/// For each cube, by its number; of several nearest triangles the first, up to 1e-15 of the box.
/// Slower than to ask a tree where few cubes are, and much faster deep inside, where a tree finds
/// hundreds of triangles nearly as near. In parallel. Precondition: the voxels are of this mesh.
[[nodiscard]] std::vector<std::uint32_t> nearest_triangles(const SolidVoxels& voxels,
                                                           const ClosedMesh& mesh);

}  // namespace plimsoll
