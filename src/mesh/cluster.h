// Vertex clustering [RossignacBorrel1993]: a coarse mesh in linear time.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

/// All vertices of a cell of a grid, from the corner of the mesh's box, become their mean;
/// triangles that collapse are left out, and so are pairs that cancel. What was closed stays
/// closed, in the sense that edges balance; thin parts may fold.
[[nodiscard]] TriangleMesh cluster_vertices(const MeshView& mesh, double cell_size);

}  // namespace plimsoll
