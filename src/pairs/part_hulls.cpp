#include "pairs/part_hulls.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"
#include "pairs/posed_leaves.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWorthwhile = 16;  // nodes or leaves
constexpr std::uint32_t kChildren = TriangleTree::kChildren;

CornerHull hull_of_leaf(const PosedTree& posed, std::uint32_t leaf, const Vec3& origin,
                        int exponent) {
  PosedLeaf corners;
  pose_leaves(posed, {&leaf, 1}, &corners);
  std::array<Vec3, 3 * TriangleTree::kLeafTriangles> points;
  std::size_t count = 0;
  for (std::size_t t = 0; t < posed.tree->size_of(leaf); ++t)
    for (const Vec3& corner : corners.corners(t))
      points[count++] = Vec3(corner - origin).unaryExpr([exponent](double x) {
        return times_power_of_two(x, -exponent);
      });
  return CornerHull::around(std::span<const Vec3>(points.data(), count));
}

}  // namespace

PartHulls::PartHulls(const PosedTree& posed, const Vec3& origin, int exponent) {
  const TriangleTree& tree = *posed.tree;
  first_ = tree.first;
  first_.push_back(tree.boxes.size());
  hulls_.resize(tree.boxes.size() + tree.leaf_count());
  CornerHull* const leaves = hulls_.data() + first_.back();
  parallel_for_each_index(tree.leaf_count(), kWorthwhile, [&](std::size_t leaf) {
    leaves[leaf] = hull_of_leaf(posed, static_cast<std::uint32_t>(leaf), origin, exponent);
  });
  for (std::size_t level = tree.levels(); level-- > 0;) {
    const CornerHull* const below = hulls_.data() + first_[level + 1];
    parallel_for_each_index(tree.width(level), kWorthwhile, [&](std::size_t node) {
      const std::size_t begin = kChildren * node;
      const std::size_t end = std::min(begin + kChildren, tree.width(level + 1));
      hulls_[first_[level] + node] =
          CornerHull::around(std::span<const CornerHull>(below + begin, end - begin));
    });
  }
}

}  // namespace plimsoll
