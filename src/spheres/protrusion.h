// How far a solid sticks out of the spheres of a packing.
#pragma once

#include <cstddef>

#include "spheres/ball_tree.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

/// An upper bound of the distance of any point of the solid, as far as it is kept, from the balls,
/// in units of the solid. Cubes about the solid are halved, first those in which a point may be
/// farthest. The search ends where a point was found that is within 2 % of the bound, or after
/// `max_cubes`. Precondition: at least one ball.
[[nodiscard]] double largest_protrusion(const UnitSolid& solid, const BallTree& balls,
                                        std::size_t max_cubes);

}  // namespace plimsoll
