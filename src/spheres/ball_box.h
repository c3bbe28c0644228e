// What a ball and an axis-parallel box have in common.
#pragma once

#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// The volume of the unit ball about the origin where coordinates are at least x, y and z: whoever
/// cuts a ball along a lattice asks once for each corner. The error is below 1e-13.
[[nodiscard]] double unit_ball_beyond(double x, double y, double z);

/// The volume that the ball and the box have in common: closed form. The error is below 1e-13 of
/// the ball's volume; a box in the ball has its own volume to rounding, and one that does not reach
/// into it 0. 0 also for balls without a radius and for empty boxes.
[[nodiscard]] double ball_box_volume(const PlacedSphere& ball, const Box3& box);

}  // namespace plimsoll
