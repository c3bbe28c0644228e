// The triangles of one tree whose boxes meet, two by two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Each pair of different triangles of a tree whose boxes meet; where triangles have groups, only
/// pairs of two different ones. In pieces, which threads may share.
class SelfPairs {
 public:
  /// Two nodes of one level, or leaves, perhaps the same twice.
  struct Piece {
    std::uint32_t level, a, b;
  };

  /// group[t] is that of triangle t; empty for pairs of all. Keeps references. O(n).
  SelfPairs(const TriangleTree& tree, std::span<const std::uint32_t> group);

  /// Disjoint pieces of the whole, enough of them to share out among threads.
  [[nodiscard]] std::vector<Piece> pieces() const;

  /// Calls visit(t, u) for the pairs of a piece until done() holds.
  template <class Done, class Visit>
  void visit(const Piece& piece, const Done& done, const Visit& visit) const {
    std::vector<Piece> waiting{piece};
    while (!waiting.empty() && !done()) {
      const Piece top = waiting.back();
      waiting.pop_back();
      if (top.level == tree_.levels())
        visit_leaves(top, visit);
      else
        open(top, waiting);
    }
  }

 private:
  static constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;

  /// Adds the pairs of children that may have wanted pairs.
  void open(const Piece& piece, std::vector<Piece>& below) const;

  /// Box k, grown by what rounding may hide.
  template <std::size_t kCount>
  [[nodiscard]] FloatBox grown(const FloatBoxes<kCount>& boxes, std::size_t k) const {
    FloatBox box = boxes[k];
    for (float& half : box.half) half += room_;
    return box;
  }

  /// Whether groups differ is asked of single triangles too.
  template <class Visit>
  void visit_leaves(const Piece& leaves, const Visit& visit) const {
    const TriangleBoxes &a = triangles_[leaves.a], &b = triangles_[leaves.b];
    for (std::uint32_t i = 0; i < tree_.size_of(leaves.a); ++i) {
      unsigned bits = meeting(grown(a, i), b);
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
  float room_;
};

}  // namespace plimsoll
