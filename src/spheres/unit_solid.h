// A solid scaled by a power of two, so that it is about 1 large.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <limits>
#include <optional>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// The half space that is kept of a solid, in its units.
struct KeptSpace {
  Vec3 normal = Vec3::UnitZ();  ///< Of length 1.
  double offset = 0;            ///< Farther in than the true one, by up to twice the rounding.
  double rounding = 0;

  /// How far a point is from the plane; below 0 outside.
  [[nodiscard]] double depth(const Vec3& point) const { return normal.dot(point) - offset; }
};

/// Points are in units of 2^exponent of the mesh's, relative to the center of the tree's frame.
struct UnitSolid {
  int exponent = 0;
  TriangleTree tree;
  std::optional<KeptSpace> kept;  ///< All of the solid, if there is none.

  /// Precondition: the normal of `keep` has a direction, its numbers are finite, and it holds a
  /// part of the solid.
  explicit UnitSolid(const CheckedMesh& mesh, const std::optional<HalfSpace>& keep = std::nullopt);

  [[nodiscard]] Vec3 from_mesh(const Vec3& point) const;
  /// Rounded.
  [[nodiscard]] Vec3 to_mesh(const Vec3& point) const;
  [[nodiscard]] double to_mesh(double length) const;
  /// Whether the surface winds around the point. Precondition: it is not on the surface.
  [[nodiscard]] bool contains(const Vec3& point) const;
  /// How far a point is from the plane of what is kept; below 0 outside, infinite without one.
  [[nodiscard]] double kept_depth(const Vec3& point) const {
    return kept ? kept->depth(point) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace plimsoll
