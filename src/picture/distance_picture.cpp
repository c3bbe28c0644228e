#include "picture/distance_picture.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "picture/bodies_picture.h"
#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

using Points = SurfaceDistance::Points;

/// How much is seen of the line between the points: the share of its length, foreshortened, that
/// nothing hides. A line that is too short to have a direction counts by its ends alone.
double seen_share(const Points& points, const BodyDrawing& drawing) {
  constexpr int kSteps = 16;
  const Vec3 &a = points.on_a.at, &b = points.on_b.at;
  int seen = 0;
  for (int i = 0; i <= kSteps; ++i)
    if (drawing.is_seen(a + (b - a) * (static_cast<double>(i) / kSteps))) ++seen;
  const Vec3 along = b - a;
  const double pixels = along.norm() * drawing.view().scale;
  const double length =
      pixels < 2 ? 1 : (drawing.view().turn * along).head<2>().norm() / along.norm();
  return length * (1 + seen);
}

/// To a hundred thousandth of `size`, that of what is seen; in full where that is nothing.
std::string point_in_words(const Vec3& p, double size) {
  const double step = std::pow(10.0, std::floor(std::log10(size)) - 5);
  const auto rounded = [&](double x) {
    return step > 0 ? std::round(x / step) * step + 0.0 : x;  // + 0.0: none is -0
  };
  return fmt::format("{:.12g}, {:.12g}, {:.12g}", rounded(p[0]), rounded(p[1]), rounded(p[2]));
}

/// `size` is that of all bodies.
std::vector<Fact> facts_of(const DistanceScene& scene, double size) {
  std::vector<Fact> facts;
  if (scene.solid_distance)
    facts.emplace_back("distance of the solids", fmt::format("{:.6g} m", *scene.solid_distance));
  if (scene.solid_bounds)
    facts.emplace_back("distance of the solids",
                       fmt::format("between {:.6g} and {:.6g} m", (*scene.solid_bounds)[0],
                                   (*scene.solid_bounds)[1]));
  else if (std::isfinite(scene.surfaces.distance))
    facts.emplace_back("distance of the surfaces",
                       fmt::format("{:.6g} m", scene.surfaces.distance));
  if (!scene.surfaces.nearest) return facts;
  const auto& [on_a, on_b] = *scene.surfaces.nearest;
  const std::string nearest = scene.solid_bounds ? "nearest found" : "nearest point";
  facts.emplace_back(nearest + " of A, m", point_in_words(on_a.at, size));
  facts.emplace_back(nearest + " of B, m", point_in_words(on_b.at, size));
  return facts;
}

/// Their letters stand beyond the ends of the line, or to either side of its circle.
void draw_points(Picture& picture, const Points& points, const BodyDrawing& drawing,
                 const PictureLayout& layout) {
  const Vec3 &a = points.on_a.at, &b = points.on_b.at;
  drawing.line(picture, a, b, 3, kStrong);
  const std::array<Spot, 2> ends{spot_of(drawing.view(), a), spot_of(drawing.view(), b)};
  const Spot middle{(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2};
  const Spot along{ends[1].x - middle.x, ends[1].y - middle.y};
  const double half = std::hypot(along.x, along.y), size = layout.letter;
  const bool is_short = 2 * half < finder_size(layout);
  if (is_short) draw_finder(picture, middle, layout);
  const double far = (is_short ? finder_size(layout) : half) + 1.2 * size;
  for (const std::size_t k : {0u, 1u}) {
    const double side = (k == 0 ? -1 : 1) * far;
    const Spot way = is_short ? Spot{1, 0} : Spot{along.x / half, along.y / half};
    const char* name = k == 0 ? "A" : "B";
    disc(picture, ends[k], 0.36 * size + 1.5, kPaper);
    disc(picture, ends[k], 0.36 * size, kStrong);
    letter_on(picture,
              {middle.x + side * way.x - lettered_width(name, size) / 2,
               middle.y + side * way.y + size / 2},
              name, size, kStrong, kPaper);
  }
}

}  // namespace

Picture draw_distance(const DistanceScene& scene, PixelSize size) {
  const std::optional<Points>& nearest = scene.surfaces.nearest;
  const std::array<PlacedMesh, 2>& bodies = scene.bodies;
  const std::array<DrawnSurface, 2> surfaces{surface_of(bodies[0], body_color(0)),
                                             surface_of(bodies[1], body_color(1))};
  Box3 box;
  for (const DrawnSurface& surface : surfaces) extend(box, ParallelView(), surface);
  const std::vector<Fact> facts = facts_of(scene, box.sizes().maxCoeff());
  const PictureLayout layout = layout_with_legend(size, facts.size());
  const ParallelView view = best_view(surfaces, layout, [&](const BodyDrawing& drawing) {
    return nearest ? seen_share(*nearest, drawing) : 0;
  });
  BodyDrawing drawing(size, view, true);
  for (const DrawnSurface& surface : surfaces) drawing.draw(surface);
  Picture picture = drawing.picture(scene.is_within ? 0.5 : 0.22);
  if (nearest) draw_points(picture, *nearest, drawing, layout);
  const std::array<LegendEntry, 2> legend{{{body_color(0), "A " + short_name(bodies[0].name)},
                                           {body_color(1), "B " + short_name(bodies[1].name)}}};
  draw_words(picture, scene.title, legend, facts, layout, view.scale);
  return picture;
}

}  // namespace plimsoll::picture
