// The origin and the unit in which two solids are compared.
#pragma once

#include <plimsoll/types.h>

#include "core/power_of_two.h"
#include "tree/frame_map.h"

namespace plimsoll {

/// Lengths are taken from an origin, and in units of 2^exponent m.
struct LocalFrame {
  Vec3 origin = Vec3::Zero();
  int exponent = 0;

  [[nodiscard]] Vec3 operator()(const Vec3& x) const {
    Vec3 from_origin = x - origin;
    if (exponent == 0) return from_origin;
    return from_origin.unaryExpr([&](double c) { return times_power_of_two(c, -exponent); });
  }
  /// From the frame of a posed tree to this one: x to linear x + center.
  [[nodiscard]] Mat3 linear_of(const PosedTree& posed) const {
    return posed.world_from_mesh.linear().unaryExpr(
        [&](double x) { return times_power_of_two(x, posed.tree->frame.exponent - exponent); });
  }
  [[nodiscard]] Vec3 center_of(const PosedTree& posed) const {
    return (*this)(posed_center(posed));
  }

  /// `x`, a length to the power of `power`, in meters.
  [[nodiscard]] double meters(double x, int power) const {
    return times_power_of_two(x, power * exponent);
  }
  [[nodiscard]] Vec3 meters(const Vec3& x, int power) const {
    return x.unaryExpr([&](double c) { return meters(c, power); });
  }
};

/// A point, and how far it may be from where it is meant to be.
struct RoundedPoint {
  Vec3 at;
  double off;
};

[[nodiscard]] inline RoundedPoint rounded_point(const LocalFrame& local, const Vec3& x) {
  const Vec3 at = local(x);
  return {at, 0x1p-52 * at.lpNorm<1>()};
}

}  // namespace plimsoll
