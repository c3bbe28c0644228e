// A floating body as a picture: how it lies in the water, and the cut at the waterline.
#pragma once

#include <plimsoll/mesh.h>

#include "picture.h"

namespace plimsoll::cli {

/// A body in the world whose water is z <= 0.
struct FloatingScene {
  TriangleMesh mesh;
  Vec3 center_of_mass = Vec3::Zero();
  Vec3 center_of_buoyancy = Vec3::Zero();
  Vec3 waterplane_center = Vec3::Zero();  ///< NaN without a waterplane.
};

/// Two views side by side at one scale. Left, a little from above: the body, darker and bluer under
/// water, with its waterline; over it the centers of mass (G) and buoyancy (B) on their verticals.
/// Right, from straight above: the cut at the water with the outline of the body, its center (F), G
/// and B. The right view has the left one's x to the right.
[[nodiscard]] Picture draw_waterline(const FloatingScene& scene, PixelSize size);

}  // namespace plimsoll::cli
