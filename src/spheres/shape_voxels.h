// A shape cut into the cubes of a lattice.
#pragma once

#include <cstddef>

#include "spheres/shape_depth.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {

/// The cubes of the lattice over `box` in which there may be something of the shape: all others are
/// proved to be outside. Those wholly inside wind once; the others are in the numbers of those that
/// the surface touches, without shares or triangles, and `is_inside` says that their center is
/// proved to be. Errors: as lay_lattice, of `shape`. A depth for each cube of the lattice, in
/// parallel.
[[nodiscard]] Result<SolidVoxels> shape_voxels(const ShapeDepth& depth, const Box3& box,
                                               std::size_t resolution);

}  // namespace plimsoll
