#include "pairs/self_pairs.h"

#include <limits>

namespace plimsoll {
namespace {

constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kChildren = TriangleTree::kChildren;

/// The group of all triangles below each child, or kSeveral; from the leaves up.
std::vector<std::uint32_t> groups_of_children(const TriangleTree& tree,
                                              std::span<const std::uint32_t> group) {
  std::vector<std::uint32_t> groups(kChildren * tree.boxes.size(), kSeveral);
  for (std::size_t level = tree.levels(); level-- > 0;) {
    const bool is_last = level + 1 == tree.levels();
    const std::size_t children_of_children = is_last ? TriangleTree::kLeafTriangles : kChildren;
    const std::size_t end = is_last ? tree.triangles : tree.width(level + 2);
    const auto of = [&](std::size_t i) {
      return is_last ? group[tree.numbers[i]] : groups[kChildren * tree.first[level + 1] + i];
    };
    for (std::size_t child = 0; child < tree.width(level + 1); ++child) {
      const std::size_t first = children_of_children * child;
      std::uint32_t common = of(first);
      for (std::size_t i = first + 1; i < std::min(first + children_of_children, end); ++i)
        if (of(i) != common) common = kSeveral;
      groups[kChildren * tree.first[level] + child] = common;
    }
  }
  return groups;
}

}  // namespace

// Centers and half sizes are at most the reach r: a difference of centers and a sum of half sizes
// are at most 2 r, and rounded by 2^-24 of that each.
SelfPairs::SelfPairs(const TriangleTree& tree, std::span<const std::uint32_t> group)
    : tree_(tree),
      group_(group),
      triangles_(triangle_boxes(tree)),
      room_(static_cast<float>(0x1p-21 * tree.frame.reach)) {
  if (!group.empty()) groups_ = groups_of_children(tree, group);
}

void SelfPairs::open(const Piece& piece, std::vector<Piece>& below) const {
  const std::size_t first = tree_.first[piece.level];
  const ChildBoxes &a = tree_.boxes[first + piece.a], &b = tree_.boxes[first + piece.b];
  for (std::uint32_t i = 0; i < kChildren; ++i) {
    if (!a.is_there(i)) continue;
    unsigned bits = meeting(grown(a, i), b);
    if (piece.a == piece.b) bits &= ~0U << i;
    for (std::uint32_t k = 0; bits != 0; ++k, bits >>= 1) {
      if ((bits & 1U) == 0) continue;
      if (!groups_.empty()) {
        const std::uint32_t group = groups_[kChildren * (first + piece.a) + i];
        if (group != kSeveral && group == groups_[kChildren * (first + piece.b) + k]) continue;
      }
      below.push_back({piece.level + 1, kChildren * piece.a + i, kChildren * piece.b + k});
    }
  }
}

// All waiting pieces are of one level.
std::vector<SelfPairs::Piece> SelfPairs::pieces() const {
  constexpr std::size_t kPieces = 2048;
  std::vector<Piece> pieces, opened;
  if (tree_.triangles > 1) pieces.push_back({0, 0, 0});
  while (!pieces.empty() && pieces.size() < kPieces && pieces.front().level < tree_.levels()) {
    opened.clear();
    for (const Piece& piece : pieces) open(piece, opened);
    pieces.swap(opened);
  }
  return pieces;
}

}  // namespace plimsoll
