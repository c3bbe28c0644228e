// The published packing, its distances taken early or late.
#pragma once

#include <plimsoll/sphere_packing.h>

#include <cstddef>

namespace plimsoll {

/// When the distance from a cube's center to the surface is taken: the spheres are the same.
enum class DistancesTaken {
  kEarly,  ///< Of each cube, before the first sphere.
  kLate,   ///< Of those that may be the next sphere's.
};

/// pack_spheres_on_lattice.
[[nodiscard]] Result<SpherePacking> pack_on_lattice(const ClosedMesh& solid, std::size_t resolution,
                                                    const PackingOptions& options,
                                                    DistancesTaken distances);
[[nodiscard]] Result<SpherePacking> pack_on_lattice(const Shape& shape, std::size_t resolution,
                                                    const PackingOptions& options,
                                                    DistancesTaken distances);

}  // namespace plimsoll
