// Bounds of the volume that two solids share, that become narrower the longer they are worked on.
//
// By the theorem of Gauss six times the volume is the integral of (x - p) . N over A's surface
// inside B and B's inside A, for any point p. A part of a surface whose box the other surface does
// not enter is inside as a whole or outside. Of each triangle of the rest a share between 0 and 1
// is inside, so that it adds something between the sums of the negative and of the positive (x - p)
// . N of its triangles, which a box and the sums of area_parts.h bound. Parts are opened, the
// widest first, and whether what is whole is inside is asked in turn. Two boxes that the other
// surface does not enter and that meet are on one side of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hydro/moment_tree.h"
#include "tree/area_parts.h"
#include "tree/frame_map.h"

namespace plimsoll {

/// One of the solids. Keeps references.
struct IntervalSolid {
  PosedTree posed;
  const std::vector<SurfaceMoments>* moments = nullptr;
  const std::vector<AreaParts>* areas = nullptr;
  Mat3 linear;      ///< From the tree's frame to local units.
  Vec3 center;      ///< Of the frame, from p, in local units.
  double sign = 1;  ///< -1 where the surface is turned inward.
};

struct VolumeInterval {
  double low_x6 = 0, high_x6 = 0;  ///< In local units.
  /// The integral of N over A's surface inside B, and how far its length may be off.
  Vec3 normal = Vec3::Zero();
  double normal_error = 0;
  std::size_t opened = 0, asked = 0;  ///< Parts.
};

/// Goes on until `is_over(opened + asked)` holds or nothing is left to be done. Precondition: no
/// winding number of either surface is other than 0 and 1 (or 0 and -1, turned inward).
[[nodiscard]] VolumeInterval volume_interval(const IntervalSolid& a, const IntervalSolid& b,
                                             const std::function<bool(std::size_t)>& is_over);

}  // namespace plimsoll
