// How much of a surface below each node of a tree faces which way: what bounds the integrals over
// any part of it.
#pragma once

#include <array>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Sums over triangles of the positive and of the negative part of each component of N = (b - a) x
/// (c - a), in units of the frame, rounded up.
struct AreaParts {
  float positive[3] = {}, negative[3] = {};
};

/// Of child k of node i at 8 i + k. O(n).
[[nodiscard]] std::vector<AreaParts> area_parts(const TriangleTree& tree);

}  // namespace plimsoll
