// What the images of shapes share, whether the shapes become triangles or not.
#pragma once

#include <plimsoll/image.h>

namespace plimsoll {

/// How near to curved surfaces the triangles are that stand for them, in pixels.
inline constexpr double kFlatness = 1e-2;

/// Adds to the estimate of `result` what is due to a surface of `area` that is up to `deviation`
/// away from the one that was drawn. Both are in the unit of the body, which lies in `box`.
void add_deviation(double deviation, double area, const Box3& box, const ImageOptions& options,
                   ImageMass& result);
void add_deviation(const ShapeMesh& drawn, const ImageOptions& options, ImageMass& result);

/// The triangles that `to_triangles` or `triangles_to_draw` found. Errors: theirs; `Unavailable`
/// for a shape that has none.
[[nodiscard]] Result<ShapeMesh> required_triangles(Result<std::optional<ShapeMesh>> found);

/// image_mass_properties of a shape by its columns. Precondition: check_shape.
[[nodiscard]] Result<ImageMass> image_mass_of_columns(const Shape& shape,
                                                      const ImageOptions& options);

}  // namespace plimsoll
