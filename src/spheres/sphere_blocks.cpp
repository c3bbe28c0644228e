#include "spheres/sphere_blocks.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

#include "core/parallel.h"
#include "spheres/enclosing_ball.h"
#include "spheres/sphere_forces.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWidth = SphereBlock::kWidth;

/// By less than 2^-21 of `x`, which is no less than 0.
float rounded_up(double x) { return static_cast<float>(x * (1 + 0x1p-22) + 0x1p-126); }

/// From this height on a branch has a block of large spheres; below, branches of 256 are full.
constexpr std::size_t kLargeFrom = 2;

/// How many spheres a branch of that height holds.
std::size_t capacity(std::size_t height) {
  std::size_t spheres = kWidth;
  for (std::size_t k = 1; k <= height; ++k)
    spheres = k < kLargeFrom ? kWidth * spheres : kWidth + (kWidth - 1) * spheres;
  return spheres;
}

/// Spheres [first, first + count) of the order, about to be a block.
struct Branch {
  std::uint32_t first, count;
  Vec3 origin = Vec3::Zero();
  std::array<double, kNodeBalls> reach{};
  Box3 box{};
};

class BlockBuilder {
 public:
  explicit BlockBuilder(const SphereHierarchy& hierarchy);
  SphereBlocks build() &&;

 private:
  using Branches = std::vector<Branch>;

  [[nodiscard]] const SphereNode& sphere(std::uint32_t place) const {
    return nodes_[order_[place]];
  }
  [[nodiscard]] bool is_larger(std::uint32_t x, std::uint32_t y) const {
    return nodes_[x].radius != nodes_[y].radius ? nodes_[x].radius > nodes_[y].radius : x < y;
  }
  void enclose(Branch& branch) const;
  Branches cut(const Branch& branch);
  void cut_evenly(std::uint32_t first, std::uint32_t end, std::size_t parts, Branches& branches);
  void sort_across(std::uint32_t first, std::uint32_t middle, std::uint32_t end);
  [[nodiscard]] SphereBlock sphere_block(const Branch& branch) const;
  [[nodiscard]] SphereBlock branch_block(const Branch& branch, std::span<const Branch> below) const;
  [[nodiscard]] Subtrees subtrees_of(const Branch& branch, std::span<const Branch> below) const;
  [[nodiscard]] BlockAxis axis_of(const Branch& branch) const;

  std::vector<SphereNode> nodes_;       // the leaves, in units
  std::vector<std::uint32_t> numbers_;  // of the leaves
  std::vector<std::uint32_t> order_;
  SphereBlocks tree_;
};

BlockBuilder::BlockBuilder(const SphereHierarchy& hierarchy) {
  const SphereNode& root = hierarchy.nodes.front();
  const double size = std::max({root.radius, root.secondary_radius, root.reach});
  tree_.unit = size > 0 ? std::ldexp(1.0, std::ilogb(size) + 1) : 1;
  const double inverse = 1 / tree_.unit;
  for (std::uint32_t number = 0; number < hierarchy.nodes.size(); ++number) {
    if (hierarchy.nodes[number].children != 0) continue;
    SphereNode node = hierarchy.nodes[number];
    node.center *= inverse;
    node.radius *= inverse;
    node.secondary_radius *= inverse;
    node.reach *= inverse;
    node.volume *= inverse * inverse * inverse;
    node.secondary_volume *= inverse * inverse * inverse;
    nodes_.push_back(node);
    numbers_.push_back(number);
  }
  order_.resize(nodes_.size());
  std::iota(order_.begin(), order_.end(), 0U);
}

void BlockBuilder::enclose(Branch& branch) const {
  std::vector<PlacedSphere> balls;
  for (std::uint32_t i = 0; i < branch.count; ++i) {
    const SphereNode& node = sphere(branch.first + i);
    balls.push_back({node.center, std::max(node.radius, node.secondary_radius)});
  }
  branch.origin = smallest_enclosing_ball(balls).center;
  for (std::uint32_t i = 0; i < branch.count; ++i) {
    const SphereNode& node = sphere(branch.first + i);
    const double radii[kNodeBalls] = {node.radius, node.secondary_radius, node.reach};
    for (std::size_t ball = 0; ball < kNodeBalls; ++ball)
      branch.reach[ball] =
          std::max(branch.reach[ball], far_side(branch.origin, node.center, radii[ball]));
    const Vec3 radius = Vec3::Constant(std::max(node.radius, node.secondary_radius));
    branch.box.extend(Box3(node.center - radius, node.center + radius));
  }
}

