#include "picture/pairs_picture.h"

#include <fmt/format.h>

#include <map>

#include "picture/bodies_picture.h"

namespace plimsoll::picture {
namespace {

constexpr double kGhost = 0.22;

/// The colors of bodies, and what the legend says of them.
struct Coloring {
  std::vector<Color> colors;
  std::vector<LegendEntry> legend;
};

/// Of a few bodies each has a color of its own, of many each kind: "duck" of "duck[3]".
Coloring coloring_of(const PairsScene& scene) {
  constexpr std::size_t kFew = 6;
  const bool by_kind = scene.bodies.size() > kFew;
  struct Kind {
    Color color;
    std::size_t first, count;
  };
  std::map<std::string, Kind> kinds;
  std::vector<std::string> order;
  Coloring coloring;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string name = short_name(scene.bodies[i].name);
    const std::string kind =
        by_kind ? name.substr(0, name.find('[')) : fmt::format("{} {}", i, name);
    const auto [place, is_new] = kinds.try_emplace(kind, Kind{body_color(kinds.size()), i, 0});
    if (is_new) order.push_back(kind);
    ++place->second.count;
    coloring.colors.push_back(place->second.color);
  }
  for (const std::string& kind : order) {
    const Kind& found = kinds.at(kind);
    coloring.legend.push_back(
        {found.color, found.count == 1 ? kind : fmt::format("{} ({})", kind, found.count)});
  }
  return coloring;
}

/// Of each body, the triangles that were found, each once.
std::vector<std::vector<std::uint32_t>> found_triangles(const PairsScene& scene) {
  std::vector<std::vector<bool>> is_found;
  for (const PlacedMesh& body : scene.bodies) is_found.emplace_back(body.mesh->triangles.size());
  for (const MarkedPairs& found : scene.touching)
    for (const TrianglePair& pair : found.pairs)
      is_found[found.a][pair.a] = is_found[found.b][pair.b] = true;
  std::vector<std::vector<std::uint32_t>> triangles(scene.bodies.size());
  for (std::size_t i = 0; i < is_found.size(); ++i)
    for (std::uint32_t t = 0; t < is_found[i].size(); ++t)
      if (is_found[i][t]) triangles[i].push_back(t);
  return triangles;
}

void extend(Eigen::AlignedBox2d& spots, const ParallelView& view, const PlacedMesh& body,
            std::uint32_t triangle) {
  for (const std::uint32_t v : body.mesh->triangles[triangle])
    spots.extend(Vec2(view(body.world_from_mesh * body.mesh->vertices[v]).head<2>()));
}

/// Circles around what two bodies have in common where it is small.
void draw_finders(Picture& picture, const PairsScene& scene, const ParallelView& view,
                  const PictureLayout& layout) {
  const double most = finder_size(layout);
  for (const MarkedPairs& found : scene.touching) {
    Eigen::AlignedBox2d spots;
    for (const TrianglePair& pair : found.pairs) {
      extend(spots, view, scene.bodies[found.a], pair.a);
      extend(spots, view, scene.bodies[found.b], pair.b);
      if (spots.sizes().maxCoeff() > most) break;
    }
    if (spots.sizes().maxCoeff() > most) continue;
    draw_finder(picture, {spots.center().x(), spots.center().y()}, layout);
  }
}

}  // namespace

Picture draw_pairs(const PairsScene& scene, PixelSize size) {
  const Coloring coloring = coloring_of(scene);
  const PictureLayout layout = layout_with_legend(size, scene.facts.size());
  const std::vector<std::vector<std::uint32_t>> marked = found_triangles(scene);
  std::vector<DrawnSurface> surfaces;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    surfaces.push_back(surface_of(scene.bodies[i], coloring.colors[i]));
  const auto mark = [&](BodyDrawing& drawing) {
    for (std::size_t i = 0; i < surfaces.size(); ++i) drawing.mark(surfaces[i], marked[i], kStrong);
  };
  const ParallelView view = best_view(surfaces, layout, [&](BodyDrawing& drawing) {
    mark(drawing);
    return drawing.seen_marks();
  });
  BodyDrawing drawing(size, view, true);
  for (const DrawnSurface& surface : surfaces) drawing.draw(surface);
  mark(drawing);
  Picture picture = drawing.picture(kGhost);
  draw_finders(picture, scene, view, layout);
  draw_words(picture, scene.title, coloring.legend, scene.facts, layout, view.scale);
  return picture;
}

}  // namespace plimsoll::picture
