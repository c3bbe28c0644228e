// What is drawn of a body afloat.
#pragma once

#include <plimsoll/equilibrium.h>
#include <plimsoll/shape.h>

#include <string>

#include "floating_input.h"
#include "picture/waterline_picture.h"

namespace plimsoll::cli {

/// The body and its centers, all given in one frame, brought into that of the water and turned
/// about the vertical so that the longest side of the body's box is along x; shapes as triangles
/// within a thousandth of their size. The facts are those of what is under water. Throws Failure
/// where there are no triangles.
[[nodiscard]] picture::FloatingScene floating_scene(const Shape& shape, const Pose& water_from_body,
                                                    const Submersion& wet,
                                                    const Vec3& center_of_mass);

/// The same of a body afloat, with its metacenter, and with what it weighs and how it lies among
/// the facts.
[[nodiscard]] picture::FloatingScene floating_scene(const FloatingInput& input,
                                                    const FloatingState& state,
                                                    const std::string& title);

}  // namespace plimsoll::cli
