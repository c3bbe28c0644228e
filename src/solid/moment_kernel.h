// Sums over one chunk of triangles, eight virtual lanes wide: the inner loop of moment_sums.cpp.
#pragma once

#include <plimsoll/mass_properties.h>

#include <cstddef>

#include "mesh/triangle_groups.h"

namespace plimsoll {

/// The sums of one chunk, lane by lane.
struct ChunkSums {
  alignas(64) double high[10][kLanes];
  alignas(64) double low[10][kLanes];
  alignas(64) double magnitude[kLanes];
  alignas(64) double square[3][kLanes];  // P^2 of moment_sums.cpp
};

/// Sums over at most kChunk triangles from number `first`, a multiple of kChunk. `corners.count`
/// must be a multiple of kLanes. The widest instruction set of this machine does it; all give the
/// same bits.
void sum_chunk(const PackedCorners<double>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out);
void sum_chunk(const PackedCorners<float>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out);

/// A triangle has an area if |N|^2 > kNarrow |e|^2 |f|^2 in double: there the rounding of N = e x
/// f, at most 4 u |e| |f| per component, cannot have made it from 0.
inline constexpr double kNarrow = 0x1p-80;

/// |N|, the components of N = e x f, and the number of triangles for which that does not hold, into
/// out.high[0] to out.high[4].
void sum_chunk_areas(const PackedCorners<double>& corners, std::size_t first, ChunkSums& out);
void sum_chunk_areas(const PackedCorners<float>& corners, std::size_t first, ChunkSums& out);

}  // namespace plimsoll
