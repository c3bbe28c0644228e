// The volume that two meshes share, by a library that is not ours.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include <optional>

namespace plimsoll::bench {

/// Of closed manifolds that do not cross themselves, the second moved by the pose: by corefinement
/// with exact constructions; only the corners of what is shared are rounded [m^3]. Nothing where
/// CGAL makes no manifold of it.
[[nodiscard]] std::optional<double> exact_shared_volume(const TriangleMesh& a,
                                                        const TriangleMesh& b,
                                                        const Similarity& a_from_b);

}  // namespace plimsoll::bench
