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
// other box is projected onto the one, that point onto the other, and that onto the one again. So n
// is normal to the one, to a face as a rule. Searches open the larger of two boxes: the children of
// that are mostly smaller than the one, and a normal of the larger box tells more.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

struct OrientedBox {
  float center[3], axis[3][3], half[3];
};

/// Those of a node's children, side by side.
template <class Real>
struct OrientedRows {
  OrientedRows() {}  // sets nothing

  alignas(64) Real center[3][TriangleTree::kChildren];
  Real axis[3][3][TriangleTree::kChildren];  ///< Coordinate i of axis j at [j][i].
  Real half[3][TriangleTree::kChildren];     ///< Below 0 where there is no child.
};
struct OrientedBoxes : OrientedRows<float> {};

/// Of each node of the tree, in the order of its `boxes`: around all triangles below each child,
/// along the principal axes of their corners, the longer two turned to the smallest rectangle.
/// O(n log n), in parallel, the same at any number of threads.
[[nodiscard]] std::vector<OrientedBoxes> oriented_boxes(const TriangleTree& tree);

void set_child(OrientedBoxes& boxes, std::size_t k, const OrientedBox& box);

/// Takes x to s Q x + t, s being a scale and Q a rotation.
template <class Real>
struct OrientedMap {
  Real turn[3][3], scale, offset[3];
};

/// Where the map takes the boxes. Centers are off by less than 2^-20 of the sizes and the offset,
/// for doubles 2^-49.
void map_boxes(const OrientedMap<float>& map, const OrientedBoxes& from, OrientedRows<float>& to);
void map_boxes(const OrientedMap<double>& map, const OrientedBoxes& from, OrientedRows<double>& to);

/// How far a box is from those of a node.
template <class Real>
struct OrientedGaps {
  static constexpr std::size_t kChildren = TriangleTree::kChildren;

  OrientedGaps() {}  // sets nothing

  unsigned near;        ///< A bit for each child that is there and not farther than was asked.
  Real gap[kChildren];  ///< No point of the child is nearer to a point of the box.
  Real normal[3][kChildren];  ///< To the child, across the gap: of a length of about 1, or 0.
};

/// Of box k of `one` and each of `boxes`. What is rounded, 2^-19 of the distance of the centers and
/// of the sizes, for doubles 2^-48, is taken off. Precondition: axes of length 1 and orthogonal, to
/// 2^-20.
void find_gaps(const OrientedRows<float>& one, std::size_t k, const OrientedRows<float>& boxes,
               float farthest, OrientedGaps<float>& gaps);
void find_gaps(const OrientedRows<double>& one, std::size_t k, const OrientedRows<double>& boxes,
               double farthest, OrientedGaps<double>& gaps);

}  // namespace plimsoll
