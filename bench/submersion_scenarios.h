// Bodies in water: the meshes and the planes that submersion is measured on.
#pragma once

#include <plimsoll/submersion_tree.h>

#include <filesystem>
#include <vector>

#include "scenarios.h"

namespace plimsoll::bench {

/// Convex hulls of 8 to 254 random points on a sphere. One bunny at seven sizes: a scan of 75,000
/// triangles, simplified down to 1,000, and, simplified to 62,500, split at the middles of its
/// edges up to 4,000,000. Then knots and a bumpy sphere of scenarios.h.
[[nodiscard]] std::vector<Scenario> submersion_scenarios(const std::filesystem::path& cache);

/// A body of half the density of water at rest in it, heaving by 1e-3 of the longest edge of its
/// box and rolling by 1e-3 radians about where it rests: 1,024 moments, some 100 to a period of
/// heave and 256 to one of roll.
[[nodiscard]] std::vector<WaterPlane> hot_planes(const MeshView& mesh, const SubmersionTree& tree);

/// 4,096 planes that cut the body: evenly distributed directions, levels evenly distributed between
/// where it is dry and where it is under water.
[[nodiscard]] std::vector<WaterPlane> random_planes(const SubmersionTree& tree);

/// Evenly distributed, the same on every machine.
[[nodiscard]] std::vector<Vec3> random_directions(int count);

}  // namespace plimsoll::bench
