// What is left of the half-edges of a mesh when opposite ones cancel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "mesh/edges.h"

namespace plimsoll {

struct RimEdge {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t half_edge;
};

/// Half-edges without an opposite, as many of each edge as are left over; by their start.
inline std::vector<RimEdge> rim_edges(const MeshView& mesh, const Edges& edges) {
  std::vector<RimEdge> found;
  const auto add = [&](std::uint32_t h) {
    found.push_back({start_of(mesh, h), end_of(mesh, h), h});
  };
  for (const std::uint32_t h : edges.boundary) add(h);
  for (std::size_t i = 0; i < edges.fan_count(); ++i) {
    const std::span<const std::uint32_t> fan = edges.fan(i);
    const std::uint32_t start = start_of(mesh, fan[0]);
    const auto runs_along = [&](std::uint32_t h) { return start_of(mesh, h) == start; };
    const auto along = std::count_if(fan.begin(), fan.end(), runs_along);
    const auto against = static_cast<std::ptrdiff_t>(fan.size()) - along;
    std::ptrdiff_t left = std::abs(along - against);
    for (const std::uint32_t h : fan)
      if (left > 0 && runs_along(h) == (along > against)) {
        add(h);
        --left;
      }
  }
  std::sort(found.begin(), found.end(), [](const RimEdge& a, const RimEdge& b) {
    return a.from != b.from ? a.from < b.from : a.half_edge < b.half_edge;
  });
  return found;
}

}  // namespace plimsoll
