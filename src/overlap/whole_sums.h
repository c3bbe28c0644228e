// What hangs on the edges of a spanning tree that pass the other surface, in the world.
#pragma once

#include "overlap/local_frame.h"
#include "overlap/solid_sums.h"

namespace plimsoll {

/// Six times the volume below what hangs on edges, 24 times the first moment, and twice the area,
/// from the local origin and in its units.
struct WholeSums {
  double volume_x6 = 0, error_x6 = 0, area_x2 = 0;
  Vec3 first_x24 = Vec3::Zero();
};
[[nodiscard]] WholeSums whole_sums(const WindingSums& sums, const PosedTree& posed,
                                   const LocalFrame& local);

}  // namespace plimsoll
