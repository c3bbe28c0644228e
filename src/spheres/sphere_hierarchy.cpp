// Level by level: a piece is a row of spheres that becomes the leaves below one node. Its ball is
// found, and neural gas cuts it into the pieces of the children, side by side in the next row.
// Pieces touch nothing of each other, so that the threads share them in any way. Sums and cones
// follow from the last node to the root. All is done in units in which the largest length is
// about 1.
#include "spheres/sphere_hierarchy.h"

#include <plimsoll/assert.h>
#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "core/power_of_two.h"
#include "spheres/batch_neural_gas.h"
#include "spheres/enclosing_ball.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

NormalCone all_directions() { return {Vec3::Zero(), kPi}; }

double ball_volume(double radius) { return 4 * kPi / 3 * radius * radius * radius; }
double radius_of_volume(double volume) { return elementary::cbrt(3 / (4 * kPi) * volume); }

/// Lengths are given in units of 2^exponent.
struct Unit {
  int exponent = 0;

  explicit Unit(std::span<const PlacedSphere> spheres, std::span<const SphereShare> shares) {
    double largest = 0;
    for (const PlacedSphere& sphere : spheres)
      largest = std::max({largest, sphere.center.cwiseAbs().maxCoeff(), sphere.radius});
    for (const SphereShare& share : shares) largest = std::max(largest, share.reach);
    if (largest > 0) exponent = exponent_of(largest);
  }

  [[nodiscard]] double from_meters(double x) const { return times_power_of_two(x, -exponent); }
  [[nodiscard]] Vec3 from_meters(const Vec3& x) const {
    return x.unaryExpr([this](double c) { return from_meters(c); });
  }
  [[nodiscard]] double volume_from_meters(double v) const {
    return times_power_of_two(v, -3 * exponent);
  }
  /// Rounded up where a length is among the least doubles.
  [[nodiscard]] double to_meters_above(double x) const {
    const bool is_rounded = x > 0 && exponent < -900;
    return times_power_of_two(x, exponent) +
           (is_rounded ? 4 * std::numeric_limits<double>::denorm_min() : 0);
  }
  [[nodiscard]] Vec3 to_meters(const Vec3& x) const {
    return x.unaryExpr([this](double c) { return times_power_of_two(c, exponent); });
  }
  [[nodiscard]] double volume_to_meters(double v) const {
    return times_power_of_two(v, 3 * exponent);
  }
};

/// The leaf of a sphere, in units; `number` is its place among the spheres.
SphereNode make_leaf(const PlacedSphere& sphere, const SphereShare* share, SecondaryRadii radii,
                     std::size_t number, const Unit& unit) {
  SphereNode leaf;
  leaf.center = unit.from_meters(sphere.center);
  leaf.radius = unit.from_meters(sphere.radius);
  leaf.volume = ball_volume(leaf.radius);
  leaf.secondary_radius = leaf.radius;
  leaf.secondary_volume = leaf.volume;
  leaf.reach = leaf.radius;
  leaf.cone = all_directions();
  leaf.first = static_cast<std::uint32_t>(number);
  if (share == nullptr) return leaf;
  leaf.reach = unit.from_meters(share->reach);
  leaf.uncovered = unit.volume_from_meters(share->uncovered);
  leaf.cone = share->cone;
  if (radii == SecondaryRadii::kPrimary) return leaf;
  leaf.secondary_volume = unit.volume_from_meters(
      radii == SecondaryRadii::kShares ? share->volume : share->published_volume);
  leaf.secondary_radius = radius_of_volume(leaf.secondary_volume);
  return leaf;
}

double angle_between(const Vec3& a, const Vec3& b) {
  return elementary::atan2(a.cross(b).norm(), a.dot(b));
}

