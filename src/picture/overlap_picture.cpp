#include "picture/overlap_picture.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "picture/ball_drawing.h"
#include "picture/bodies_picture.h"
#include "picture/lettering.h"
#include "picture/overlap_drawing.h"

namespace plimsoll::picture {
namespace {

std::vector<Fact> facts_of(const Overlap& shared) {
  std::vector<Fact> facts{{"shared volume", fmt::format("{:.9g} m^3", shared.volume)}};
  if (!shared.overlaps) return facts;
  facts.emplace_back("curve of crossing", fmt::format("{:.6g} m", shared.curve_length));
  facts.emplace_back("closed parts of it", fmt::format("{}", shared.contacts.size()));
  facts.emplace_back("force on A (its arrow: the direction)",
                     fmt::format("{:.6g} m^2{}", shared.force_a.stableNorm(),
                                 has_direction(shared) ? "" : " (no direction)"));
  if (has_direction(shared))
    facts.emplace_back("mean depth along the force",
                       fmt::format("{:.6g} m", shared.volume / shared.force_a.stableNorm()));
  return facts;
}

}  // namespace

bool has_direction(const Overlap& shared) {
  constexpr double kRounding = 0x1p-40;
  return shared.force_a.stableNorm() > kRounding * shared.curve_length * shared.curve_length;
}

Picture draw_overlap(const OverlapScene& scene, PixelSize size) {
  constexpr std::size_t kFacts = 5;
  const PictureLayout layout = layout_with_legend(size, kFacts);
  std::array<TriangleMesh, 2> meshes;
  for (const std::size_t k : {0U, 1U})
    meshes[k] = posed(*scene.bodies[k].mesh, scene.bodies[k].world_from_mesh);
  const ParallelView view = overlap_view(meshes, layout);
  BallDrawing drawing(size, view);
  for (const std::size_t k : {0U, 1U})
    drawing.draw_glass(meshes[k], mixed(kBodyColors[k], kPale, 0.2));
  for (const std::size_t k : {0U, 1U})
    drawing.draw_outline(meshes[k], mixed(kBodyColors[k], {0, 0, 0}, 0.35));
  Picture picture = drawing.picture(kPaper);
  for (const auto& [from, to] : scene.shared.curve)
    stroke(picture, spot_of(view, from), spot_of(view, to), 3, kStrong);
  std::vector<LegendEntry> legend;
  for (const std::size_t k : {0U, 1U})
    legend.push_back(
        {kBodyColors[k], std::string(k == 0 ? "A " : "B ") + short_name(scene.bodies[k].name)});
  if (!scene.shared.curve.empty()) legend.push_back({kStrong, "where the surfaces cross"});
  if (scene.shared.center) {
    const double length = 0.16 * layout.body.height;
    if (has_direction(scene.shared))
      for (const auto& [force, color] : {std::pair(scene.shared.force_a, kBodyColors[0]),
                                         std::pair(scene.shared.force_b, kBodyColors[1])})
        draw_arrow(picture, view, *scene.shared.center, force, length,
                   mixed(color, {0, 0, 0}, 0.35));
    const Spot at = spot_of(view, *scene.shared.center);
    disc(picture, at, 0.42 * layout.letter + 1.5, kPaper);
    disc(picture, at, 0.42 * layout.letter, {0, 0, 0});
    legend.push_back({{0, 0, 0}, "center of what they share"});
  }
  draw_words(picture, scene.title, legend, facts_of(scene.shared), layout, view.scale);
  return picture;
}

}  // namespace plimsoll::picture
