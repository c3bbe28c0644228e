// Two bodies that share volume, the curve in which their surfaces cross, and the forces, as a
// picture.
#pragma once

#include <plimsoll/overlap.h>

#include <array>
#include <string>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// What is drawn and said. SI units.
struct OverlapScene {
  std::array<PlacedMesh, 2> bodies;
  Overlap shared;  ///< With its curve and contacts.
  std::string title;
};

/// The curve is closed: where what is left of its area vector is rounding, the force has no
/// direction.
[[nodiscard]] bool has_direction(const Overlap& shared);

/// The bodies as glass, over them the curve, the center of what they share, and from there the
/// directions of both forces.
[[nodiscard]] Picture draw_overlap(const OverlapScene& scene, PixelSize size);

}  // namespace plimsoll::picture
