// The volume that two meshes share, by a library that is not ours.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include <optional>

namespace plimsoll::test {

struct CgalOverlap {
  double volume = 0;           ///< [m^3]
  Vec3 center = Vec3::Zero();  ///< Where the volume is not 0.
  double volume_error = 0;     ///< By rounding the corners of what is shared, and in their sum.
};

/// Of closed manifolds that do not cross themselves: by corefinement with exact constructions.
/// Nothing where CGAL makes no manifold of it.
[[nodiscard]] std::optional<CgalOverlap> cgal_overlap(const TriangleMesh& a, const TriangleMesh& b);

}  // namespace plimsoll::test
