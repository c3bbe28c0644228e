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
      : inward_(&moments.inward),
        turn_(posed.world_from_mesh.linear() *
              (share / posed.world_from_mesh.linear().col(0).stableNorm())),
        seed_(solid << 63U) {}

  /// In the world.
  [[nodiscard]] Vec3 way(std::uint32_t vertex) const {
    const std::array<float, 3>& inward = (*inward_)[vertex];
    Random random(seed_ + (std::uint64_t{vertex} << 16U));
    const auto any = [&] { return random.uniform(-0x1p-20, 0x1p-20); };
    const double x = any(), y = any(), z = any();
    return turn_ * Vec3(inward[0], inward[1], inward[2]) + Vec3(x, y, z);
  }

 private:
  const std::vector<std::array<float, 3>>* inward_ = nullptr;
  Mat3 turn_;
  std::uint64_t seed_ = 0;
};

}  // namespace plimsoll
