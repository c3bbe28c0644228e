// How long arrows of forces are.
#pragma once

#include <plimsoll/world.h>

#include <algorithm>

namespace plimsoll::picture {

/// The largest weight of a body that moves freely [N], on Earth where the scene has no gravity; 1
/// without any.
[[nodiscard]] inline double heaviest_weight(const World& world) {
  constexpr double kEarth = 9.80665;
  const double gravity = world.environment().gravity;
  double heaviest = 0;
  for (const BodyId id : world.ids())
    if (!world.is_kinematic(id))
      heaviest = std::max(heaviest, world.mass(id)->mass * (gravity > 0 ? gravity : kEarth));
  return heaviest > 0 ? heaviest : 1;
}

}  // namespace plimsoll::picture