/// Puts the spheres on the low side of the longest side of their centers' box first.
void BlockBuilder::sort_across(std::uint32_t first, std::uint32_t middle, std::uint32_t end) {
  Box3 box{};
  for (std::uint32_t i = first; i < end; ++i) box.extend(sphere(i).center);
  Eigen::Index axis = 0;
  box.sizes().maxCoeff(&axis);
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                   [&](std::uint32_t x, std::uint32_t y) {
                     return std::pair(nodes_[x].center[axis], x) <
                            std::pair(nodes_[y].center[axis], y);
                   });
}

/// Parts of whole blocks, but for the last.
void BlockBuilder::cut_evenly(std::uint32_t first, std::uint32_t end, std::size_t parts,
                              Branches& branches) {
  if (parts == 1) {
    if (end > first) branches.push_back({first, end - first});
    return;
  }
  const std::size_t blocks = (end - first + kWidth - 1) / kWidth;
  const std::size_t low = (parts + 1) / 2;
  const std::size_t low_blocks = (blocks * low + parts - 1) / parts;
  const auto middle =
      static_cast<std::uint32_t>(std::min<std::size_t>(first + kWidth * low_blocks, end));
  if (middle < end) sort_across(first, middle, end);
  cut_evenly(first, middle, low, branches);
  cut_evenly(middle, end, parts - low, branches);
}

/// The largest spheres, and the rest in parts.
BlockBuilder::Branches BlockBuilder::cut(const Branch& branch) {
  std::size_t height = 1;
  while (capacity(height) < branch.count) ++height;
  const std::uint32_t end = branch.first + branch.count;
  std::uint32_t rest = branch.first;
  Branches branches;
  if (height >= kLargeFrom) {
    rest += kWidth;
    std::nth_element(order_.begin() + branch.first, order_.begin() + rest, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) { return is_larger(x, y); });
    branches.push_back({branch.first, kWidth});
  }
  const std::size_t each = capacity(height - 1);
  cut_evenly(rest, end, (end - rest + each - 1) / each, branches);
  for (Branch& part : branches) enclose(part);
  return branches;
}

/// The box of a branch about an origin. Both ends of a side are rounded outward.
BlockBox box_about(const Vec3& origin, const Branch& branch) {
  const Vec3 center = branch.box.center() - origin, half = branch.box.sizes() / 2;
  BlockBox box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<float>(center[i]);
    box.half[i] = rounded_up(half[i] + 0x1p-23 * std::abs(center[i]));
  }
  return box;
}

void set_frame(SphereBlock& block, const Branch& branch) {
  block.box = box_about(branch.origin, branch);
  for (int i = 0; i < 3; ++i) block.origin[i] = branch.origin[i];
  for (std::size_t ball = 0; ball < kNodeBalls; ++ball)
    block.reach[ball] = rounded_up(branch.reach[ball]);
}

/// Returns how far the center may be rounded.
double set_center(SphereBlock& block, std::size_t k, const Vec3& center) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double off = center[i] - block.origin[i];
    block.center[i][k] = static_cast<float>(off);
    sum += std::abs(off);
  }
  return 0x1p-24 * sum + 0x1p-126;
}

SphereBlock BlockBuilder::sphere_block(const Branch& branch) const {
  SphereBlock block{};
  set_frame(block, branch);
  block.count = static_cast<std::uint16_t>(branch.count);
  block.has_spheres = block.is_low = true;
  for (std::uint32_t k = 0; k < branch.count; ++k) {
    const SphereNode& node = sphere(branch.first + k);
    set_center(block, k, node.center);
    const double radii[kNodeBalls] = {node.radius, node.secondary_radius, node.reach};
    for (std::size_t ball = 0; ball < kNodeBalls; ++ball)
      block.radius[ball][k] = static_cast<float>(radii[ball]);
    block.child[k] = numbers_[order_[branch.first + k]];
  }
  return block;
}

SphereBlock BlockBuilder::branch_block(const Branch& branch, std::span<const Branch> below) const {
  SphereBlock block{};
  set_frame(block, branch);
  block.count = static_cast<std::uint16_t>(below.size());
  block.is_low =
      std::ranges::all_of(below, [](const Branch& part) { return part.count <= kWidth; });
  for (std::size_t k = 0; k < below.size(); ++k) {
    const double rounding = set_center(block, k, below[k].origin);
    for (std::size_t ball = 0; ball < kNodeBalls; ++ball)
      block.radius[ball][k] = rounded_up(below[k].reach[ball] + rounding);
  }
  return block;
}

