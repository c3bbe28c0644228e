// Hulls around the triangles of every node and leaf of a posed tree, for walks to which boxes tell
// little.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/corner_hull.h"
#include "tree/frame_map.h"

namespace plimsoll {

class PartHulls {
 public:
  /// Of the vertices as posed() rounds them, less `origin` and in units of 2^exponent. Hulls of one
  /// origin and exponent may be compared. O(n), in parallel; about 146 bytes per triangle.
  PartHulls(const PosedTree& posed, const Vec3& origin, int exponent);

  /// Of part i of a level; below the last level, of leaf i.
  [[nodiscard]] const CornerHull& at(std::uint32_t level, std::uint32_t i) const {
    return hulls_[first_[level] + i];
  }

 private:
  std::vector<std::size_t> first_;  // of each level, the leaves' last
  std::vector<CornerHull> hulls_;
};

}  // namespace plimsoll
