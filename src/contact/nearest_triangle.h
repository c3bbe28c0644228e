// The triangle that is nearest to a point, for many points beside each other: right to rounding,
// and faster than what comes with bounds (surface_queries.h).
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// A triangle of a tree, and how far it is.
struct NearestTriangle {
  double squared;  ///< The square of the distance [units of the frame, squared].
  std::uint32_t leaf;
  std::size_t of_leaf;  ///< Its number in the leaf.
};

/// A part of a tree, and what its points are not nearer than, squared.
struct PartAhead {
  std::uint32_t level, number;
  double squared;
};

/// Any of those that no other is nearer than. The point is relative to the center of the tree's
/// frame, in its units. Looks into the leaf `first` first: the search is short where it is near.
/// `ahead` is memory for the search. Precondition: the tree has triangles. O(log n) near the
/// surface.
[[nodiscard]] NearestTriangle nearest_triangle(const TriangleTree& tree, const Vec3& x,
                                               std::uint32_t first, std::vector<PartAhead>& ahead);

}  // namespace plimsoll
