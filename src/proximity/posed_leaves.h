// Leaves of a tree where a pose takes them, each posed once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/no_index.h"
#include "tree/tree_pairs.h"

namespace plimsoll {

/// The triangles of a leaf in the world, side by side, rounded as posed() does.
struct PosedLeaf {
  static constexpr std::size_t kTriangles = TriangleTree::kLeafTriangles;

  alignas(32) double corner[3][3][kTriangles];  ///< Coordinate i of corner k at [k][i].
  /// Their boxes, of which not a bit is rounded; those of triangles that are not there are empty.
  double low[3][kTriangles], high[3][kTriangles];

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    std::array<Vec3, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = {corner[k][0][t], corner[k][1][t], corner[k][2][t]};
    return p;
  }
  /// Which triangles' boxes meet that of triangle t of `other`, a bit for each.
  [[nodiscard]] unsigned meeting(const PosedLeaf& other, std::size_t t) const;
};

/// Keeps its memory from tree to tree.
class PosedLeaves {
 public:
  /// Keeps a reference.
  void start(const PosedTree& posed);

  /// The reference is good until the next leaf is asked for.
  [[nodiscard]] const PosedLeaf& operator[](std::uint32_t leaf) {
    std::uint32_t& place = place_[leaf];
    if (place == kNoIndex) place = add(leaf);
    return leaves_[place];
  }

 private:
  [[nodiscard]] std::uint32_t add(std::uint32_t leaf);

  PosedTree posed_;
  std::vector<std::uint32_t> place_;   // of each leaf of the tree among leaves_, or kNoIndex
  std::vector<std::uint32_t> number_;  // of each of leaves_
  std::vector<PosedLeaf> leaves_;
};

}  // namespace plimsoll
