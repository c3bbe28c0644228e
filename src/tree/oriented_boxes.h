// Boxes that lie as their triangles do, and how far apart they are at least.
//
// A box along the axes of the body, around a patch of width s that leans, is as thick as s; along
// the principal axes of the patch it is as thick as the patch is bent, s^2 over its radius. Whether
// triangles meet is told by the first in fewer steps, how far they are apart by the second.
//
// A box is { c + sum l_j a_j, |l_j| <= h_j } of the floats as they stand: rounding leaves its axes
// a_j neither of length 1 nor orthogonal. The distance of two, with d = c' - c, is at least
//   (n . d - sum_j h_j |n . a_j| - sum_j h'_j |n . a'_j|) / |n|
// for any n whatever: for the normal of a plane between them that touches both. So n may be found
// by rounded means. It is the difference of two points that are nearly nearest: the center of the
// other box is projected onto the one, that point onto the other, and both once more.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

struct OrientedBox {
  float center[3], axis[3][3], half[3];
};

/// Those of a node's children, side by side.
struct OrientedBoxes {
  alignas(32) float center[3][TriangleTree::kChildren];
  float axis[3][3][TriangleTree::kChildren];  ///< Coordinate i of axis j at [j][i].
  float half[3][TriangleTree::kChildren];     ///< Below 0 where there is no child.

  [[nodiscard]] OrientedBox operator[](std::size_t k) const;
};

/// Of each node of the tree, in the order of its `boxes`: around all triangles below each child,
/// along the principal axes of their corners. O(n log n), in parallel, the same at any number of
/// threads.
[[nodiscard]] std::vector<OrientedBoxes> oriented_boxes(const TriangleTree& tree);

/// For each of `boxes` a number that no point of it is nearer to a point of `box` than; infinite
/// where there is no child. Floats are rounded, for which 2^-19 of the distance of the centers and
/// of the sizes is taken off. Precondition: axes of length 1 and orthogonal, to 2^-20.
void gaps_from_below(const OrientedBox& box, const OrientedBoxes& boxes,
                     float (&gaps)[TriangleTree::kChildren]);

}  // namespace plimsoll
