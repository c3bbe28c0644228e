// A shape cut into the cubes of a lattice.
#pragma once

#include <cstddef>

#include "spheres/shape_depth.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {

/// The cubes of the lattice over `box` in which there may be something of the shape: all others are
/// proved to be outside. As add_cubes() tells; `is_inside` says that a center is proved to be.
/// Errors: as lay_lattice, of `shape`. A depth for each cube of the lattice, in parallel.
[[nodiscard]] Result<SolidVoxels> shape_voxels(const ShapeDepth& depth, const Box3& box,
                                               std::size_t resolution);

}  // namespace plimsoll
