// What is drawn of a body afloat.
#pragma once

#include <plimsoll/equilibrium.h>
#include <plimsoll/shape.h>

#include "waterline_picture.h"

namespace plimsoll::cli {

/// World of the water, which is z <= 0, from the frame in which the body was solved: turned so that
/// up is z, and lowered.
[[nodiscard]] Pose water_from_solved(const FloatingState& state);

/// The body and its centers, all given in one frame, brought into that of the water; shapes as
/// triangles within a thousandth of their size. Throws Failure where there are none.
[[nodiscard]] FloatingScene floating_scene(const Shape& shape, const Pose& water_from_body,
                                           const Submersion& wet, const Vec3& center_of_mass);

}  // namespace plimsoll::cli
