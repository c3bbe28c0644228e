// What it adds to the errors of a solid that its vertices are not where they belong.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh.h>

namespace plimsoll {

/// The volume that the surface of `mesh` sweeps at most while each vertex goes straight to a place
/// no farther than `vertex_error` away [cube of the mesh's unit]. Infinite where a sum overflows.
/// O(triangles).
[[nodiscard]] double swept_volume(const MeshView& mesh, double vertex_error);

/// What is gained or lost lies in the volume that was swept, `swept` [m^3], no farther from the
/// center of mass than the body's `diameter` [m]. Infinite where that is a quarter of the body.
[[nodiscard]] MassError displacement_error(double swept, double diameter,
                                           const MassProperties& measured);

}  // namespace plimsoll
