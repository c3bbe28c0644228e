#include "picture/overlap_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "picture/ball_drawing.h"
#include "picture/bodies_picture.h"
#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr double kElevation = 24, kTurn = 28;
constexpr std::array<Color, 2> kBodies{{{224, 160, 60}, {70, 130, 200}}};

std::vector<InnerSphere> placed_spheres(const SphereTree& tree, const Similarity& pose) {
  const double scale = std::cbrt(pose.linear().determinant());
  std::vector<InnerSphere> spheres;
  for (const InnerSphere& sphere : tree.spheres())
    spheres.push_back({pose * sphere.center, scale * sphere.radius});
  return spheres;
}

/// Which spheres of either have volume in common with one of the other: those of one side are
/// looked at in the order of x, as far as the largest of them reaches.
std::array<std::vector<bool>, 2> meeting_spheres(const std::vector<InnerSphere>& a,
                                                 const std::vector<InnerSphere>& b) {
  std::array<std::vector<bool>, 2> meet{std::vector<bool>(a.size()), std::vector<bool>(b.size())};
  std::vector<std::size_t> order(b.size());
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    order[i] = i;
    largest = std::max(largest, b[i].radius);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return b[i].center.x() < b[j].center.x(); });
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double reach = a[i].radius + largest;
    auto next = std::lower_bound(order.begin(), order.end(), a[i].center.x() - reach,
                                 [&](std::size_t j, double x) { return b[j].center.x() < x; });
    for (; next != order.end() && b[*next].center.x() <= a[i].center.x() + reach; ++next) {
      if ((b[*next].center - a[i].center).norm() >= a[i].radius + b[*next].radius) continue;
      meet[0][i] = true;
      meet[1][*next] = true;
    }
  }
  return meet;
}

ParallelView fitted_view(const std::array<TriangleMesh, 2>& meshes, const PictureLayout& layout) {
  ParallelView view = view_from(kElevation, kTurn);
  Box3 turned;
  for (const TriangleMesh& mesh : meshes)
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t) turned.extend(Vec3(view.turn * mesh.vertices[v]));
  fit(view, turned, layout.body, 4 * layout.letter);
  return view;
}

/// An arrow of that length in pixels, shorter where it is seen from ahead.
void draw_arrow(Picture& picture, const ParallelView& view, const Vec3& from, const Vec3& way,
                double pixels, Color color) {
  if (!(way.norm() > 0)) return;
  const Spot start = spot_of(view, from);
  const Spot end = spot_of(view, from + way.normalized() * (pixels / view.scale));
  const Spot along{end.x - start.x, end.y - start.y};
  const double length = std::hypot(along.x, along.y);
  if (length < 1) return;
  const double head = std::min(0.35 * length, 14.0);
  const Spot u{along.x / length, along.y / length};
  for (const auto& [width, tone] : {std::pair(8.0, kPaper), std::pair(4.0, color)}) {
    stroke(picture, start, end, width, tone);
    for (const double side : {-1.0, 1.0})
      stroke(picture, end,
             {end.x - head * (u.x + 0.6 * side * u.y), end.y - head * (u.y - 0.6 * side * u.x)},
             width, tone);
  }
}

void draw_forces(Picture& picture, const OverlapScene& scene, const ParallelView& view,
                 const PictureLayout& layout) {
  if (!scene.shared.center) return;
  const Vec3& center = *scene.shared.center;
  const double length = 0.16 * layout.body.height;
  draw_arrow(picture, view, center, scene.shared.force_a, length,
             mixed(kBodies[0], {0, 0, 0}, 0.35));
  draw_arrow(picture, view, center, scene.shared.force_b, length,
             mixed(kBodies[1], {0, 0, 0}, 0.35));
  const Spot at = spot_of(view, center);
  disc(picture, at, 0.42 * layout.letter + 1.5, kPaper);
  disc(picture, at, 0.42 * layout.letter, kStrong);
}

std::vector<Fact> facts_of(const SphereVolume& shared, std::size_t meeting) {
  const auto size_of = [](const Vec3& force) { return fmt::format("{:.4g} m^3", force.norm()); };
  return {
      {"shared volume", fmt::format("{:.6g} m^3", shared.volume)},
      {"at least, at most", fmt::format("{:.4g}, {:.4g} m^3", shared.lower, shared.upper)},
      {"spheres that meet", fmt::format("{}", meeting)},
      {"forces on A and B, the arrows", size_of(shared.force_a) + ", " + size_of(shared.force_b)}};
}

}  // namespace

Picture draw_overlap(const OverlapScene& scene, PixelSize size) {
  constexpr std::size_t kFacts = 4;
  const PictureLayout layout = layout_with_legend(size, kFacts);
  std::array<TriangleMesh, 2> meshes;
  std::array<std::vector<InnerSphere>, 2> spheres;
  for (const std::size_t k : {0U, 1U}) {
    const Similarity& pose = scene.bodies[k].world_from_mesh;
    meshes[k] = posed(*scene.bodies[k].mesh, pose);
    spheres[k] = placed_spheres(scene.trees[k], pose);
  }
  const std::array<std::vector<bool>, 2> meet = meeting_spheres(spheres[0], spheres[1]);
  const ParallelView view = fitted_view(meshes, layout);
  BallDrawing drawing(size, view);
  std::size_t meeting = 0;
  for (const std::size_t k : {0U, 1U}) {
    for (std::size_t i = 0; i < spheres[k].size(); ++i) {
      if (!meet[k][i]) continue;
      ++meeting;
      drawing.draw(spheres[k][i], kBodies[k]);
    }
    drawing.draw_glass(meshes[k], mixed(kBodies[k], kPale, 0.4));
  }
  for (const std::size_t k : {0U, 1U})
    drawing.draw_outline(meshes[k], mixed(kBodies[k], {0, 0, 0}, 0.35));
  Picture picture = drawing.picture(kPaper);
  draw_forces(picture, scene, view, layout);
  const std::array<LegendEntry, 3> legend{{{kBodies[0], "A " + short_name(scene.bodies[0].name)},
                                           {kBodies[1], "B " + short_name(scene.bodies[1].name)},
                                           {kStrong, "center of what they share"}}};
  draw_words(picture, scene.title, legend, facts_of(scene.shared, meeting), layout, view.scale);
  return picture;
}

}  // namespace plimsoll::picture
