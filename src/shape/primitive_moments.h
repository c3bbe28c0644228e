// Volume, center, inertia and area of posed primitives in closed form.
#pragma once

#include <plimsoll/shape.h>

#include <optional>

#include "core/volume_moments.h"

namespace plimsoll {

/// To a few units in the last place about the origin of the primitive; the pose then rounds like
/// `transformed`. Nothing for meshes, patches, formulas and Booleans. Precondition: check_shape.
[[nodiscard]] std::optional<VolumeMoments> exact_moments(const Shape& shape);

/// The area of the surface to 1e-14 relative, for the same shapes.
[[nodiscard]] std::optional<double> exact_area(const Shape& shape);

}  // namespace plimsoll
