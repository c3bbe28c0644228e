#include <plimsoll/mesh.h>

#include <algorithm>
#include <string>

#include "mesh/edges.h"

namespace plimsoll {
namespace {

std::string edge_name(const MeshView& mesh, std::uint32_t h) {
  return "edge (" + std::to_string(start_of(mesh, h)) + ", " + std::to_string(end_of(mesh, h)) +
         ")";
}

Error not_closed(const MeshView& mesh, const Edges& edges) {
  const auto error = [](std::uint32_t h, std::string message) {
    return Error{ErrorCode::kNotClosed, std::move(message), "triangle " + std::to_string(h / 3)};
  };
  if (!edges.boundary.empty()) {
    const std::uint32_t h = *std::min_element(edges.boundary.begin(), edges.boundary.end());
    const std::size_t more = edges.boundary.size() - 1;
    const std::string others = more == 0   ? ""
                               : more == 1 ? ", nor does 1 more edge"
                                           : ", nor do " + std::to_string(more) + " more edges";
    return error(h, edge_name(mesh, h) + " belongs to no other triangle" + others +
                        "; expected a closed surface. Either it has a hole, or equal "
                        "vertices are stored apart: then weld() the mesh first");
  }
  if (!edges.inconsistent.empty()) {
    const std::uint32_t h = *std::min_element(edges.inconsistent.begin(), edges.inconsistent.end());
    return error(h, edge_name(mesh, h) + " is run along in the same direction by triangle " +
                        std::to_string(edges.twin[h] / 3) +
                        "; the mesh is not consistently oriented: some of its triangles are "
                        "turned the wrong way");
  }
  const std::uint32_t h = *std::min_element(edges.unbalanced.begin(), edges.unbalanced.end());
  return error(h, edge_name(mesh, h) +
                      " is shared by three triangles or more that do not run along it equally "
                      "often in both directions; expected a surface that bounds a solid");
}

}  // namespace

Result<ClosedMesh> ClosedMesh::from_checked(Result<CheckedMesh> mesh) {
  if (!mesh) return mesh.error();
  const MeshView& view = mesh->view();
  if (view.triangle_count() == 0)
    return Error{ErrorCode::kNoSolid, "found no triangle, expected the surface of a solid", {}};
  const Edges edges = find_edges(view);
  if (!edges.are_balanced()) return not_closed(view, edges);
  return ClosedMesh(std::move(*mesh));
}

Result<ClosedMesh> ClosedMesh::borrow(const MeshView& mesh) {
  return from_checked(CheckedMesh::borrow(mesh));
}

Result<ClosedMesh> ClosedMesh::from_triangles(TriangleMesh mesh) {
  return from_checked(CheckedMesh::from_triangles(std::move(mesh)));
}

}  // namespace plimsoll
