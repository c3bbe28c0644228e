// Triangles against a leaf of four, side by side.
#pragma once

#include <cstddef>

#include "pairs/posed_leaves.h"
#include "proximity/ray_triangle.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {

/// Pairs of triangles of two leaves: bit 4 i + j for triangle i of a and j of b.
struct LeafTriangles {
  unsigned near = 0;      ///< May be as near as was asked,
  unsigned may_meet = 0;  ///< may have a point in common.
};

/// The others are farther apart than `distance` along `n`, of a length of about 1 or 0, or by their
/// boxes along the axes, whatever is rounded.
[[nodiscard]] LeafTriangles near_pairs(const PosedLeaf& a, const PosedLeaf& b,
                                       const Triple<double>& n, double distance);

/// The squares that nearest_points finds for a triangle and each of a leaf, to the last bit.
void squared_distances(const TripleCorners<double>& a, const PosedLeaf& b,
                       double (&squared)[PosedLeaf::kTriangles]);

/// The same of a point, but for rounding; and how far each may be off.
void squared_distances(const Triple<double>& point, const PosedLeaf& leaf,
                       double (&squared)[PosedLeaf::kTriangles],
                       double (&rounding)[PosedLeaf::kTriangles]);

/// Bit t: the line through a ray may meet triangle t. It passes edges of the others on both sides,
/// whatever is rounded.
[[nodiscard]] unsigned on_line(const RayPoints& ray, const PosedLeaf& leaf);

}  // namespace plimsoll
