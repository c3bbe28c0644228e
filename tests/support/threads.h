// A bolt and its nut.
#pragma once

#include <plimsoll/mesh.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "support/mesh_parts.h"
#include "support/revolved.h"

namespace plimsoll::test {

/// Four threads about z, of flanks that rise by 45 degrees.
struct Thread {
  double lead = 0.04;  ///< [m for a turn]
  double least = 0.008, largest = 0.013;
  std::uint32_t slices = 48;

  [[nodiscard]] double radius(double angle, double z) const {
    const double turns = 4 * (z / lead - angle / (2 * std::numbers::pi));
    const double share = turns - std::floor(turns);
    return least + (largest - least) * (1 - std::fabs(2 * share - 1));
  }
  /// As high as the thread rises from slice to slice: edges run along it.
  [[nodiscard]] double layer() const { return lead / slices; }
};

inline TriangleMesh bolt(const Thread& thread, int layers) {
  return revolved(thread.slices, [&](double angle) {
    std::vector<Vec2> section = {{0, 0}};
    for (int i = 0; i <= layers; ++i)
      section.emplace_back(thread.radius(angle, i * thread.layer()), i * thread.layer());
    section.emplace_back(0, layers * thread.layer());
    return section;
  });
}

/// Its thread is so much wider.
inline TriangleMesh nut(const Thread& thread, int layers, double clearance, double outer) {
  // Upward along the thread, as the bolt's triangles run, and so with its inside to the right.
  return turned(revolved(thread.slices, [&](double angle) {
    std::vector<Vec2> section;
    for (int i = 0; i <= layers; ++i)
      section.emplace_back(thread.radius(angle, i * thread.layer()) + clearance,
                           i * thread.layer());
    section.emplace_back(outer, layers * thread.layer());
    section.emplace_back(outer, 0);
    return section;
  }));
}

}  // namespace plimsoll::test
