// Meshes that are known to pass check_mesh, because they come from one that did.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

/// Without the check. Precondition: check_mesh; indices of 32 bits or none.
[[nodiscard]] CheckedMesh trusted(const MeshView& mesh);
[[nodiscard]] CheckedMesh trusted(TriangleMesh&& mesh);

/// The same functions as in mesh.h. Precondition: as trusted.
[[nodiscard]] Box3 bounding_box(const MeshView& mesh);
[[nodiscard]] TriangleMesh weld(const MeshView& mesh);

}  // namespace plimsoll
