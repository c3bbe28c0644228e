// Solids without triangles whose integrals are known in closed form, for Plimsoll and others.
#pragma once

#include <string>
#include <vector>

#include "systems.h"

namespace plimsoll::bench {

enum class TestSolid {
  kSphere,      ///< Of radius 1.
  kTorus,       ///< Of radii 1 and 0.4, about z.
  kNapkinRing,  ///< The sphere without a cylinder of radius 0.5 about z.
};

inline constexpr double kMajor = 1, kMinor = 0.4, kHole = 0.5;

/// OpenCascade's volume properties: of the order that it picks itself, and by adaptive integration
/// to `tolerance`. Nothing where the benchmark was built without it.
[[nodiscard]] std::vector<System> opencascade_systems(TestSolid solid, double tolerance);

}  // namespace plimsoll::bench
