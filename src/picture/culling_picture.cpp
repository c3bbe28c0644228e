#include "picture/culling_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "picture/bodies_picture.h"

namespace plimsoll::picture {
namespace {

/// A part of the picture, in whole pixels.
struct Tile {
  int x, y, width, height;
};

/// Along an axis, from its negative end, or against it.
ParallelView view_along(int axis, bool is_backward) {
  const double forward = is_backward ? -1 : 1;
  ParallelView view;
  view.turn.row(0) = -forward * Vec3::Unit((axis + 1) % 3);
  view.turn.row(1) = Vec3::Unit((axis + 2) % 3);
  view.turn.row(2) = -forward * Vec3::Unit(axis);
  return view;
}

ParallelView fitted(ParallelView view, std::span<const DrawnSurface> surfaces, const Tile& tile) {
  Box3 turned;
  for (const DrawnSurface& surface : surfaces) extend(turned, view, surface);
  if (turned.isEmpty()) return view;
  const double margin = 0.04 * std::min(tile.width, tile.height);
  fit(view, turned, {margin, margin, tile.width - 2 * margin, tile.height - 2 * margin}, 0);
  return view;
}

/// "12 triangles", of all bodies.
std::string counted(const std::vector<std::vector<std::uint32_t>>& triangles) {
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& of : triangles) count += of.size();
  return fmt::format("{} {}", count, count == 1 ? "triangle" : "triangles");
}

/// What a view draws: boxes of the triangles in the set.
std::vector<TriangleMesh> boxes_of(const CullingRound& round,
                                   const std::vector<std::vector<std::uint32_t>>& triangles,
                                   double radius) {
  std::vector<TriangleMesh> boxes;
  for (std::size_t i = 0; i < round.bodies.size(); ++i) {
    const PlacedMesh& body = round.bodies[i];
    boxes.push_back(fattened_boxes({CheckedMesh::borrow(*body.mesh).value(), body.world_from_mesh},
                                   triangles[i], radius)
                        .value());
  }
  return boxes;
}

}  // namespace

Picture draw_culling(const CullingRound& round, PixelSize size) {
  constexpr double kGhost = 0.22;
  constexpr int kSmallest = 240;  // below it there is no room for words
  const bool has_words = size.height >= kSmallest;
  const double letter_size = std::clamp(size.height / 60.0, 8.0, 20.0);
  const int row = has_words ? static_cast<int>(2.6 * letter_size) : 0;
  const auto columns = static_cast<int>(round.views.size());
  Picture picture(size.width, size.height, kPaper);
  std::vector<DrawnSurface> bodies;
  for (std::size_t i = 0; i < round.bodies.size(); ++i)
    bodies.push_back(surface_of(round.bodies[i], body_color(i)));
  const int height = std::max(1, (size.height - 5 * row / 2) / 2 - row);
  for (int k = 0; k < columns; ++k) {
    const CullView& view = round.views[static_cast<std::size_t>(k)];
    const auto& before =
        k == 0 ? round.before : round.views[static_cast<std::size_t>(k) - 1].surviving;
    const int left = size.width * k / columns, right = size.width * (k + 1) / columns;
    const Tile above{left, 3 * row, right - left, height};
    const Tile below{left, 4 * row + height, right - left, height};
    const std::vector<TriangleMesh> boxes = boxes_of(round, before, view.radius);
    std::vector<DrawnSurface> surfaces = bodies;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      DrawnSurface& surface = surfaces.emplace_back(bodies[i]);
      surface.mesh = &boxes[i];
      surface.world_from_mesh = Similarity::Identity();
    }
    const ParallelView seen = fitted(view_along(view.axis, view.is_backward), surfaces, above);
    BodyDrawing drawn({above.width, above.height}, seen, false);
    for (std::size_t i = bodies.size(); i < surfaces.size(); ++i) drawn.draw(surfaces[i]);
    put(picture, drawn.picture(), above.x, above.y);
    BodyDrawing left_over({below.width, below.height}, seen, true);
    for (const DrawnSurface& surface : bodies) left_over.draw(surface);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      left_over.mark(bodies[i], view.surviving[i], kStrong);
    put(picture, left_over.picture(kGhost), below.x, below.y);
    if (!has_words) continue;
    const auto caption = [&](const Tile& tile, const std::string& words) {
      letter_within(picture, {tile.x + letter_size, tile.y - 0.7 * letter_size}, words, letter_size,
                    tile.width - 2 * letter_size, kInk);
    };
    caption(above, fmt::format("{} {}: drawn for {}", view.is_backward ? "against" : "along",
                               static_cast<char>('x' + view.axis), counted(before)));
    caption(below, counted(view.surviving) + " left");
  }
  if (has_words) {
    letter_within(picture, {letter_size, 2.2 * letter_size}, round.title, 1.15 * letter_size,
                  size.width - 2 * letter_size, kInk);
    letter_within(picture, {letter_size, 4.2 * letter_size}, round.caption, 0.92 * letter_size,
                  size.width - 2 * letter_size, kPale);
  }
  return picture;
}

}  // namespace plimsoll::picture
