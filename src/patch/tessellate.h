// Patches in triangles with step numbers of the caller's choice.
#pragma once

#include <plimsoll/patches.h>

#include <array>
#include <span>
#include <vector>

namespace plimsoll {

/// Steps along u and v, each 1 or more.
struct PatchSteps {
  int u = 1;
  int v = 1;
};

/// How a patch is cut: inside, and along its sides v = 0, u = 1, v = 1, u = 0.
struct PatchGrid {
  PatchSteps steps;
  std::array<int, 4> segments{};   ///< The same on both patches of an edge.
  std::array<bool, 4> descends{};  ///< Whether the direction in which both of them look at the edge
                                   ///< is that of the descending parameter here.
};

/// The grids that keep within `flatness` [m]. Errors: as tessellate.
[[nodiscard]] Result<std::vector<PatchGrid>> patch_grids(const PatchSurface& surface,
                                                         double flatness);

/// `surface` with patch i in steps[i], edges in the greater of the numbers that the patches on
/// their two sides have. Welded. Precondition: check_patches; few enough triangles.
[[nodiscard]] TriangleMesh tessellate_in_steps(const PatchSurface& surface,
                                               std::span<const PatchSteps> steps);

}  // namespace plimsoll
