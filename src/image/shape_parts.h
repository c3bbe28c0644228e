// What shapes that become triangles and shapes that do not have in common.
#pragma once

#include <plimsoll/image.h>

namespace plimsoll {

/// Curved surfaces become triangles this near to them, in pixels, where they have to.
inline constexpr double kFlatness = 1e-2;

/// The part of the projected area that curved borders leave out or add.
inline constexpr double kUsuallyMissed = 0.02;

/// Adds to the estimate what a surface of `area` may differ by that is up to `deviation` away from
/// the one that was drawn; both in the unit of the body in `box`.
void add_deviation(double deviation, double area, const Box3& box, const ImageOptions& options,
                   ImageMass& result);
void add_deviation(const ShapeMesh& drawn, const ImageOptions& options, ImageMass& result);

/// Of a shape that columns are found of. Precondition: check_shape.
[[nodiscard]] Result<ImageMass> image_mass_of_columns(const Shape& shape,
                                                      const ImageOptions& options);

}  // namespace plimsoll
