// The engine of a World by image on graphics hardware [Kim2006, sec. 5].
#pragma once

#include <plimsoll/engines.h>
#include <plimsoll/gl_water_image.h>

namespace [[gnu::visibility("default")]] plimsoll {

/// The engine that draws all bodies of a step into one image: GlWaterImage::measure. Bodies of one
/// mesh share it; primitives and patches become triangles a hundredth of a pixel from them. It
/// keeps the context alive, and the meshes on the hardware for as long as it lives itself: a body
/// that goes frees no memory there. The world is stepped by one thread at a time. Errors: as
/// GlWaterImage::create. Of add: as check_shape, to_triangles and GlWaterImage::upload;
/// `Unavailable` for formulas and Booleans, which image_buoyancy serves.
[[nodiscard]] Result<std::shared_ptr<BuoyancyEngine>> gl_buoyancy(
    const GlContext& context, const GlWaterOptions& options = {},
    std::shared_ptr<ImageTally> tally = {});

}  // namespace plimsoll
