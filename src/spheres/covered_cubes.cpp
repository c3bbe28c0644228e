// A ball is cut along the planes of the lattice: what it has in common with a cube is a sum over
// the cube's corners, of what lies beyond them, with signs. Neighbors share corners.
#include "spheres/covered_cubes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/parallel.h"
#include "spheres/ball_box.h"

namespace plimsoll {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The layers of cubes from floor(low) to floor(high), of `count`; none where first >= end.
struct LayerRange {
  std::uint32_t first = 0, end = 0;
};
LayerRange layers_within(double low, double high, std::uint32_t count) {
  if (!(high > 0) || !(low < count)) return {};
  return {static_cast<std::uint32_t>(std::max(std::floor(low), 0.0)),
          static_cast<std::uint32_t>(std::min(std::ceil(high), double(count)))};
}

/// A ball in a slab of cubes of one x.
class SlabBall {
 public:
  SlabBall(const Vec3& center, double radius, std::uint32_t x, const CubePlace& counts)
      : center_(center),
        radius_(radius),
        x_(x),
        rows_(layers_within(center.y() - radius, center.y() + radius, counts[1])),
        levels_(layers_within(center.z() - radius, center.z() + radius, counts[2])) {
    if (rows_.first >= rows_.end || levels_.first >= levels_.end) rows_ = levels_ = {};
  }

  /// Adds what the ball covers of each cube. `beyond` is memory.
  void cover(const SolidVoxels& voxels, std::vector<double>& beyond,
             std::vector<double>& covered) const {
    beyond.assign(std::size_t{rows_.end - rows_.first + 1} * width(), kUnknown);
    for (std::uint32_t y = rows_.first; y < rows_.end; ++y)
      for (const CubeRun& run : voxels.column(x_, y)) {
        const std::uint32_t end = std::min(run.end, levels_.end);
        for (std::uint32_t z = std::max(run.begin, levels_.first); z < end; ++z)
          covered[run.number_of(z)] += common(y, z, beyond);
      }
  }

 private:
  [[nodiscard]] std::size_t width() const { return levels_.end - levels_.first + 1; }

  /// What ball and cube have in common, or a little less.
  [[nodiscard]] double common(std::uint32_t y, std::uint32_t z, std::vector<double>& beyond) const {
    const Vec3 off = Vec3(x_ + 0.5, y + 0.5, z + 0.5) - center_;
    const Vec3 near = (off.cwiseAbs() - Vec3::Constant(0.5)).cwiseMax(0);
    const Vec3 far = off.cwiseAbs() + Vec3::Constant(0.5);
    const double squared = radius_ * radius_;
    if (near.squaredNorm() >= squared) return 0;
    if (far.squaredNorm() <= squared) return 1;
    const double cube = radius_ * squared;
    const double sum = beyond_corner(y, z, beyond) - beyond_corner(y + 1, z, beyond) -
                       beyond_corner(y, z + 1, beyond) + beyond_corner(y + 1, z + 1, beyond);
    constexpr double kRounding = 1e-13 * 4 * std::numbers::pi / 3;
    return std::clamp((sum - kRounding) * cube, 0.0, 1.0);
  }

  /// What of the slab is in the unit ball beyond y and z.
  [[nodiscard]] double beyond_corner(std::uint32_t y, std::uint32_t z,
                                     std::vector<double>& beyond) const {
    double& known = beyond[(y - rows_.first) * width() + (z - levels_.first)];
    if (std::isnan(known)) {
      const Vec3 low = (Vec3(x_, y, z) - center_) / radius_;
      const double high_x = (x_ + 1.0 - center_.x()) / radius_;
      known =
          unit_ball_beyond(low.x(), low.y(), low.z()) - unit_ball_beyond(high_x, low.y(), low.z());
    }
    return known;
  }

  Vec3 center_;
  double radius_;
  std::uint32_t x_;
  LayerRange rows_, levels_;
};

/// The spheres of each slab, in their order, and where those of each begin.
struct SlabSpheres {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> spheres;
};

LayerRange slabs_of(const SolidVoxels& voxels, const PlacedSphere& sphere) {
  const double x = voxels.to_cubes(sphere.center).x(), radius = sphere.radius / voxels.edge;
  return radius > 0 ? layers_within(x - radius, x + radius, voxels.counts[0]) : LayerRange{};
}

SlabSpheres sort_into_slabs(const SolidVoxels& voxels, std::span<const PlacedSphere> spheres) {
  SlabSpheres sorted;
  sorted.begin.resize(voxels.counts[0] + std::size_t{2});
  for (const PlacedSphere& sphere : spheres) {
    const LayerRange slabs = slabs_of(voxels, sphere);
    for (std::uint32_t x = slabs.first; x < slabs.end; ++x) ++sorted.begin[x + std::size_t{2}];
  }
  std::partial_sum(sorted.begin.begin(), sorted.begin.end(), sorted.begin.begin());
  sorted.spheres.resize(sorted.begin.back());
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const LayerRange slabs = slabs_of(voxels, spheres[i]);
    for (std::uint32_t x = slabs.first; x < slabs.end; ++x)
      sorted.spheres[sorted.begin[x + std::size_t{1}]++] = static_cast<std::uint32_t>(i);
  }
  return sorted;
}

}  // namespace

std::vector<double> covered_cubes(const SolidVoxels& voxels,
                                  std::span<const PlacedSphere> spheres) {
  std::vector<double> covered(voxels.cube_count);
  const SlabSpheres sorted = sort_into_slabs(voxels, spheres);
  parallel_for_each_index(voxels.counts[0], [&](std::size_t x) {
    std::vector<double> beyond;
    for (std::size_t i = sorted.begin[x]; i < sorted.begin[x + 1]; ++i) {
      const PlacedSphere& sphere = spheres[sorted.spheres[i]];
      SlabBall(voxels.to_cubes(sphere.center), sphere.radius / voxels.edge,
               static_cast<std::uint32_t>(x), voxels.counts)
          .cover(voxels, beyond, covered);
    }
  });
  return covered;
}

}  // namespace plimsoll
