// How strongly a patch can bend: what decides how many triangles it takes.
#pragma once

#include <plimsoll/patches.h>

namespace plimsoll {

/// Upper bounds of the lengths of the second derivatives of a patch over the unit square.
struct SecondDerivatives {
  double uu = 0, uv = 0, vv = 0;
};

/// Rigorous up to rounding. Precondition: check_patches.
[[nodiscard]] SecondDerivatives second_derivative_bounds(const BezierPatch& patch);

}  // namespace plimsoll
