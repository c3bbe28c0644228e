// check_mesh and bounding_box in one, for bodies that are measured in a millisecond: each vertex is
// looked at once, not once for every triangle.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

/// The box of the vertices that some triangle names. Errors: as check_mesh.
[[nodiscard]] Result<Box3> checked_box(const MeshView& mesh);

}  // namespace plimsoll