Subtrees BlockBuilder::subtrees_of(const Branch& branch, std::span<const Branch> below) const {
  Subtrees sums{};
  for (std::size_t k = 0; k < below.size(); ++k) {
    const BlockBox box = box_about(branch.origin, below[k]);
    for (std::size_t i = 0; i < 3; ++i) {
      sums.box_center[i][k] = box.center[i];
      sums.box_half[i][k] = box.half[i];
    }
  }
  for (std::size_t k = 0; k < below.size(); ++k) {
    double volume[2] = {};
    Vec3 moment[2] = {Vec3::Zero(), Vec3::Zero()};
    for (std::uint32_t i = below[k].first; i < below[k].first + below[k].count; ++i) {
      const SphereNode& node = sphere(i);
      const Vec3 off = node.center - branch.origin;
      volume[0] += node.volume;
      volume[1] += node.secondary_volume;
      moment[0] += node.volume * off;
      moment[1] += node.secondary_volume * off;
    }
    for (std::size_t ball = 0; ball < 2; ++ball) {
      sums.volume[ball][k] = static_cast<float>(volume[ball] / (std::numbers::pi / 12));
      if (!(volume[ball] > 0)) continue;
      for (int i = 0; i < 3; ++i)
        sums.center[ball][i][k] = static_cast<float>(moment[ball][i] / volume[ball]);
    }
  }
  return sums;
}

BlockAxis BlockBuilder::axis_of(const Branch& branch) const {
  Vec3 sum = Vec3::Zero();
  for (std::uint32_t i = branch.first; i < branch.first + branch.count; ++i) {
    const SphereNode& node = sphere(i);
    if (!(node.cone.angle < kNarrowCone)) return {};
    sum += node.volume * node.cone.axis;
  }
  const Vec3 axis = sum.stableNormalized();
  for (std::uint32_t i = branch.first; i < branch.first + branch.count; ++i) {
    const NormalCone& cone = sphere(i).cone;
    if (!(elementary::acos(std::clamp(axis.dot(cone.axis), -1.0, 1.0)) + cone.angle < kNarrowCone))
      return {};
  }
  return {{static_cast<float>(axis[0]), static_cast<float>(axis[1]), static_cast<float>(axis[2])}};
}

/// Level by level; a branch of few spheres waits for the end, so that blocks of blocks come first.
SphereBlocks BlockBuilder::build() && {
  struct Parent {
    std::size_t block, child;
  };
  Branches level(1), leaves;
  level[0] = {0, static_cast<std::uint32_t>(nodes_.size())};
  enclose(level[0]);
  tree_.top = branch_block(level[0], level);
  tree_.below_top = subtrees_of(level[0], level);
  std::vector<Parent> parents, leaf_parents;
  if (level[0].count <= kWidth) leaves.swap(level);
  while (!level.empty()) {
    std::vector<Branches> below(level.size());
    const std::size_t first = tree_.blocks.size();
    tree_.blocks.resize(first + level.size());
    tree_.below.resize(first + level.size());
    tree_.axes.resize(first + level.size());
    parallel_for_each_index(level.size(), [&](std::size_t i) {
      below[i] = cut(level[i]);
      tree_.blocks[first + i] = branch_block(level[i], below[i]);
      tree_.below[first + i] = subtrees_of(level[i], below[i]);
      tree_.axes[first + i] = axis_of(level[i]);
    });
    for (std::size_t i = 0; i < parents.size(); ++i)
      tree_.blocks[parents[i].block].child[parents[i].child] =
          static_cast<std::uint32_t>(first + i);
    Branches next;
    parents.clear();
    for (std::size_t i = 0; i < below.size(); ++i)
      for (std::size_t k = 0; k < below[i].size(); ++k) {
        const bool is_leaf = below[i][k].count <= kWidth;
        (is_leaf ? leaves : next).push_back(below[i][k]);
        (is_leaf ? leaf_parents : parents).push_back({first + i, k});
      }
    level = std::move(next);
  }
  const std::size_t first = tree_.blocks.size();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    tree_.blocks.push_back(sphere_block(leaves[i]));
    tree_.axes.push_back(axis_of(leaves[i]));
    if (!leaf_parents.empty())
      tree_.blocks[leaf_parents[i].block].child[leaf_parents[i].child] =
          static_cast<std::uint32_t>(first + i);
  }
  return std::move(tree_);
}

}  // namespace

SphereBlocks make_sphere_blocks(const SphereHierarchy& hierarchy) {
  return BlockBuilder(hierarchy).build();
}

}  // namespace plimsoll
