// What shapes that become triangles and shapes that do not have in common.
#pragma once

#include <plimsoll/image.h>

namespace plimsoll {

/// Curved surfaces become triangles this near to them, in pixels, where they have to.
inline constexpr double kFlatness = 1e-2;

/// Of a shape that columns are found of. Precondition: check_shape.
[[nodiscard]] Result<ImageMass> image_mass_of_columns(const Shape& shape,
                                                      const ImageOptions& options);

}  // namespace plimsoll
