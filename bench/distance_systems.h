// What tells the distance of two meshes. Each system is made for two meshes and answers one pair of
// poses after the other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distance_scenes.h"
#include "swept_sphere_tree.h"

namespace plimsoll::bench {

struct DistanceSystem {
  std::string name;
  std::function<double(const PosedPair&)> distance;
  /// Ends a sequence of poses: the next answer does not begin with the last. May be missing.
  std::function<void()> forget;
};

[[nodiscard]] TwoTrees trees_of(const TwoMeshes& meshes);

/// DistanceSearch, which begins with the last answer. The trees have to outlive it.
[[nodiscard]] DistanceSystem our_system(const TwoTrees& trees);

struct SweptSphereTrees {
  SweptSphereTree a, b;
};

/// One order of the plain trees, and its last answer.
struct SweptSpheres {
  SweptSphereSearch search;
  std::optional<SweptSphereAnswer> last;
};

struct SweptSphereSystem {
  DistanceSystem system;
  std::shared_ptr<SweptSpheres> memory;
};

/// Both orders. The trees have to outlive them.
[[nodiscard]] std::vector<SweptSphereSystem> swept_sphere_systems(const SweptSphereTrees& trees);

/// fcl::distance of two BVHModel<OBBRSS>, with nearest points.
[[nodiscard]] DistanceSystem fcl_distance_system(const TwoMeshes& meshes);

/// Poses in their order, each asked once. `is_cold` has each begin anew.
struct Questions {
  std::vector<Poses> blocks;
  bool is_cold = false;
};

/// Calls visit(number, pose) for each pose that counts.
template <class Visit>
void ask(const DistanceSystem& system, const Poses& block, bool is_cold, const Visit& visit) {
  const auto forget = [&] {
    if (system.forget) system.forget();
  };
  forget();
  for (const PosedPair& pair : block.uncounted) {
    static_cast<void>(system.distance(pair));
    if (is_cold) forget();
  }
  for (std::size_t i = 0; i < block.counted.size(); ++i) {
    visit(i, block.counted[i]);
    if (is_cold) forget();
  }
}

/// For each pose that counts, in order.
struct DistanceFigures {
  std::vector<double> seconds;    ///< The median of the rounds.
  std::vector<double> distances;  ///< [m]
};

/// Systems take turns block by block, so that a slow spell falls on all of them alike.
[[nodiscard]] std::vector<DistanceFigures> time_systems(const std::vector<DistanceSystem>& systems,
                                                        const Questions& questions, int rounds);

}  // namespace plimsoll::bench
