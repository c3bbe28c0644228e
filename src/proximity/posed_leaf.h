// The four triangles of a leaf where their body is, side by side.
#pragma once

#include <cstddef>

#include "proximity/triangle_distance.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

struct PosedLeaf {
  static constexpr std::size_t kTriangles = TriangleTree::kLeafTriangles;

  /// Coordinate i of corner k of triangle t at [k][i][t]; triangles that are not there are points.
  alignas(32) double corner[3][3][kTriangles];

  [[nodiscard]] TripleCorners<double> triangle(std::size_t t) const {
    TripleCorners<double> corners;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) corners[k][i] = corner[k][i][t];
    return corners;
  }
};

/// Pairs of triangles of two leaves: bit 4 i + j for triangle i of a and j of b.
struct LeafPairs {
  unsigned near = 0;      ///< May be as near as was asked,
  unsigned may_meet = 0;  ///< may have a point in common.
};

/// The others are farther apart than `distance` along `n`, of a length of about 1 or 0, or by their
/// boxes along the axes, whatever is rounded.
[[nodiscard]] LeafPairs near_pairs(const PosedLeaf& a, const PosedLeaf& b, const Triple<double>& n,
                                   double distance);

/// The squares that nearest_points finds for a triangle and each of a leaf, to the last bit.
void squared_distances(const TripleCorners<double>& a, const PosedLeaf& b,
                       double (&squared)[PosedLeaf::kTriangles]);

}  // namespace plimsoll
