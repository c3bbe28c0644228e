// What a surface that does not close has inside, in the cubes of a lattice: where it winds more
// than half around the center of a cube [Jacobson2013].
#pragma once

#include <plimsoll/mesh_tree.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/volume_moments.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {

struct OpenVoxels {
  SolidVoxels voxels;        ///< Without shares and triangles.
  std::vector<double> room;  ///< From each cube's center to the nearest that is not inside [m].
  /// Of the cubes whose centers are inside, as far as they are in the box of the surface, about
  /// `voxels.corner`.
  VolumeMoments moments;
  double cut_share = 0;       ///< Of that volume, what is where the surface or its end may be.
  double doubtful_share = 0;  ///< Of the cubes around which it winds 1/4 or more, those below 3/4.
};

/// Squares of how far each center of a lattice is from the nearest that is not marked, in cubes: 0
/// for those themselves. No center beyond the lattice is marked. Numbered z + nz (y + ny x). In
/// parallel, O(cubes times the distances).
[[nodiscard]] std::vector<std::uint32_t> squared_distances_within(const std::vector<char>& marked,
                                                                  const CubePlace& counts);

/// Asks for the winding number of every center. A surface that winds the other way around more
/// centers is turned: `voxels.side` is -1. Between planes x of the lattice the calling thread asks
/// `goes_on`; nothing comes of it where that is false. Errors: as lay_lattice, of `surface`, and as
/// SurfaceProbe::of; `InvalidArgument` where the surface winds around no center. O(cubes of the
/// lattice x edges without a partner), in parallel.
[[nodiscard]] Result<std::optional<OpenVoxels>> open_voxels(const MeshTree& surface,
                                                            std::size_t resolution,
                                                            const std::function<bool()>& goes_on);

}  // namespace plimsoll
