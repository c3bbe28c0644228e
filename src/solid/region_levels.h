// The levels of regions (soundness.cpp), each from that of the region that a ray from it meets
// first.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "solid/surface_regions.h"
#include "solid/winding_sides.h"

namespace plimsoll {

struct RegionLevel {
  int level = 0;
  int sheets = 1;  ///< That lie on each other at the point asked, by the way they are turned.
};

/// `ask(i)` counts all sheets along a ray from region i; it is called where no ray has a first
/// sheet that belongs to a region, and once in each circle of regions that see each other.
using AskLevel = std::function<std::optional<RegionLevel>(std::size_t)>;

/// Nothing for a region where ask() has none. A region's ray is followed to the first sheet only:
/// O(log n) each where few boxes are in the way, so that n shells within each other take n log n
/// and not n^2. In parallel; `ask` from several threads.
[[nodiscard]] std::vector<std::optional<RegionLevel>> region_levels(
    const WindingScene& scene, const Regions& regions, std::span<const MeetingTriangle> meetings,
    const AskLevel& ask);

}  // namespace plimsoll
