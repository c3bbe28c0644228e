// The leaves of a tree that a query may meet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Calls visit(leaf) for each leaf whose box meets(center, half), and those around it too, in the
/// frame of the tree; meets must hold for a box around one for which it holds.
template <class Meets, class Visit>
void visit_leaves(const TriangleTree& tree, const Meets& meets, const Visit& visit) {
  constexpr std::size_t kChildren = TriangleTree::kChildren;
  struct Node {
    std::size_t level, number;
  };
  std::vector<Node> waiting{{0, 0}};
  while (!waiting.empty()) {
    const Node node = waiting.back();
    waiting.pop_back();
    const ChildBoxes& boxes = tree.boxes[tree.first[node.level] + node.number];
    const std::size_t begin = kChildren * node.number;
    const std::size_t count = std::min(kChildren, tree.width(node.level + 1) - begin);
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3 center(boxes.center[0][k], boxes.center[1][k], boxes.center[2][k]);
      const Vec3 half(boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]);
      if (!meets(center, half)) continue;
      if (node.level + 1 < tree.levels())
        waiting.push_back({node.level + 1, begin + k});
      else
        visit(begin + k);
    }
  }
}

}  // namespace plimsoll
