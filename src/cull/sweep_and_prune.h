// Pairs of boxes that meet, by sorting their lower ends along one axis [Cohen1995].
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/box_tree.h"

namespace plimsoll {

/// Calls visit(i, k) once for each two boxes that share a point, in no order, while
/// may_go_on(compared), which is asked after each box: with how many it was compared. None is
/// empty. O(n log n + pairs whose intervals meet along the axis on which the boxes' lower ends are
/// farthest apart).
template <class Visit, class MayGoOn>
void sweep_and_prune(std::span<const Box3> boxes, const Visit& visit, const MayGoOn& may_go_on) {
  Box3 ends;
  for (const Box3& box : boxes) ends.extend(box.min());
  int axis = 0;
  if (!boxes.empty()) (ends.max() / 2 - ends.min() / 2).maxCoeff(&axis);
  std::vector<std::uint32_t> order(boxes.size()), open;
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
    const double x = boxes[i].min()[axis], y = boxes[k].min()[axis];
    return x != y ? x < y : i < k;
  });
  for (const std::uint32_t i : order) {
    const std::size_t compared = open.size();
    std::size_t left = 0;
    for (const std::uint32_t k : open)
      if (boxes[k].max()[axis] >= boxes[i].min()[axis]) {
        if (boxes_meet(boxes[i], boxes[k])) visit(i, k);
        open[left++] = k;
      }
    open.resize(left);
    open.push_back(i);
    if (!may_go_on(compared)) return;
  }
}

}  // namespace plimsoll
