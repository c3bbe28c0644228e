// How far a solid sticks out of the spheres of a packing.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "spheres/ball_tree.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

struct Protrusion {
  double bound = 0;  ///< No point of the solid is farther from the balls.
  double found = 0;  ///< The point `at` of the solid is that far from them.
  Vec3 at = Vec3::Zero();
};

/// The largest distance of a point of the solid from the balls, between `found` and `bound`, in
/// units of the solid. Cubes about the solid are halved, those first in which a point may be
/// farthest; it ends where the two are within 2 %, or after `max_cubes`. Precondition: at least one
/// ball.
[[nodiscard]] Protrusion largest_protrusion(const UnitSolid& solid, const BallTree& balls,
                                            std::size_t max_cubes);

/// Points of the solid with a free radius of at least `least`, not all of them: cubes about the
/// solid are halved, all of a size together, down to a quarter of `least`, and cubes in which no
/// point has it are dropped. Without a value where there would be more than `max_cubes` of a size.
[[nodiscard]] std::optional<std::vector<Vec3>> free_points(const UnitSolid& solid,
                                                           const BallTree& balls, double least,
                                                           std::size_t max_cubes);

}  // namespace plimsoll
