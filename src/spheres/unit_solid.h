// A solid scaled by a power of two, so that it is about 1 large.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Points are in units of 2^exponent of the mesh's, relative to the center of the tree's frame.
struct UnitSolid {
  int exponent = 0;
  TriangleTree tree;

  explicit UnitSolid(const CheckedMesh& mesh);

  [[nodiscard]] Vec3 from_mesh(const Vec3& point) const;
  /// Rounded.
  [[nodiscard]] Vec3 to_mesh(const Vec3& point) const;
  [[nodiscard]] double to_mesh(double length) const;
  /// Whether the surface winds around the point. Precondition: it is not on the surface.
  [[nodiscard]] bool contains(const Vec3& point) const;
};

}  // namespace plimsoll
