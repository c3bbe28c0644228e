// Culling by visibility, as a picture.
#pragma once

#include <plimsoll/culling.h>

#include <string>
#include <vector>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// A round: its views along x, y and z.
struct CullingRound {
  std::vector<PlacedMesh> bodies;  ///< Sound enough for check_mesh.
  std::vector<std::vector<std::uint32_t>>
      before;  ///< Triangles in the set when it began, by bodies.
  std::vector<CullView> views;
  std::string title, caption;
};

/// A column for each view, as it is seen along its axis. Above, what was drawn: the fattened boxes
/// of the triangles that were in the set, each body in a color. Below, what the view left, in red,
/// on the bodies, where nothing hides it and paler where it does.
[[nodiscard]] Picture draw_culling(const CullingRound& round, PixelSize size);

}  // namespace plimsoll::picture
