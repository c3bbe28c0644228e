// The triangles of one tree whose boxes meet, two by two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pairs/tree_pairs.h"

namespace plimsoll {

/// The group of all triangles below child k of node i of the tree at 8 i + k, or kSeveralGroups;
/// group[t] is that of triangle t, perhaps kSeveralGroups. O(n).
[[nodiscard]] std::vector<std::uint32_t> groups_of_children(const TriangleTree& tree,
                                                            std::span<const std::uint32_t> group);

/// Each pair of different triangles of a tree whose boxes meet; where triangles have groups, only
/// pairs of two different ones. In pieces of the walk over its leaves, which threads may share.
class SelfPairs {
 public:
  using Piece = PairWalk;

  /// group[t] is that of triangle t; empty for pairs of all. Keeps references. O(n).
  SelfPairs(const TriangleTree& tree, std::span<const std::uint32_t> group);

  /// Disjoint pieces of the whole, enough of them to share out among threads; good while this is.
  [[nodiscard]] std::vector<Piece> pieces() const;

  /// Calls visit(t, u) for the pairs of a piece until done() holds.
  template <class Done, class Visit>
  void visit(const Piece& piece, const Done& done, const Visit& visit) const {
    constexpr std::size_t kAtOnce = 64;
    PairWalk walk = piece;
    while (!done()) {
      const std::span<const LeafPair> found = walk.next(kAtOnce);
      if (found.empty()) return;
      for (const LeafPair& leaves : found) visit_leaves(leaves, visit);
    }
  }

 private:
  static constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;

  /// Whether groups differ is asked of single triangles too.
  template <class Visit>
  void visit_leaves(const LeafPair& leaves, const Visit& visit) const {
    const TriangleBoxes &a = triangles_[leaves.a], &b = triangles_[leaves.b];
    for (std::uint32_t i = 0; i < tree_.size_of(leaves.a); ++i) {
      unsigned bits = meeting(a[i], b);
      if (leaves.a == leaves.b) bits &= ~0U << (i + 1);
      for (std::uint32_t k = 0; bits != 0; ++k, bits >>= 1) {
        if ((bits & 1U) == 0) continue;
        const std::uint32_t t = tree_.numbers[kOfLeaf * leaves.a + i];
        const std::uint32_t u = tree_.numbers[kOfLeaf * leaves.b + k];
        if (group_.empty() || group_[t] != group_[u]) visit(t, u);
      }
    }
  }

  const TriangleTree& tree_;
  std::span<const std::uint32_t> group_;
  std::vector<TriangleBoxes> triangles_;
  std::vector<std::uint32_t> groups_;  // of child k of node i at 8 i + k
};

}  // namespace plimsoll
