// Two bodies as trees of spheres and of blocks, asked within a budget.
#pragma once

#include <utility>
#include <vector>

#include "core/random.h"
#include "random_spheres.h"
#include "spheres/faded_overlap.h"

namespace plimsoll::test {

/// Balls that may overlap, so many that blocks are several levels high; few are large.
inline SphereHierarchy many_balls(Random& random, std::size_t count) {
  std::vector<SphereNode> leaves;
  for (std::size_t k = 0; k < count; ++k) {
    const double radius = k < 20 ? random.uniform(0.2, 0.4) : random.uniform(0.01, 0.06);
    SphereNode node =
        leaf(random_vector(random), radius, radius * random.uniform(0.95, 1.2), 1.5 * radius);
    if (random.below(2) == 0)
      node.cone = {.axis = node.center.normalized(), .angle = random.uniform(0, 0.3)};
    leaves.push_back(node);
  }
  return median_hierarchy(leaves);
}

/// Two bodies in both kinds of trees.
struct SphereScene {
  SphereHierarchy a, b;
  SphereBlocks a_blocks, b_blocks;
  Similarity a_from_b;

  SphereScene(SphereHierarchy first, SphereHierarchy second, const Similarity& pose)
      : a(std::move(first)),
        b(std::move(second)),
        a_blocks(make_sphere_blocks(a)),
        b_blocks(make_sphere_blocks(b)),
        a_from_b(pose) {}
  explicit SphereScene(const RandomPair& pair) : SphereScene(pair.a, pair.b, pair.a_from_b) {}

  [[nodiscard]] PosedHierarchies posed() const { return {a, b, a_from_b}; }
  [[nodiscard]] PosedBlocks posed_blocks() const { return {a_blocks, b_blocks, a_from_b}; }
  [[nodiscard]] double size() const {
    return a_from_b.translation().norm() + 4 * a.nodes[0].reach +
           4 * a_from_b.linear().col(0).norm() * b.nodes[0].reach;
  }
};

inline TimedOverlap find(FadedOverlapSearch& search, const SphereScene& scene,
                         const OverlapBudget& budget, ForceSum* forces = nullptr,
                         NodeBall ball = NodeBall::kSecondary) {
  return search.find(scene.posed(), scene.posed_blocks(), ball, budget, forces);
}

}  // namespace plimsoll::test
