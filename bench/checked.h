// The meshes of benchmarks, which are well-formed.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdlib>
#include <utility>

namespace plimsoll::bench {

[[nodiscard]] inline CheckedMesh checked(const MeshView& mesh) {
  Result<CheckedMesh> checked = CheckedMesh::borrow(mesh);
  if (!checked) std::abort();
  return std::move(*checked);
}

}  // namespace plimsoll::bench
