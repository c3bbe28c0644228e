// Two bodies and where they are nearest, as a picture.
#pragma once

#include <plimsoll/distance.h>

#include <array>
#include <optional>
#include <string>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// What is drawn and said. SI units.
struct DistanceScene {
  std::array<PlacedMesh, 2> bodies;
  SurfaceDistance surfaces;
  std::optional<double> solid_distance;  ///< Where it is known.
  /// Where it is not, because a search ended in time: what encloses it. The distance of the
  /// surfaces and the points are then the least that was found.
  std::optional<std::array<double, 2>> solid_bounds;
  bool is_within = false;  ///< One body lies in the other, or a part of it does.
  std::string title;
};

/// The bodies, the line between their nearest points, A and B, dashed where a body hides it, and
/// what was measured, in words; seen from where most of that line is seen. Where it is too short to
/// be seen there is a circle around it; where the surfaces cross there is none. A body lets another
/// one that it hides shine through, the more so where the other lies in it.
[[nodiscard]] Picture draw_distance(const DistanceScene& scene, PixelSize size);

}  // namespace plimsoll::picture
