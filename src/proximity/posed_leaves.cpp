#include "proximity/posed_leaves.h"

#include <algorithm>
#include <limits>

#include "mesh/posed_vertex.h"

namespace plimsoll {

unsigned PosedLeaf::meeting(const PosedLeaf& other, std::size_t t) const {
  int meets[kTriangles];
  for (std::size_t k = 0; k < kTriangles; ++k) {
    int all = 1;
    for (std::size_t i = 0; i < 3; ++i)
      all &= static_cast<int>(low[i][k] <= other.high[i][t]) &
             static_cast<int>(other.low[i][t] <= high[i][k]);
    meets[k] = all;
  }
  unsigned bits = 0;
  for (std::size_t k = 0; k < kTriangles; ++k) bits |= static_cast<unsigned>(meets[k]) << k;
  return bits;
}

void PosedLeaves::start(const PosedTree& posed) {
  for (const std::uint32_t leaf : number_) place_[leaf] = kNoIndex;
  number_.clear();
  leaves_.clear();
  posed_ = posed;
  if (place_.size() < posed.tree->leaf_count()) place_.resize(posed.tree->leaf_count(), kNoIndex);
}

std::uint32_t PosedLeaves::add(std::uint32_t leaf) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const TriangleTree& tree = *posed_.tree;
  const Similarity& pose = posed_.world_from_mesh;
  const auto place = static_cast<std::uint32_t>(leaves_.size());
  PosedLeaf& made = leaves_.emplace_back();
  for (std::size_t t = 0; t < PosedLeaf::kTriangles; ++t) {
    const bool is_there = t < tree.size_of(leaf);
    const std::array<Vec3, 3> corner = tree.corners(leaf, t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 there = posed_vertex(corner[k], pose);
      for (int i = 0; i < 3; ++i) made.corner[k][i][t] = there[i];
    }
    for (int i = 0; i < 3; ++i) {
      const double a = made.corner[0][i][t], b = made.corner[1][i][t], c = made.corner[2][i][t];
      made.low[i][t] = is_there ? std::min({a, b, c}) : kInfinite;
      made.high[i][t] = is_there ? std::max({a, b, c}) : -kInfinite;
    }
  }
  number_.push_back(leaf);
  return place;
}

}  // namespace plimsoll
