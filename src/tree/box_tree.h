// A binary tree of axis-parallel boxes over numbered items, for finding those that a query may meet
// and the pairs that may meet each other.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// Whether two closed boxes share a point.
[[nodiscard]] inline bool boxes_meet(const Box3& a, const Box3& b) {
  const Vec3 &a0 = a.min(), &a1 = a.max(), &b0 = b.min(), &b1 = b.max();
  // Without branches: nearly any of the six may decide.
  return (a0.x() > b1.x()) + (b0.x() > a1.x()) + (a0.y() > b1.y()) + (b0.y() > a1.y()) +
             (a0.z() > b1.z()) + (b0.z() > a1.z()) ==
         0;
}

/// Perfect tree: every inner node has two children, every leaf the same depth and at most 8 items.
/// Nodes are numbered by breadth: the root is 0, the children of n are 2n + 1 and 2n + 2. Items are
/// split at the median of their centers along the longest side of the box of centers, ties by
/// number: neither threads nor the library's version change the tree. O(n log n), in parallel.
class BoxTree {
 public:
  BoxTree() = default;
  /// Over items 0, 1, ... with the closed boxes given, none of them empty.
  explicit BoxTree(std::span<const Box3> boxes);
  /// The same, split at the median of the points given, one for each item, in place of its center.
  BoxTree(std::span<const Box3> boxes, std::span<const Vec3> points);

  [[nodiscard]] std::size_t size() const { return item_boxes_.size(); }
  [[nodiscard]] std::size_t node_count() const { return node_boxes_.size(); }
  [[nodiscard]] bool is_leaf(std::size_t node) const { return node >= first_leaf_; }
  [[nodiscard]] const Box3& box(std::size_t node) const { return node_boxes_[node]; }

  /// Items stand in slots; a leaf holds the slots [first_slot(leaf), first_slot(leaf + 1)).
  [[nodiscard]] std::size_t first_slot(std::size_t leaf) const {
    return leaf_slots_[leaf - first_leaf_];
  }
  [[nodiscard]] std::uint32_t item(std::size_t slot) const { return items_[slot]; }
  [[nodiscard]] const Box3& item_box(std::size_t slot) const { return item_boxes_[slot]; }

 private:
  std::vector<Box3> node_boxes_;
  std::vector<Box3> item_boxes_;           // by slot
  std::vector<std::uint32_t> items_;       // by slot
  std::vector<std::uint32_t> leaf_slots_;  // first slot of each leaf, and the end
  std::size_t first_leaf_ = 0;
};

/// Calls visit(item) for each item whose box `meets`; meets(box) must hold for a box that contains
/// one for which it holds.
template <class Meets, class Visit>
void visit_items(const BoxTree& tree, const Meets& meets, const Visit& visit) {
  if (tree.size() == 0) return;
  std::vector<std::size_t> waiting{0};
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (!meets(tree.box(node))) continue;
    if (!tree.is_leaf(node)) {
      waiting.push_back(2 * node + 2);
      waiting.push_back(2 * node + 1);
      continue;
    }
    for (std::size_t slot = tree.first_slot(node); slot < tree.first_slot(node + 1); ++slot)
      if (meets(tree.item_box(slot))) visit(tree.item(slot));
  }
}

/// Two nodes of one tree, perhaps the same one twice.
struct NodePair {
  std::size_t a = 0, b = 0;
};

/// The pairs of nodes one level below `pair`, or none where it is one of leaves. Every pair of
/// items below `pair` is below exactly one of them. Pairs whose boxes do not meet, and those for
/// which skip(a, b) holds, are left out.
template <class Skip, class Emit>
void open_pair(const BoxTree& tree, NodePair pair, const Skip& skip, const Emit& emit) {
  const auto offer = [&](std::size_t a, std::size_t b) {
    if (boxes_meet(tree.box(a), tree.box(b)) && !skip(a, b)) emit(NodePair{a, b});
  };
  const std::size_t a = 2 * pair.a + 1, b = 2 * pair.b + 1;
  offer(a, b);
  offer(a, b + 1);
  if (pair.a != pair.b) offer(a + 1, b);
  offer(a + 1, b + 1);
}

/// Calls visit(slot, slot) for each pair of different slots below one of those `waiting` whose
/// boxes meet, until done() holds: what is left then waits still. skip(a, b) tells of two nodes
/// that no pair of items below them is wanted.
template <class Done, class Skip, class Visit>
void visit_waiting_pairs(const BoxTree& tree, std::vector<NodePair>& waiting, const Done& done,
                         const Skip& skip, const Visit& visit) {
  while (!waiting.empty() && !done()) {
    const NodePair top = waiting.back();
    waiting.pop_back();
    if (!tree.is_leaf(top.a)) {
      open_pair(tree, top, skip, [&](NodePair opened) { waiting.push_back(opened); });
      continue;
    }
    const std::size_t end = tree.first_slot(top.b + 1);
    for (std::size_t i = tree.first_slot(top.a); i < tree.first_slot(top.a + 1); ++i)
      for (std::size_t j = top.a == top.b ? i + 1 : tree.first_slot(top.b); j < end; ++j)
        if (boxes_meet(tree.item_box(i), tree.item_box(j))) visit(i, j);
  }
}

/// The same of one pair, to the end.
template <class Skip, class Visit>
void visit_pairs_below(const BoxTree& tree, NodePair pair, const Skip& skip, const Visit& visit) {
  std::vector<NodePair> waiting{pair};
  visit_waiting_pairs(tree, waiting, [] { return false; }, skip, visit);
}

/// Disjoint pieces of the work of visiting all pairs, enough of them to share out among threads.
template <class Skip>
[[nodiscard]] std::vector<NodePair> split_pairs(const BoxTree& tree, const Skip& skip) {
  constexpr std::size_t kPieces = 2048;
  std::vector<NodePair> pieces, opened;
  if (tree.size() > 1 && !skip(std::size_t{0}, std::size_t{0})) pieces.push_back({0, 0});
  // All pairs in `pieces` are of one depth.
  while (!pieces.empty() && pieces.size() < kPieces && !tree.is_leaf(pieces.front().a)) {
    opened.clear();
    for (const NodePair pair : pieces)
      open_pair(tree, pair, skip, [&](NodePair below) { opened.push_back(below); });
    pieces.swap(opened);
  }
  return pieces;
}

}  // namespace plimsoll
