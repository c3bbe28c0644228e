// Coarse versions of dense scans, and finer ones.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>

namespace plimsoll::bench {

/// About `triangles` triangles in place of those of `mesh`, by vertex clustering: a grid of cubes
/// is laid over the box, and the vertices in a cube become one, at their mean. Closed if `mesh` is:
/// an edge that is run along equally often both ways stays so when its ends move or merge. Pairs of
/// triangles that then lie on each other with opposite senses are left out. Thin parts may touch.
/// The same bits on every machine. Precondition: check_mesh, welded.
[[nodiscard]] TriangleMesh decimate(const MeshView& mesh, std::size_t triangles);

/// Four triangles in place of each, on the same surface. Precondition: check_mesh.
[[nodiscard]] TriangleMesh split_in_four(TriangleMesh mesh);

}  // namespace plimsoll::bench
