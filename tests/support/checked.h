// Meshes of tests, which are known to be well-formed.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh.h>

#include <utility>

namespace plimsoll::test {

/// A copy of `mesh` that has passed check_mesh.
[[nodiscard]] inline CheckedMesh checked(TriangleMesh mesh) {
  Result<CheckedMesh> checked = CheckedMesh::from_triangles(std::move(mesh));
  REQUIRE(checked);
  return std::move(*checked);
}

/// The caller's arrays, which have passed check_mesh.
[[nodiscard]] inline CheckedMesh checked(const MeshView& mesh) {
  Result<CheckedMesh> checked = CheckedMesh::borrow(mesh);
  REQUIRE(checked);
  return std::move(*checked);
}

}  // namespace plimsoll::test