/// The smallest cap about the mean of the axes, weighted by volume, that contains the cones. A few
/// roundings of an angle are below 2^-49.
NormalCone cone_around(std::span<const SphereNode> children) {
  double largest = 0;
  for (const SphereNode& child : children) largest = std::max(largest, child.volume);
  Vec3 axis = Vec3::Zero();
  for (const SphereNode& child : children) {
    if (!(child.cone.angle < kPi)) return all_directions();
    axis += (largest > 0 ? child.volume / largest : 1) * child.cone.axis;
  }
  axis.normalize();  // a vector of no length stays
  double angle = 0;
  for (const SphereNode& child : children)
    angle = std::max(angle, angle_between(axis, child.cone.axis) + child.cone.angle + 0x1p-49);
  if (!(angle < kPi) || axis.squaredNorm() == 0) return all_directions();
  return {axis, angle};
}

/// Volumes and cones of all nodes but the leaves, from the last one to the root.
void sum_up(std::vector<SphereNode>& nodes) {
  for (std::size_t i = nodes.size(); i > 0;) {
    SphereNode& node = nodes[--i];
    if (node.children == 0) continue;
    const std::span<const SphereNode> children =
        std::span(nodes).subspan(node.first, node.children);
    for (const SphereNode& child : children) {
      node.volume += child.volume;
      node.secondary_volume += child.secondary_volume;
      node.uncovered += child.uncovered;
    }
    node.cone = cone_around(children);
  }
}

/// Spheres [first, first + count) of a level are below `node`.
struct Piece {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t node = 0;
  std::array<std::uint32_t, BatchNeuralGas::kMaxClusters> sizes{};  ///< Of the children's pieces.
};

/// Moves with a sphere through the levels.
struct Companion {
  double secondary_radius = 0;
  double reach = 0;
  std::uint32_t number = 0;  ///< Of the sphere among all.
};

class HierarchyBuilder {
 public:
  HierarchyBuilder(std::vector<SphereNode> leaves, std::size_t branching);
  [[nodiscard]] std::vector<SphereNode> build() &&;

 private:
  /// Deeper pieces are cut into equal parts: neural gas takes only a few spheres of a geometric
  /// progression away on each level. The depth is then below kMaxSphereDepth.
  [[nodiscard]] std::size_t max_uneven_depth() const {
    return 8 + 2 * static_cast<std::size_t>(std::bit_width(leaves_.size()));
  }

  void work_on(Piece& piece);
  void enclose(const Piece& piece);
  void split(Piece& piece);
  void split_evenly(const Piece& piece);
  void move_spheres(const Piece& piece);
  [[nodiscard]] std::vector<Piece> make_children(const std::vector<Piece>& pieces);

  std::span<const PlacedSphere> spheres_of(const Piece& piece) const {
    return std::span(spheres_).subspan(piece.first, piece.count);
  }
  std::span<const Companion> companions_of(const Piece& piece) const {
    return std::span(companions_).subspan(piece.first, piece.count);
  }

  std::vector<SphereNode> leaves_;  // by number of the sphere
  BatchNeuralGas neural_gas_;
  std::vector<SphereNode> nodes_;
  std::size_t depth_ = 0;
  // Rows of the level at work and of the next one.
  std::vector<PlacedSphere> spheres_, next_spheres_;
  std::vector<Companion> companions_, next_companions_;
  std::vector<std::uint8_t> clusters_;
};

HierarchyBuilder::HierarchyBuilder(std::vector<SphereNode> leaves, std::size_t branching)
    : leaves_(std::move(leaves)),
      neural_gas_(branching),
      spheres_(leaves_.size()),
      next_spheres_(leaves_.size()),
      companions_(leaves_.size()),
      next_companions_(leaves_.size()),
      clusters_(leaves_.size()) {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const SphereNode& leaf = leaves_[i];
    spheres_[i] = {leaf.center, leaf.radius};
    companions_[i] = {leaf.secondary_radius, leaf.reach, static_cast<std::uint32_t>(i)};
  }
}

std::vector<SphereNode> HierarchyBuilder::build() && {
  if (leaves_.size() == 1) return std::move(leaves_);
  nodes_.reserve(leaves_.size() * 2);
  nodes_.emplace_back();
  std::vector<Piece> level{{0, static_cast<std::uint32_t>(leaves_.size()), 0, {}}};
  while (!level.empty()) {
    parallel_for_each_index(level.size(), [&](std::size_t i) { work_on(level[i]); });
    level = make_children(level);
    spheres_.swap(next_spheres_);
    companions_.swap(next_companions_);
    ++depth_;
  }
  sum_up(nodes_);
  return std::move(nodes_);
}

