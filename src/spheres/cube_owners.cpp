#include "spheres/cube_owners.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"

namespace plimsoll {
namespace {

/// A sphere in the frame of the lattice.
struct LatticeSphere {
  double x, y, z, radius;

  [[nodiscard]] double gap(const Vec3& p) const {
    const double dx = p.x() - x, dy = p.y() - y, dz = p.z() - z;
    return std::sqrt(dx * dx + dy * dy + dz * dz) - radius;
  }
};

std::vector<LatticeSphere> in_lattice(const SolidVoxels& voxels,
                                      std::span<const InnerSphere> spheres) {
  std::vector<LatticeSphere> moved;
  moved.reserve(spheres.size());
  for (const InnerSphere& sphere : spheres) {
    const Vec3 center = voxels.to_cubes(sphere.center);
    moved.push_back({center.x(), center.y(), center.z(), sphere.radius / voxels.edge});
  }
  return moved;
}

/// Goes down from a block to its cubes.
class OwnerSearch {
 public:
  OwnerSearch(const SolidVoxels& voxels, std::span<const LatticeSphere> spheres,
              std::vector<CubeOwner>& owners)
      : voxels_(voxels), spheres_(spheres), owners_(owners) {}

  /// Of the block of `size`^3 cubes at `place`, a power of two.
  void search(const CubePlace& place, std::uint32_t size) {
    if (!has_cubes(place, size)) return;
    gaps_.resize(spheres_.size());
    candidates_.clear();
    const double limit = limit_of(place, size, spheres_.size(), [](std::size_t i) { return i; });
    for (std::size_t i = 0; i < spheres_.size(); ++i)
      if (gaps_[i] <= limit) candidates_.push_back(static_cast<std::uint32_t>(i));
    divide(place, size, 0);
  }

 private:
  [[nodiscard]] bool has_cubes(const CubePlace& place, std::uint32_t size) const {
    const std::uint32_t end_x = std::min(place[0] + size, voxels_.counts[0]);
    const std::uint32_t end_y = std::min(place[1] + size, voxels_.counts[1]);
    for (std::uint32_t x = place[0]; x < end_x; ++x)
      for (std::uint32_t y = place[1]; y < end_y; ++y)
        for (const CubeRun& run : voxels_.column(x, y))
          if (run.begin < place[2] + size && run.end > place[2]) return true;
    return false;
  }

  /// Fills the first gaps, at the block's middle, and tells up to which a sphere may own a cube.
  template <class Number>
  double limit_of(const CubePlace& place, std::uint32_t size, std::size_t count,
                  const Number& number) {
    const double half = 0.5 * size;
    const Vec3 middle(place[0] + half, place[1] + half, place[2] + half);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      gaps_[i] = spheres_[number(i)].gap(middle);
      least = std::min(least, gaps_[i]);
    }
    // Twice from the middle to the farthest center, with room for rounding.
    const double diameter = std::numbers::sqrt3 * (size - 1);
    return least + diameter + 1e-12 * (std::abs(least) + diameter + middle.norm());
  }

  /// The block's candidates are those from `first` on.
  void divide(const CubePlace& place, std::uint32_t size, std::size_t first) {
    if (size <= kLeaf) return settle(place, size, first);
    const std::uint32_t half = size / 2;
    const std::size_t end = candidates_.size();
    for (std::uint32_t k = 0; k < 8; ++k) {
      const CubePlace child{place[0] + (k & 1U) * half, place[1] + (k >> 1U & 1U) * half,
                            place[2] + (k >> 2U) * half};
      if (!has_cubes(child, half)) continue;
      const double limit =
          limit_of(child, half, end - first, [&](std::size_t i) { return candidates_[first + i]; });
      for (std::size_t i = first; i < end; ++i)
        if (gaps_[i - first] <= limit) candidates_.push_back(candidates_[i]);
      divide(child, half, end);
      candidates_.resize(end);
    }
  }

  void settle(const CubePlace& place, std::uint32_t size, std::size_t first) {
    for (std::uint32_t x = place[0]; x < std::min(place[0] + size, voxels_.counts[0]); ++x)
      for (std::uint32_t y = place[1]; y < std::min(place[1] + size, voxels_.counts[1]); ++y)
        for (const CubeRun& run : voxels_.column(x, y)) {
          const std::uint32_t end = std::min(place[2] + size, run.end);
          for (std::uint32_t z = std::max(place[2], run.begin); z < end; ++z)
            owners_[run.number_of(z)] = owner_of(SolidVoxels::center_of({x, y, z}), first);
        }
  }

  [[nodiscard]] CubeOwner owner_of(const Vec3& center, std::size_t first) const {
    CubeOwner owner;
    for (std::size_t i = first; i < candidates_.size(); ++i) {
      const double gap = spheres_[candidates_[i]].gap(center);
      if (gap < owner.gap) owner = {gap, candidates_[i]};
    }
    return owner;
  }

  static constexpr std::uint32_t kLeaf = 2;

  const SolidVoxels& voxels_;
  std::span<const LatticeSphere> spheres_;
  std::vector<CubeOwner>& owners_;
  std::vector<double> gaps_;
  std::vector<std::uint32_t> candidates_;  // of the blocks on the way down, each after its parent's
};

/// Blocks of one size that cover the lattice.
struct Blocks {
  std::uint32_t size = 4;
  CubePlace counts{};

  [[nodiscard]] std::size_t count() const { return std::size_t{counts[0]} * counts[1] * counts[2]; }
};

/// At most 64 blocks, for each looks at all spheres.
Blocks make_blocks(const CubePlace& cubes) {
  Blocks blocks;
  while (true) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      blocks.counts[axis] = (cubes[axis] + blocks.size - 1) / blocks.size;
    if (blocks.count() <= 64) return blocks;
    blocks.size *= 2;
  }
}

}  // namespace

std::vector<CubeOwner> cube_owners(const SolidVoxels& voxels,
                                   std::span<const InnerSphere> spheres) {
  PLIMSOLL_ASSERT(!spheres.empty(), "there is no sphere that a cube could go to");
  const std::vector<LatticeSphere> moved = in_lattice(voxels, spheres);
  std::vector<CubeOwner> owners(voxels.cube_count);
  const Blocks blocks = make_blocks(voxels.counts);
  parallel_for_each_index(blocks.count(), [&](std::size_t i) {
    const auto block = static_cast<std::uint32_t>(i);
    const CubePlace place{block / blocks.counts[1] / blocks.counts[2] * blocks.size,
                          block / blocks.counts[2] % blocks.counts[1] * blocks.size,
                          block % blocks.counts[2] * blocks.size};
    OwnerSearch(voxels, moved, owners).search(place, blocks.size);
  });
  return owners;
}

double largest_protrusion(const SolidVoxels& voxels, std::span<const CubeOwner> owners) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const CubeOwner& owner : owners) largest = std::max(largest, owner.gap);
  const double cubes = std::max(largest + std::numbers::sqrt3 / 2, 0.0);
  return voxels.edge * cubes * (1 + 0x1p-40);
}

}  // namespace plimsoll
