// The units and the origin that a body's sums and boxes are taken in.
#pragma once

#include <plimsoll/types.h>

#include <cmath>

#include "core/power_of_two.h"

namespace plimsoll {

/// The units and the origin that a body's sums are taken in.
struct BodyFrame {
  /// In units of 2^exponent. Each coordinate is that of the center of the body's box, or 0 if the
  /// origin is within a box's size of it: then vertices less the center are exact.
  Vec3 center = Vec3::Zero();
  double reach = 0;  ///< No coordinate of a vertex is farther from the center.
  int exponent = 0;  ///< Coordinates are divided by 2^exponent, so that nothing over- or
                     ///< underflows: 0 for sizes between 2^-100 and 2^100.

  /// `x`, as given, in these units and from the center; exact, as far as coordinates of the body
  /// go.
  [[nodiscard]] Vec3 from_center(const Vec3& x) const {
    if (exponent == 0) return x - center;
    return x.unaryExpr([this](double c) { return times_power_of_two(c, -exponent); }) - center;
  }
  /// The way back, rounded.
  [[nodiscard]] Vec3 to_meters(const Vec3& x) const {
    return (center + x).unaryExpr([this](double c) { return times_power_of_two(c, exponent); });
  }
};

/// The exponent of a frame for a body of half the size `half`: heights of boxes are taken in float,
/// and squared in double.
inline int frame_exponent(double half) {
  const int exponent = half > 0 ? exponent_of(half) : 0;
  return exponent < -100 || exponent > 100 ? exponent : 0;
}

/// The frame of a body with the box given; of an empty one, all zero.
[[nodiscard]] BodyFrame body_frame(const Box3& box);

}  // namespace plimsoll
