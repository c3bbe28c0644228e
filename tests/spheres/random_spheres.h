// Packings and hierarchies for tests of the queries: balls thrown at random, cut at medians.
#pragma once

#include <algorithm>
#include <numbers>
#include <span>
#include <vector>

#include "core/random.h"
#include "spheres/sphere_walk.h"
#include "support/random_mesh.h"

namespace plimsoll::test {

inline double ball_volume(double radius) {
  return 4 * std::numbers::pi / 3 * radius * radius * radius;
}

/// A leaf of a hierarchy that is to be built; the child count is 0.
inline SphereNode leaf(const Vec3& center, double radius, double secondary, double reach) {
  SphereNode node;
  node.center = center;
  node.radius = radius;
  node.secondary_radius = secondary;
  node.reach = reach;
  node.volume = ball_volume(radius);
  node.secondary_volume = ball_volume(secondary);
  node.cone.angle = std::numbers::pi;
  return node;
}

/// Balls in the unit cube around the origin that do not overlap; fewer than `count` where they do
/// not fit. Half of them have narrow cones that point away from the origin.
inline std::vector<SphereNode> random_leaves(Random& random, std::size_t count) {
  std::vector<SphereNode> leaves;
  for (std::size_t tries = 0; leaves.size() < count && tries < 20 * count; ++tries) {
    const Vec3 center = random_vector(random);
    double radius = random.uniform(0.02, 0.3);
    for (const SphereNode& other : leaves)
      radius = std::min(radius, (other.center - center).norm() - other.radius);
    if (radius < 0.01) continue;
    SphereNode node =
        leaf(center, radius, radius * random.uniform(0.95, 1.3), radius * random.uniform(1.3, 1.6));
    node.uncovered = random.uniform(0, 0.5) * node.volume;
    if (random.below(2) == 0)
      node.cone = {.axis = center.normalized(), .angle = random.uniform(0, 0.7)};
    leaves.push_back(node);
  }
  return leaves;
}

/// Sets all sums and balls of a node from the leaves below.
inline void enclose(SphereNode& node, std::span<const SphereNode> leaves) {
  Box3 box;
  for (const SphereNode& below : leaves) box.extend(below.center);
  node.center = box.center();
  node.cone = leaves[0].cone;
  if (node.cone.axis.isZero(0)) node.cone.axis = Vec3::UnitX();
  for (const SphereNode& below : leaves) {
    const double off = (below.center - node.center).norm();
    node.radius = std::max(node.radius, off + below.radius);
    node.secondary_radius = std::max(node.secondary_radius, off + below.secondary_radius);
    node.reach = std::max(node.reach, off + below.reach);
    node.volume += below.volume;
    node.secondary_volume += below.secondary_volume;
    node.uncovered += below.uncovered;
    // Cones within a half space: the axis of the first, wide enough for the others.
    const double turn = below.cone.axis.isZero(0)
                            ? std::numbers::pi
                            : std::acos(std::clamp(node.cone.axis.dot(below.cone.axis), -1.0, 1.0));
    node.cone.angle =
        std::min(std::numbers::pi, std::max(node.cone.angle, turn + below.cone.angle));
  }
}

/// Cuts the leaves along the longest side of their centers' box into `branching` equal parts.
inline SphereHierarchy median_hierarchy(std::vector<SphereNode> leaves, std::size_t branching = 4) {
  SphereHierarchy hierarchy{.branching = branching, .nodes = {SphereNode{}}};
  struct Part {
    std::size_t node, begin, end;
  };
  std::vector<Part> parts = {{0, 0, leaves.size()}};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto [number, begin, end] = parts[k];
    const std::span<SphereNode> below(leaves.data() + begin, end - begin);
    if (below.size() == 1) {
      hierarchy.nodes[number] = below[0];
      hierarchy.nodes[number].first = static_cast<std::uint32_t>(begin);
      continue;
    }
    Box3 box;
    for (const SphereNode& node : below) box.extend(node.center);
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    std::sort(below.begin(), below.end(), [axis](const SphereNode& x, const SphereNode& y) {
      return x.center[axis] < y.center[axis];
    });
    SphereNode node;
    enclose(node, below);
    node.children = static_cast<std::uint32_t>(std::min(branching, below.size()));
    node.first = static_cast<std::uint32_t>(hierarchy.nodes.size());
    hierarchy.nodes[number] = node;
    for (std::size_t child = 0; child < node.children; ++child) {
      parts.push_back({hierarchy.nodes.size(), begin + below.size() * child / node.children,
                       begin + below.size() * (child + 1) / node.children});
      hierarchy.nodes.emplace_back();
    }
  }
  set_volume_centers(hierarchy);
  return hierarchy;
}

inline SphereHierarchy random_hierarchy(Random& random, std::size_t max_count) {
  return median_hierarchy(random_leaves(random, 1 + random.below(max_count)), 2 + random.below(7));
}

/// A ball of a leaf in the frame of the first body, computed without the library.
struct PlacedBall {
  std::uint32_t node = 0;
  Vec3 center = Vec3::Zero();
  double radius = 0, secondary = 0, reach = 0;
  double uncovered = 0;
  NormalCone cone;
};

inline std::vector<PlacedBall> placed_leaves(const SphereHierarchy& hierarchy,
                                             const Similarity& pose = Similarity::Identity()) {
  const double scale = pose.linear().col(0).norm();
  std::vector<PlacedBall> balls;
  for (std::uint32_t number = 0; number < hierarchy.nodes.size(); ++number) {
    const SphereNode& node = hierarchy.nodes[number];
    if (node.children != 0) continue;
    balls.push_back({.node = number,
                     .center = pose * node.center,
                     .radius = scale * node.radius,
                     .secondary = scale * node.secondary_radius,
                     .reach = scale * node.reach,
                     .uncovered = scale * scale * scale * node.uncovered,
                     .cone = {pose.linear() * node.cone.axis / scale, node.cone.angle}});
  }
  return balls;
}

/// Two bodies at random: apart, near, or deep in each other, with a scale now and then.
struct RandomPair {
  SphereHierarchy a, b;
  Similarity a_from_b;

  RandomPair(Random& random, std::size_t max_count)
      : a(random_hierarchy(random, max_count)),
        b(random_hierarchy(random, max_count)),
        a_from_b(random_similarity(random, random.uniform(0, 3),
                                   random.below(3) == 0 ? random.uniform(0.2, 3) : 1)) {}
  [[nodiscard]] PosedHierarchies posed() const { return {a, b, a_from_b}; }
};

/// Large spheres in a row, of which one may contain whole nodes of the other body.
inline RandomPair nested_pair(Random& random, std::size_t large, std::size_t max_count) {
  RandomPair pair(random, max_count);
  std::vector<SphereNode> leaves;
  for (std::size_t k = 0; k < large; ++k)
    leaves.push_back(leaf(Vec3(3.0 * static_cast<double>(k), 0, 0), 1.4, 1.5, 1.6));
  pair.a = median_hierarchy(leaves);
  pair.a_from_b = random_similarity(random, 1, random.uniform(0.1, 1));
  if (random.below(2) == 0) {
    std::swap(pair.a, pair.b);
    pair.a_from_b = pair.a_from_b.inverse();
  }
  return pair;
}

}  // namespace plimsoll::test
