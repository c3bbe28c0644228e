// How triangles hang together: shells, patches, vertex fans and duplicates.
#pragma once

#include "mesh/edges.h"

namespace plimsoll {

/// Patches are triangles joined over edges of exactly two; shells over edges of any number. Both
/// are numbered by their first triangle; kNoIndex for triangles that name a vertex twice.
struct Shells {
  std::vector<std::uint32_t> patch_of;  ///< Per triangle.
  std::vector<std::uint32_t> shell_of;  ///< Per triangle.
  std::uint32_t patches = 0;
  std::uint32_t shells = 0;
};
[[nodiscard]] Shells find_shells(const MeshView& mesh, const Edges& edges);

/// Vertices whose triangles, joined over the edges at the vertex, fall into more than one group; in
/// ascending order.
[[nodiscard]] std::vector<std::uint32_t> find_nonmanifold_vertices(const MeshView& mesh,
                                                                   const Edges& edges);

/// Triangles with the same three vertices as an earlier one, either way round; ascending.
[[nodiscard]] std::vector<std::uint32_t> find_duplicates(const MeshView& mesh, const Edges& edges);

}  // namespace plimsoll
