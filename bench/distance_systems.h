// What tells the distance of two meshes. Each system is made for two meshes and answers one pair of
// poses after the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distance_scenes.h"

namespace plimsoll::bench {

struct DistanceSystem {
  std::string name;
  std::function<double(const PosedPair&)> distance;
  /// Ends a sequence of poses: the next answer does not begin with the last. May be missing.
  std::function<void()> forget;
};

/// fcl::distance of two BVHModel<OBBRSS>, with nearest points.
[[nodiscard]] DistanceSystem fcl_distance_system(const TwoMeshes& meshes);

}  // namespace plimsoll::bench
