// What is drawn of a packing.
#pragma once

#include "packed_body.h"
#include "picture/spheres_picture.h"

namespace plimsoll::cli {

/// Throws Failure where there are no spheres to draw.
[[nodiscard]] picture::SpheresScene spheres_scene(const PackedBody& packed);

}  // namespace plimsoll::cli
