// Bodies in motion, their buoyancy by image on graphics hardware [Kim2006, sec. 5].
#pragma once

#include <plimsoll/dynamics.h>
#include <plimsoll/gl_water_image.h>

namespace plimsoll {

/// The engine for World that draws all bodies of a step into one image: GlWaterImage::measure.
/// Bodies of one mesh share it; primitives and patches become triangles a hundredth of a pixel from
/// them. The context must outlive it, and the world is then stepped by one thread at a time.
/// Errors: as check_shape, to_triangles and GlWaterImage; `Unavailable` for formulas and Booleans,
/// which image_buoyancy serves.
[[nodiscard]] Result<BuoyancyEngine> gl_buoyancy(const GlContext& context,
                                                 std::span<const Shape> shapes,
                                                 const GlWaterOptions& options = {},
                                                 std::shared_ptr<ImageTally> tally = {});

}  // namespace plimsoll
