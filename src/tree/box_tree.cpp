#include "tree/box_tree.h"

#include <algorithm>
#include <bit>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr std::size_t kLeafItems = 8;

struct Center {
  Vec3 at;
  std::uint32_t item;
};

// [begin, end) in the array of centers.
struct Range {
  std::size_t begin, end;
  [[nodiscard]] std::size_t middle() const { return begin + (end - begin) / 2; }
};

// Halves the range by the median; every number of items below a node of one level then differs by
// at most one.
void split(std::vector<Center>& centers, Range range) {
  Box3 box;
  for (std::size_t i = range.begin; i < range.end; ++i) box.extend(centers[i].at);
  int axis = 0;
  Vec3(box.max() / 2 - box.min() / 2).maxCoeff(&axis);  // halves: no overflow
  const auto at = [&](std::size_t i) { return centers.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(range.begin), at(range.middle()), at(range.end),
                   [axis](const Center& a, const Center& b) {
                     return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.item < b.item;
                   });
}

std::vector<Vec3> middles_of(std::span<const Box3> boxes) {
  std::vector<Vec3> middles(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    middles[i] = boxes[i].min() / 2 + boxes[i].max() / 2;
  return middles;
}

}  // namespace

BoxTree::BoxTree(std::span<const Box3> boxes) : BoxTree(boxes, middles_of(boxes)) {}

BoxTree::BoxTree(std::span<const Box3> boxes, std::span<const Vec3> points) {
  const std::size_t count = boxes.size();
  if (count == 0) return;
  std::vector<Center> centers(count);
  for (std::size_t i = 0; i < count; ++i) centers[i] = {points[i], static_cast<std::uint32_t>(i)};

  std::vector<Range> level{{0, count}};
  while ((count + level.size() - 1) / level.size() > kLeafItems) {
    std::vector<Range> below(2 * level.size());
    parallel_for_each_index(level.size(), [&](std::size_t i) {
      split(centers, level[i]);
      below[2 * i] = {level[i].begin, level[i].middle()};
      below[2 * i + 1] = {level[i].middle(), level[i].end};
    });
    level.swap(below);
  }

  const std::size_t leaves = level.size();
  first_leaf_ = leaves - 1;
  node_boxes_.resize(2 * leaves - 1);
  leaf_slots_.resize(leaves + 1, static_cast<std::uint32_t>(count));
  items_.resize(count);
  item_boxes_.resize(count);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    leaf_slots_[leaf] = static_cast<std::uint32_t>(level[leaf].begin);
    for (std::size_t slot = level[leaf].begin; slot < level[leaf].end; ++slot) {
      items_[slot] = centers[slot].item;
      item_boxes_[slot] = boxes[centers[slot].item];
      node_boxes_[first_leaf_ + leaf].extend(item_boxes_[slot]);
    }
  }
  for (std::size_t node = first_leaf_; node-- > 0;)
    node_boxes_[node] = node_boxes_[2 * node + 1].merged(node_boxes_[2 * node + 2]);
}

}  // namespace plimsoll
