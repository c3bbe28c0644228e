// The engine behind a method.
#pragma once

#include <plimsoll/dynamics.h>

#include <span>

#include "controls.h"

namespace plimsoll::viewer {

/// `shapes` are in the frames of their bodies. Images have 32 x 32 pixels, as in the paper. By
/// OpenGL, primitives and patches are drawn as triangles within a thousandth of their size. Errors:
/// of the engine; `Unavailable` by OpenGL for formulas and Booleans.
[[nodiscard]] Result<BuoyancyEngine> make_engine(Method method, std::span<const Shape> shapes);

}  // namespace plimsoll::viewer
