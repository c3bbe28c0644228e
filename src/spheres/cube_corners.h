// The corners of a solid's part in a cube, of which one is farthest from any point: a part of a
// polyhedron lies in a ball where they do.
#pragma once

#include <plimsoll/types.h>

#include <optional>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// A corner of the part is one of the surface's part, or of the cube where that is in the solid.
/// Cutting rounds corners of the surface by less than this, of the tree's reach.
inline constexpr double kCornerRounding = 0x1p-40;

/// Those of the surface's part in the cube about `center`, of half the edge `half`, and some
/// outside of it; nothing where more than 16 triangles come near.
[[nodiscard]] std::optional<std::vector<Vec3>> surface_corners(const TriangleTree& walls,
                                                               const Vec3& center, double half);

/// On the upper side along axis i where bit i of the number, 0 to 7, is set.
[[nodiscard]] Vec3 cube_corner(const Vec3& center, double half, int number);

}  // namespace plimsoll
