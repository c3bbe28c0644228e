// Sums over the wet parts of one chunk of triangles: the inner loop of submersion.cpp.
#pragma once

#include "hydro/clip_sums.h"

namespace plimsoll {

/// All sums over at most kChunk triangles from number `first`, a multiple of kChunk, in `lanes`.
/// Coordinates are in the units of the plane's frame. The same bits on every instruction set.
void clip_chunk(const PackedCorners<double>& corners, std::size_t first, const ClipPlane& plane,
                WetLanes& lanes);
void clip_chunk(const PackedCorners<float>& corners, std::size_t first, const ClipPlane& plane,
                WetLanes& lanes);

}  // namespace plimsoll
