// The triangles of one tree whose boxes meet, two by two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pairs/tree_pairs.h"

namespace plimsoll {

/// What a search for pairs of triangles looked at.
struct PairLooks {
  std::uint64_t pairs = 0;  ///< Of triangles that were decided by their corners.
  std::uint64_t hulls = 0;  ///< Of nodes that hulls were asked of.

  /// What that took, in microseconds of a core of 3 GHz.
  [[nodiscard]] double work() const {
    return 0.1 * static_cast<double>(pairs) + 0.3 * static_cast<double>(hulls);
  }
  PairLooks& operator+=(const PairLooks& other) {
    pairs += other.pairs;
    hulls += other.hulls;
    return *this;
  }
};

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
  [[nodiscard]] std::vector<Piece> pieces(PairLooks& looks) const;

  [[nodiscard]] static bool is_done(const Piece& piece) { return !piece.goes_on(); }

  /// Calls visit(t, u) for the pairs of a piece until done() holds: what is left then is what a
  /// next call visits. Hulls are not asked.
  template <class Done, class Visit>
  void visit(Piece& piece, const Done& done, PairLooks& /*looks*/, const Visit& visit) const {
    constexpr std::size_t kAtOnce = 64;
    while (!done()) {
      const std::span<const LeafPair> found = piece.next(kAtOnce);
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
