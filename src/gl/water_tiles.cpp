#include "gl/water_tiles.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::optional<GlWaterTile> tile_of(std::size_t body, const GlWaterMesh& mesh,
                                   const Similarity& world_from_mesh, const SurfaceNow& surface,
                                   const WaterImageOptions& options) {
  Box3 box;
  for (const Vec3& v : mesh.vertices) box.extend(world_from_mesh.linear() * v);
  GlWaterTile tile;
  tile.body = body;
  tile.mesh = &mesh;
  tile.view = water_view(box, options.width, options.height);
  WaterView& view = tile.view;
  const Vec3 offset = view.middle;
  view.middle += world_from_mesh * mesh.middle;
  view.rounding = rounding_of(world_from_mesh, mesh.middle);
  if (!view.has_columns()) return std::nullopt;
  if (view.middle[2] - view.scale * view.depth > surface.highest() + view.rounding)
    return std::nullopt;
  tile.view_from_vertices.linear() = world_from_mesh.linear() * (mesh.scale / view.scale);
  tile.view_from_vertices.translation() = -offset / view.scale;
  sample_surface(surface, view, tile.surface);
  return tile;
}

GlWaterPage lay_out(std::span<GlWaterTile> tiles, int max_side, const WaterImageOptions& options) {
  const int max_columns = max_side / options.width, max_rows = max_side / options.height;
  const auto square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(tiles.size()))));
  const int columns = std::min(max_columns, square);
  const std::size_t count = std::min(
      tiles.size(), static_cast<std::size_t>(columns) * static_cast<std::size_t>(max_rows));
  GlWaterPage page{tiles.first(count)};
  for (std::size_t i = 0; i < count; ++i) {
    tiles[i].x = static_cast<int>(i) % columns * options.width;
    tiles[i].y = static_cast<int>(i) / columns * options.height;
    page.width = std::max(page.width, tiles[i].x + options.width);
    page.height = std::max(page.height, tiles[i].y + options.height);
  }
  return page;
}

}  // namespace plimsoll
