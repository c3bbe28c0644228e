// Triangles as kernels read them: groups of eight, whose sums have a fixed shape, in blocks, and
// these in chunks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll {

inline constexpr std::size_t kLanes = 8;
inline constexpr std::size_t kBlockGroups = 32;
inline constexpr std::size_t kChunkBlocks = 16;
inline constexpr std::size_t kChunk = kLanes * kBlockGroups * kChunkBlocks;

inline constexpr std::size_t kParallelChunks =
    8;  // some us each; waking a thread costs about as much

/// What the kernels read: `count` triangles, of which corner k of number t is at base + 3 i, i =
/// indices[3 t + k] or, without indices, 3 t + k. One scalar behind each corner must be readable,
/// but for the vertex `last` of indexed triangles.
template <class Scalar>
struct PackedCorners {
  const Scalar* base;
  const std::uint32_t* indices;
  std::size_t count;
  std::uint32_t last;
};

}  // namespace plimsoll