void HierarchyBuilder::work_on(Piece& piece) {
  enclose(piece);
  split(piece);
  move_spheres(piece);
}

void HierarchyBuilder::enclose(const Piece& piece) {
  SphereNode& node = nodes_[piece.node];
  const EnclosingBall ball = smallest_enclosing_ball(spheres_of(piece));
  node.center = ball.center;
  node.radius = ball.radius;
  const std::span<const PlacedSphere> spheres = spheres_of(piece);
  const std::span<const Companion> companions = companions_of(piece);
  double secondary_radius = 0, reach = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const Vec3& center = spheres[i].center;
    secondary_radius =
        std::max(secondary_radius, far_side(ball.center, center, companions[i].secondary_radius));
    reach = std::max(reach, far_side(ball.center, center, companions[i].reach));
  }
  node.secondary_radius = secondary_radius;
  node.reach = reach;
}

void HierarchyBuilder::split(Piece& piece) {
  const std::span<std::uint8_t> clusters = std::span(clusters_).subspan(piece.first, piece.count);
  if (piece.count <= neural_gas_.cluster_count()) {
    std::iota(clusters.begin(), clusters.end(), std::uint8_t{0});
  } else if (depth_ < max_uneven_depth()) {
    neural_gas_.cluster(spheres_of(piece), clusters);
  } else {
    split_evenly(piece);
  }
  for (const std::uint8_t cluster : clusters) ++piece.sizes[cluster];
}

/// Cuts a piece into equal parts along the longest side of the box around its centers.
void HierarchyBuilder::split_evenly(const Piece& piece) {
  const std::span<const PlacedSphere> spheres = spheres_of(piece);
  Box3 box;
  for (const PlacedSphere& sphere : spheres) box.extend(sphere.center);
  Eigen::Index axis = 0;
  box.sizes().maxCoeff(&axis);
  std::vector<std::uint32_t> order(piece.count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return spheres[a].center[axis] < spheres[b].center[axis];
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    clusters_[piece.first + order[i]] =
        static_cast<std::uint8_t>(i * neural_gas_.cluster_count() / order.size());
}

/// Moves spheres into the rows of the children and keeps their order within each.
void HierarchyBuilder::move_spheres(const Piece& piece) {
  std::array<std::uint32_t, BatchNeuralGas::kMaxClusters> next{};
  std::exclusive_scan(piece.sizes.begin(), piece.sizes.end(), next.begin(), piece.first);
  for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i) {
    const std::uint32_t to = next[clusters_[i]]++;
    next_spheres_[to] = spheres_[i];
    next_companions_[to] = companions_[i];
  }
}

/// Appends the nodes of the next level and returns its pieces. A piece of one sphere is a leaf.
std::vector<Piece> HierarchyBuilder::make_children(const std::vector<Piece>& pieces) {
  std::vector<Piece> children;
  for (const Piece& piece : pieces) {
    nodes_[piece.node].first = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t first = piece.first;
    for (const std::uint32_t size : piece.sizes) {
      if (size == 0) continue;
      const auto node = static_cast<std::uint32_t>(nodes_.size());
      ++nodes_[piece.node].children;
      nodes_.push_back(size == 1 ? leaves_[next_companions_[first].number] : SphereNode{});
      if (size > 1) children.push_back({first, size, node, {}});
      first += size;
    }
  }
  return children;
}

void take_to_meters(SphereNode& node, const Unit& unit) {
  node.center = unit.to_meters(node.center);
  node.radius = unit.to_meters_above(node.radius);
  node.secondary_radius = unit.to_meters_above(node.secondary_radius);
  node.reach = unit.to_meters_above(node.reach);
  node.volume = unit.volume_to_meters(node.volume);
  node.secondary_volume = unit.volume_to_meters(node.secondary_volume);
  node.uncovered = unit.volume_to_meters(node.uncovered);
}

