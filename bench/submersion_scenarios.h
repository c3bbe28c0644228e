// The meshes that submersion is measured on.
#pragma once

#include <filesystem>
#include <vector>

#include "scenarios.h"
#include "water_planes.h"

namespace plimsoll::bench {

/// Convex hulls of 8 to 254 random points on a sphere. One bunny at seven sizes: a scan of 75,000
/// triangles, simplified down to 1,000, and, simplified to 62,500, split at the middles of its
/// edges up to 4,000,000. Then knots and a bumpy sphere of scenarios.h.
[[nodiscard]] std::vector<Scenario> submersion_scenarios(const std::filesystem::path& cache);

}  // namespace plimsoll::bench
