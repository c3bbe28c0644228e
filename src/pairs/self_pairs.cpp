#include "pairs/self_pairs.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::uint32_t kChildren = TriangleTree::kChildren;

}  // namespace

// From the leaves up.
std::vector<std::uint32_t> groups_of_children(const TriangleTree& tree,
                                              std::span<const std::uint32_t> group) {
  std::vector<std::uint32_t> groups(kChildren * tree.boxes.size(), kSeveralGroups);
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
        if (of(i) != common) common = kSeveralGroups;
      groups[kChildren * tree.first[level] + child] = common;
    }
  }
  return groups;
}

SelfPairs::SelfPairs(const TriangleTree& tree, std::span<const std::uint32_t> group)
    : tree_(tree), group_(group), triangles_(triangle_boxes(tree)) {
  if (!group.empty()) groups_ = groups_of_children(tree, group);
}

std::vector<PairWalk> SelfPairs::pieces(PairLooks& /*looks*/) const {
  constexpr std::size_t kMostPieces = 64, kTrianglesOfPiece = 512;
  std::vector<PairWalk> pieces(1 + std::min(tree_.triangles / kTrianglesOfPiece, kMostPieces - 1));
  pieces.front().start_within(tree_, groups_);
  std::vector<PairWalk*> others;
  for (std::size_t i = 1; i < pieces.size(); ++i) others.push_back(&pieces[i]);
  if (!others.empty()) pieces.front().share_with(others);
  return pieces;
}

}  // namespace plimsoll