std::vector<SphereNode> make_leaves(std::span<const PlacedSphere> spheres,
                                    std::span<const SphereShare> shares, SecondaryRadii radii,
                                    const Unit& unit) {
  std::vector<SphereNode> leaves(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i)
    leaves[i] = make_leaf(spheres[i], shares.empty() ? nullptr : &shares[i], radii, i, unit);
  return leaves;
}

SphereHierarchy in_meters(SphereHierarchy hierarchy, const Unit& unit) {
  for (SphereNode& node : hierarchy.nodes) take_to_meters(node, unit);
  set_volume_centers(hierarchy);
  return hierarchy;
}

/// Leaves, and of other nodes the centers and the children.
std::vector<SphereNode> placed_nodes(const HierarchyLayout& layout,
                                     std::span<const SphereNode> leaves, const Unit& unit) {
  std::vector<SphereNode> nodes(layout.children.size());
  std::uint32_t next = 1;
  std::size_t leaf = 0, inner = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (layout.children[i] == 0) {
      nodes[i] = leaves[layout.spheres[leaf++]];
      continue;
    }
    nodes[i].center = unit.from_meters(layout.centers[inner++]);
    nodes[i].first = next;
    nodes[i].children = layout.children[i];
    next += nodes[i].children;
  }
  return nodes;
}

/// Balls of all nodes above a leaf, about their centers.
void enclose_leaves(std::vector<SphereNode>& nodes) {
  std::vector<std::uint32_t> parents(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    for (std::uint32_t k = 0; k < nodes[i].children; ++k) parents[nodes[i].first + k] = i;
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].children > 0) continue;
    const SphereNode& leaf = nodes[i];
    for (std::uint32_t above = i; above > 0;) {
      above = parents[above];
      SphereNode& node = nodes[above];
      const auto widen = [&](double& radius, double of_leaf) {
        radius = std::max(radius, far_side(node.center, leaf.center, of_leaf));
      };
      widen(node.radius, leaf.radius);
      widen(node.secondary_radius, leaf.secondary_radius);
      widen(node.reach, leaf.reach);
    }
  }
}

}  // namespace

SphereHierarchy make_sphere_hierarchy(std::span<const PlacedSphere> spheres,
                                      std::span<const SphereShare> shares, SecondaryRadii radii,
                                      std::size_t branching) {
  PLIMSOLL_ASSERT(!spheres.empty(), "no spheres");
  PLIMSOLL_ASSERT(shares.empty() || shares.size() == spheres.size(), "one share for each sphere");
  PLIMSOLL_ASSERT(branching >= 2 && branching <= BatchNeuralGas::kMaxClusters,
                  "branching is not from 2 to 16");
  const Unit unit(spheres, shares);
  std::vector<SphereNode> leaves = make_leaves(spheres, shares, radii, unit);
  return in_meters({branching, HierarchyBuilder(std::move(leaves), branching).build()}, unit);
}

HierarchyLayout layout_of(const SphereHierarchy& hierarchy) {
  HierarchyLayout layout;
  layout.branching = hierarchy.branching;
  for (const SphereNode& node : hierarchy.nodes) {
    layout.children.push_back(static_cast<std::uint8_t>(node.children));
    if (node.children == 0)
      layout.spheres.push_back(node.first);
    else
      layout.centers.push_back(node.center);
  }
  return layout;
}

SphereHierarchy make_sphere_hierarchy(std::span<const PlacedSphere> spheres,
                                      std::span<const SphereShare> shares, SecondaryRadii radii,
                                      const HierarchyLayout& layout) {
  const Unit unit(spheres, shares);
  const std::vector<SphereNode> leaves = make_leaves(spheres, shares, radii, unit);
  std::vector<SphereNode> nodes = placed_nodes(layout, leaves, unit);
  enclose_leaves(nodes);
  sum_up(nodes);
  return in_meters({layout.branching, std::move(nodes)}, unit);
}

}  // namespace plimsoll
