// Balls about points of a solid that grow out of it together.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <limits>

namespace plimsoll {

/// At an excess of h its radius is min(depth + h, room): no point of it is then farther from the
/// solid than h.
struct GrowingBall {
  Vec3 center = Vec3::Zero();
  double depth = 0;                                       ///< No more than that of the center.
  double room = std::numeric_limits<double>::infinity();  ///< It grows no farther.

  [[nodiscard]] double radius(double excess) const { return std::min(depth + excess, room); }
  /// At which it has that radius; infinite where it never has.
  [[nodiscard]] double excess(double radius) const {
    return radius <= room ? radius - depth : std::numeric_limits<double>::infinity();
  }
};

}  // namespace plimsoll
