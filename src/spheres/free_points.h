// Where a packing has left room.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "spheres/ball_tree.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

/// Points of the solid, as far as it is kept, in its units, near each place with a free radius
/// (free_ball.h) of at least `least`; the points' own radii are at least half of that. Cubes about
/// the solid are halved, all of a size together, down to a side of `least`; a cube is dropped where
/// no point of it has that radius. Without a value where more than `max_cubes` of a size would be
/// looked at. In parallel.
[[nodiscard]] std::optional<std::vector<Vec3>> free_points(const UnitSolid& solid,
                                                           const BallTree& balls, double least,
                                                           std::size_t max_cubes);

}  // namespace plimsoll
