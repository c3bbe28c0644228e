// Which way the vertices of two solids are moved where their positions leave something undecided.
#pragma once

#include <array>
#include <cstdint>

#include "core/random.h"
#include "overlap/moved_points.h"
#include "tree/frame_map.h"
#include "tree/spanning_moments.h"

namespace plimsoll {

/// Both solids shrink, the first twice as fast as the second: solids that only touch come apart,
/// and where two are equal the first lies in the second. A random part, a millionth of that, tells
/// apart what the rest leaves together.
class TieBreaker {
 public:
  TieBreaker() = default;
  /// A surface that is turned inward is moved against its normals by `share` below 0.
  TieBreaker(const SpanningMoments& moments, const PosedTree& posed, double share,
             std::uint64_t solid)
      : moments_(&moments),
        turn_(posed.world_from_mesh.linear() *
              (share / posed.world_from_mesh.linear().col(0).stableNorm())),
        seed_(solid << 63U) {}

  /// Whether the vertex is moved into its solid, or out of it: else at random.
  [[nodiscard]] bool knows_way(std::uint32_t vertex) const {
    return moments_->inward[vertex] != std::array<float, 3>{};
  }

  /// In the world.
  [[nodiscard]] Vec3 way(std::uint32_t vertex) const {
    Random random(seed_ + (std::uint64_t{vertex} << 16U));
    const auto any = [&] { return random.uniform(-kRandom, kRandom); };
    const double x = any(), y = any(), z = any();
    return turn_ * vector(moments_->inward[vertex]) + Vec3(x, y, z);
  }

  /// A box, in the world, that holds the ways of all corners of a leaf.
  [[nodiscard]] Box3 ways(std::uint32_t leaf) const {
    const SpanningMoments::InwardRange& inward = moments_->inward_of_leaf[leaf];
    const Vec3 low = vector(inward.low), high = vector(inward.high);
    const Vec3 middle = turn_ * ((low + high) / 2);
    const Vec3 half = turn_.cwiseAbs() * ((high - low) / 2.0) + Vec3::Constant(2 * kRandom);
    return {middle - half, middle + half};
  }

 private:
  static constexpr double kRandom = 0x1p-20;  // far above rounding

  [[nodiscard]] static Vec3 vector(const std::array<float, 3>& x) { return {x[0], x[1], x[2]}; }

  const SpanningMoments* moments_ = nullptr;
  Mat3 turn_;
  std::uint64_t seed_ = 0;
};

}  // namespace plimsoll
