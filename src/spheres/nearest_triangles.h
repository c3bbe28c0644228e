// The triangle of a surface that is nearest to the center of each cube of its solid.
#pragma once

#include <plimsoll/mesh_tree.h>
#include <plimsoll/result.h>

#include <cstdint>
#include <vector>

#include "spheres/solid_voxels.h"

namespace plimsoll {

/// For each cube, by its number; of several nearest triangles one. Errors: as SurfaceProbe::of. In
/// parallel. Precondition: the voxels are of the tree's mesh.
[[nodiscard]] Result<std::vector<std::uint32_t>> nearest_triangles(const SolidVoxels& voxels,
                                                                   const MeshTree& tree);

}  // namespace plimsoll
