// Bodies under a fluid's surface, side by side in one image: each has a tile of its own, whose
// pixels are the columns of its view.
#pragma once

#include <plimsoll/gl_water_image.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gl/drawn_body.h"
#include "gl/mesh_buffer.h"
#include "hydro/water_image_sums.h"

namespace plimsoll {

/// A mesh on graphics hardware, its vertices about the middle of its box and over half its size.
struct GlWaterMesh {
  gl::MeshBuffer buffer;
  std::vector<Vec3> vertices;  ///< About the middle, not divided [m].
  std::vector<Triangle> triangles;
  Vec3 middle = Vec3::Zero();  ///< Of the box [m].
  double scale = 1;            ///< Half the longest edge of the box [m].
  bool is_inward = false;
};

/// A body in its tile.
struct GlWaterTile {
  std::size_t body = 0;  ///< Which of those asked about.
  const GlWaterMesh* mesh = nullptr;
  WaterView view;
  Similarity view_from_vertices = Similarity::Identity();
  SurfaceSamples surface;
  int x = 0, y = 0;  ///< Lower left corner [pixels].
};

/// The columns of body number `body` in its pose; no tile where it is dry or has no columns.
[[nodiscard]] std::optional<GlWaterTile> tile_of(std::size_t body, const GlWaterMesh& mesh,
                                                 const Similarity& world_from_mesh,
                                                 const SurfaceNow& surface,
                                                 const WaterImageOptions& options);

/// Tiles that are drawn at once, and the size of the image that they fill [pixels].
struct GlWaterPage {
  std::span<const GlWaterTile> tiles;
  int width = 0, height = 0;
};

/// Gives as many of the first tiles as fit places in an image of at most `max_side` pixels along a
/// side, row after row, about a square of them. Precondition: there is a tile, and one fits.
[[nodiscard]] GlWaterPage lay_out(std::span<GlWaterTile> tiles, int max_side,
                                  const WaterImageOptions& options);

}  // namespace plimsoll
