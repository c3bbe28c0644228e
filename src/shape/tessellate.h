// Patches in triangles with step numbers of the caller's choice.
#pragma once

#include <plimsoll/patches.h>

#include <span>

namespace plimsoll {

/// Steps along u and v, each 1 or more.
struct PatchSteps {
  int u = 1;
  int v = 1;
};

/// `surface` with patch i in steps[i], edges in the greater of the numbers that the patches on
/// their two sides have. Welded. Precondition: check_patches; few enough triangles.
[[nodiscard]] TriangleMesh tessellate_in_steps(const PatchSurface& surface,
                                               std::span<const PatchSteps> steps);

}  // namespace plimsoll
