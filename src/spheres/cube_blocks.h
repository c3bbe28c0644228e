// Which of many things is the nearest to each cube of a solid: blocks of cubes are halved along
// each axis, and each block looks only at what its parent has left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "spheres/solid_voxels.h"

namespace plimsoll {

/// A block of `size`^3 cubes from `place` on, a power of two; those of them that there are.
struct CubeBlock {
  CubePlace place{};
  std::uint32_t size = 1;

  [[nodiscard]] CubeBlock child(std::uint32_t k) const {
    const std::uint32_t half = size / 2;
    return {
        {place[0] + (k & 1U) * half, place[1] + (k >> 1U & 1U) * half, place[2] + (k >> 2U) * half},
        half};
  }
  /// In cubes.
  [[nodiscard]] Vec3 middle() const {
    return Vec3(place[0], place[1], place[2]) + Vec3::Constant(0.5 * size);
  }
  /// No center of a cube is farther from the middle.
  [[nodiscard]] double reach() const { return std::numbers::sqrt3 / 2 * (size - 1); }

  /// Calls visit(place, run, begin, end) for what a run has in the block along z, until it returns
  /// true; tells whether it did.
  template <class Visit>
  bool any_run(const SolidVoxels& voxels, const Visit& visit) const {
    for (std::uint32_t x = place[0]; x < std::min(place[0] + size, voxels.counts[0]); ++x)
      for (std::uint32_t y = place[1]; y < std::min(place[1] + size, voxels.counts[1]); ++y)
        for (const CubeRun& run : voxels.column(x, y)) {
          const std::uint32_t begin = std::max(place[2], run.begin);
          const std::uint32_t end = std::min(place[2] + size, run.end);
          if (begin < end && visit(CubePlace{x, y, begin}, run, end)) return true;
        }
    return false;
  }
  [[nodiscard]] bool has_cubes(const SolidVoxels& voxels) const {
    return any_run(voxels, [](const CubePlace&, const CubeRun&, std::uint32_t) { return true; });
  }
};

/// Goes down one block. `Items` has a type Candidate, and
///   void narrow(middle, reach, from, kept): adds to `kept` those of `from` that may be the nearest
///     to a point within `reach` of `middle`; all lengths in cubes;
///   void settle(center, candidates, cube): takes the candidates for one cube, by its number.
template <class Items>
class BlockSearch {
 public:
  using Candidate = typename Items::Candidate;

  BlockSearch(const SolidVoxels& voxels, Items items) : voxels_(voxels), items_(std::move(items)) {}

  void search(const CubeBlock& block, std::span<const Candidate> candidates) {
    if (!block.has_cubes(voxels_)) return;
    std::vector<Candidate> kept;
    items_.narrow(block.middle(), block.reach(), candidates, kept);
    if (block.size > kLeaf) {
      for (std::uint32_t k = 0; k < 8; ++k) search(block.child(k), kept);
    } else {
      settle(block, kept);
    }
  }

 private:
  static constexpr std::uint32_t kLeaf = 2;

  void settle(const CubeBlock& block, std::span<const Candidate> candidates) {
    block.any_run(voxels_, [&](CubePlace place, const CubeRun& run, std::uint32_t end) {
      for (; place[2] < end; ++place[2])
        items_.settle(SolidVoxels::center_of(place), candidates, run.number_of(place[2]));
      return false;
    });
  }

  const SolidVoxels& voxels_;
  Items items_;
};

/// Searches all cubes, in parallel; `make_items` makes what one thread needs. The lattice is at
/// most 64 blocks, each of which looks at all candidates.
template <class Candidate, class MakeItems>
void search_blocks(const SolidVoxels& voxels, std::span<const Candidate> all,
                   const MakeItems& make_items) {
  std::uint32_t size = 4;
  CubePlace blocks{};
  const auto divide = [&] {
    for (std::size_t axis = 0; axis < 3; ++axis)
      blocks[axis] = (voxels.counts[axis] + size - 1) / size;
    return std::size_t{blocks[0]} * blocks[1] * blocks[2];
  };
  while (divide() > 64) size *= 2;
  parallel_for_each_index(divide(), [&](std::size_t i) {
    const auto block = static_cast<std::uint32_t>(i);
    const CubePlace place{block / blocks[1] / blocks[2] * size,
                          block / blocks[2] % blocks[1] * size, block % blocks[2] * size};
    BlockSearch(voxels, make_items()).search({place, size}, all);
  });
}

}  // namespace plimsoll
