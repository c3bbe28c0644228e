// Bodies in units of 2^e m, in which they are about 1 across: areas and moments of bodies of 1e80
// m, or of 1e-100 m, are no numbers of meters.
#pragma once

#include <plimsoll/floating.h>

#include <limits>
#include <optional>

#include "shape/unit_of_length.h"

namespace plimsoll {

[[nodiscard]] inline Shape in_units_of(int e, const Shape& shape) {
  Shape sized = resized(shape, -e);
  sized.pose.translation() = times_power_of_two(Vec3(shape.pose.translation()), -e);
  return sized;
}

/// What was found in units of 2^e m, in meters: what no number of meters holds is 0 or infinite.
[[nodiscard]] inline Submersion in_meters(Submersion wet, int e) {
  const auto grow = [](double& x, int exponent) { x = times_power_of_two(x, exponent); };
  const bool is_exact = wet.volume_error == 0;
  grow(wet.volume, 3 * e);
  grow(wet.volume_error, 3 * e);
  if (e < 0 && !is_exact) wet.volume_error += std::numeric_limits<double>::denorm_min();
  wet.center_of_buoyancy = times_power_of_two(wet.center_of_buoyancy, e);
  grow(wet.wetted_area, 2 * e);
  grow(wet.waterplane.area, 2 * e);
  wet.waterplane.center = times_power_of_two(wet.waterplane.center, e);
  for (double& moment : wet.waterplane.second_moments.reshaped()) grow(moment, 4 * e);
  return wet;
}

[[nodiscard]] inline FloatingState in_meters(FloatingState state, int e) {
  for (double* length :
       {&state.level, &state.energy, &state.metacentric_heights[0], &state.metacentric_heights[1]})
    *length = times_power_of_two(*length, e);
  state.righting_arm = times_power_of_two(state.righting_arm, e);
  state.wet = in_meters(state.wet, e);
  return state;
}

/// A body in units of 2^exponent m.
struct BodyInUnits {
  FloatingBody body;
  int exponent = 0;
};

/// In units of about its size, where fourth powers of that in meters are no numbers and its solid
/// has other units; else nothing.
[[nodiscard]] std::optional<BodyInUnits> in_own_units(const FloatingBody& body);

}  // namespace plimsoll
