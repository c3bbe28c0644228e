// Two posed trees walked together: the pairs of leaves that may meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// A tree and where its mesh is. The tree is neither copied nor moved.
struct PosedTree {
  const TriangleTree* tree = nullptr;
  Similarity world_from_mesh = Similarity::Identity();
};

/// A leaf of each tree.
struct LeafPair {
  std::uint32_t a = 0, b = 0;

  friend bool operator==(const LeafPair&, const LeafPair&) = default;
};

/// The walk's memory, which the caller keeps from query to query.
class PairWalk {
 public:
  /// The pairs of leaves whose boxes may meet: of every two triangles that have a point in common,
  /// posed as posed() does, rounding included, the leaves are among them. In an order that depends
  /// on the trees and poses alone. The span is good until the next call.
  ///
  /// Boxes of `a` are turned into the frame of `b` and there stand for the boxes around them.
  /// Precondition: check_pose of both.
  [[nodiscard]] std::span<const LeafPair> leaf_pairs(const PosedTree& a, const PosedTree& b);

 private:
  /// A part of each tree: a node, or below the last level a leaf.
  struct Parts {
    std::uint32_t a_level, a, b_level, b;
  };

  std::vector<Parts> waiting_;
  std::vector<LeafPair> found_;
};

}  // namespace plimsoll
