// check_mesh and bounding_box in one, reading each vertex once instead of once for each triangle:
// it counts where a body is measured in a millisecond.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

/// The box of the vertices that some triangle names. Errors: as check_mesh.
[[nodiscard]] Result<Box3> checked_box(const MeshView& mesh);

}  // namespace plimsoll
