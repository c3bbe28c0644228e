// What is drawn of a weighed body.
#pragma once

#include "picture/mass_picture.h"
#include "weighing.h"

namespace plimsoll::cli {

/// What makes a mesh unsound has the number of the text report, and the facts are the numbers of
/// that. Shapes without triangles are drawn as their box, which is said. Throws Failure.
[[nodiscard]] picture::MassScene mass_scene(const Weighing& weighing);

}  // namespace plimsoll::cli
