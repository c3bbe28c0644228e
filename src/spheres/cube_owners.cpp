#include "spheres/cube_owners.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "spheres/cube_blocks.h"

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
                                      std::span<const PlacedSphere> spheres) {
  std::vector<LatticeSphere> moved;
  moved.reserve(spheres.size());
  for (const PlacedSphere& sphere : spheres) {
    const Vec3 center = voxels.to_cubes(sphere.center);
    moved.push_back({center.x(), center.y(), center.z(), sphere.radius / voxels.edge});
  }
  return moved;
}

/// Gaps change by no more than a point moves: a sphere whose gap in the middle of a block exceeds
/// the least one there by more than twice the reach owns no cube of the block.
class Gaps {
 public:
  using Candidate = std::uint32_t;

  Gaps(std::span<const LatticeSphere> spheres, std::vector<CubeOwner>& owners)
      : spheres_(spheres), owners_(owners) {}

  void narrow(const Vec3& middle, double reach, std::span<const std::uint32_t> from,
              std::vector<std::uint32_t>& kept) {
    gaps_.resize(from.size());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < from.size(); ++i) {
      gaps_[i] = spheres_[from[i]].gap(middle);
      least = std::min(least, gaps_[i]);
    }
    const double rounding = 1e-12 * (std::abs(least) + reach + middle.norm());
    const double limit = least + 2 * reach + rounding;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (gaps_[i] <= limit) kept.push_back(from[i]);
  }

  void settle(const Vec3& center, std::span<const std::uint32_t> candidates,
              std::uint32_t cube) const {
    CubeOwner& owner = owners_[cube];
    for (const std::uint32_t i : candidates) {
      const double gap = spheres_[i].gap(center);
      if (gap < owner.gap) owner = {gap, i};
    }
  }

 private:
  std::span<const LatticeSphere> spheres_;
  std::vector<CubeOwner>& owners_;
  std::vector<double> gaps_;
};

}  // namespace

std::vector<CubeOwner> cube_owners(const SolidVoxels& voxels,
                                   std::span<const PlacedSphere> spheres) {
  PLIMSOLL_ASSERT(!spheres.empty(), "there is no sphere that a cube could go to");
  const std::vector<LatticeSphere> moved = in_lattice(voxels, spheres);
  std::vector<CubeOwner> owners(voxels.cube_count);
  std::vector<std::uint32_t> all(spheres.size());
  std::iota(all.begin(), all.end(), 0U);
  search_blocks<std::uint32_t>(voxels, all, [&] { return Gaps(moved, owners); });
  return owners;
}

double protrusion_of_cubes(const SolidVoxels& voxels, std::span<const CubeOwner> owners) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const CubeOwner& owner : owners) largest = std::max(largest, owner.gap);
  const double cubes = std::max(largest + std::numbers::sqrt3 / 2, 0.0);
  return voxels.edge * cubes * (1 + 0x1p-40);
}

}  // namespace plimsoll
