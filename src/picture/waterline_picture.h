// A floating body as a picture: how it lies in the water, and the cut at the waterline.
#pragma once

#include <plimsoll/mesh.h>

#include <limits>
#include <string>
#include <vector>

#include "picture/annotation.h"
#include "picture/picture.h"

namespace plimsoll::picture {

/// A body in the world whose water is z <= 0, and what is said of it.
struct FloatingScene {
  TriangleMesh mesh;
  Vec3 center_of_mass = Vec3::Zero();
  /// NaN where nothing is wet.
  Vec3 center_of_buoyancy = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  /// NaN without a waterplane.
  Vec3 waterplane_center = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  /// Over the center of buoyancy, where the body turns about at small angles; NaN if not known.
  Vec3 metacenter = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  std::string title;
  std::vector<Fact> facts;
};

/// Two views at one scale, side by side or one over the other, whichever is larger. The first, a
/// little from above: the body in a block of water with its waterline, its draught, and the centers
/// of mass (G) and buoyancy (B) and the metacenter (M) on their verticals. The second, from
/// straight above: the cut at the water with the outline of the body, its center (F), G and B; x is
/// to the right. Below, a scale and the facts. Pictures under 640 x 400 have no words but those
/// letters.
[[nodiscard]] Picture draw_waterline(const FloatingScene& scene, PixelSize size);

}  // namespace plimsoll::picture
