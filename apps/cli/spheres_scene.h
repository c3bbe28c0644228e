// What is drawn of a packing, or a cover.
#pragma once

#include "covered_body.h"
#include "packed_body.h"
#include "picture/spheres_picture.h"

namespace plimsoll::cli {

/// Throws Failure where there are no spheres to draw.
[[nodiscard]] picture::SpheresScene spheres_scene(const PackedBody& packed);
[[nodiscard]] picture::SpheresScene spheres_scene(const CoveredBody& covered);

}  // namespace plimsoll::cli
