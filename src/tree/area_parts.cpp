#include "tree/area_parts.h"

#include <algorithm>
#include <cstddef>

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;
constexpr double kUp = 1 + 0x1p-22;  // more than what is lost as a float and by the sums of a level

struct Sums {
  double positive[3] = {}, negative[3] = {};

  [[nodiscard]] AreaParts rounded_up() const {
    AreaParts parts;
    for (int i = 0; i < 3; ++i) {
      parts.positive[i] = static_cast<float>(kUp * positive[i]);
      parts.negative[i] = static_cast<float>(kUp * negative[i]);
    }
    return parts;
  }
};

AreaParts parts_of(const TriangleTree& tree, const TriangleTree::Leaf& leaf) {
  Sums sums;
  for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
    const auto [a, b, c] = tree.unit_corners(leaf, t);
    const Vec3 e = b - a, f = c - a;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double left = e[j] * f[k], right = e[k] * f[j], normal = left - right;
      // So much of it may be rounding.
      const double room = 0x1p-50 * (std::fabs(left) + std::fabs(right));
      sums.positive[i] += std::max(normal, 0.0) + room;
      sums.negative[i] += std::max(-normal, 0.0) + room;
    }
  }
  return sums.rounded_up();
}

AreaParts united(const AreaParts* children) {
  Sums sums;
  for (std::size_t k = 0; k < kChildren; ++k)
    for (int i = 0; i < 3; ++i) {
      sums.positive[i] += children[k].positive[i];
      sums.negative[i] += children[k].negative[i];
    }
  return sums.rounded_up();
}

}  // namespace

// From the leaves up.
std::vector<AreaParts> area_parts(const TriangleTree& tree) {
  std::vector<AreaParts> parts(kChildren * tree.boxes.size());
  for (std::size_t level = tree.levels(); level-- > 0;)
    for (std::size_t child = 0; child < tree.width(level + 1); ++child)
      parts[kChildren * tree.first[level] + child] =
          level + 1 == tree.levels() ? parts_of(tree, tree.leaves[child])
                                     : united(&parts[kChildren * (tree.first[level + 1] + child)]);
  return parts;
}

}  // namespace plimsoll
