#include "picture/sphere_overlap_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "picture/ball_drawing.h"
#include "picture/bodies_picture.h"
#include "picture/lettering.h"
#include "picture/overlap_drawing.h"

namespace plimsoll::picture {
namespace {

std::vector<PlacedSphere> placed_spheres(const SphereTree& tree, const Similarity& pose) {
  const double scale = std::cbrt(pose.linear().determinant());
  std::vector<PlacedSphere> spheres;
  for (const PlacedSphere& sphere : tree.spheres())
    spheres.push_back({pose * sphere.center, scale * sphere.radius});
  return spheres;
}

/// Which spheres of either have volume in common with one of the other: those of one side are
/// looked at in the order of x, as far as the largest of them reaches.
std::array<std::vector<bool>, 2> meeting_spheres(const std::vector<PlacedSphere>& a,
                                                 const std::vector<PlacedSphere>& b) {
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

/// A force is a sum over pairs of spheres, of each as large as the volume that the pair shares.
/// Where these cancel to so little of the shared volume, what is left has no direction worth an
/// arrow: it is rounding (of floats, 2^-24 each, where the search ended in time), and far below
/// what spheres know of forces.
bool has_direction(const Vec3& force, const SphereVolume& shared) {
  constexpr double kRounding = 0x1p-20;
  return force.norm() > kRounding * shared.volume;
}

void draw_forces(Picture& picture, const SphereOverlapScene& scene, const ParallelView& view,
                 const PictureLayout& layout) {
  if (!scene.shared.center) return;
  const Vec3& center = *scene.shared.center;
  const double length = 0.16 * layout.body.height;
  for (const auto& [force, color] : {std::pair(scene.shared.force_a, kBodyColors[0]),
                                     std::pair(scene.shared.force_b, kBodyColors[1])})
    if (has_direction(force, scene.shared))
      draw_arrow(picture, view, center, force, length, mixed(color, {0, 0, 0}, 0.35));
  const Spot at = spot_of(view, center);
  disc(picture, at, 0.42 * layout.letter + 1.5, kPaper);
  disc(picture, at, 0.42 * layout.letter, kStrong);
}

std::vector<Fact> facts_of(const SphereVolume& shared, std::size_t meeting) {
  const char* how = shared.is_complete ? "" : " (out of time: partly estimated)";
  const auto size_of = [&](const Vec3& force) {
    return fmt::format(
        "{:.4g} m^3{}{}", force.norm(), how,
        has_direction(force, shared) || !shared.center ? "" : " (too small for an arrow)");
  };
  return {{"shared volume", fmt::format("{:.6g} m^3{}", shared.volume, how)},
          {"at least, at most", fmt::format("{:.4g}, {:.4g} m^3", shared.lower, shared.upper)},
          {"spheres that meet", fmt::format("{}", meeting)},
          {"force on A (its arrow: the direction)", size_of(shared.force_a)},
          {"force on B (its arrow: the direction)", size_of(shared.force_b)}};
}

/// The spheres of both bodies that meet.
using MeetingSpheres = std::array<std::vector<PlacedSphere>, 2>;

/// Which body's spheres hide nearly all of the other's.
std::optional<std::size_t> hiding_body(const MeetingSpheres& spheres, const ParallelView& view,
                                       PixelSize size) {
  constexpr double kSeen = 0.1;  // of what would be seen without the other body's spheres
  BallDrawing both(size, view);
  std::array<BallDrawing, 2> alone{BallDrawing(size, view), BallDrawing(size, view)};
  for (const std::uint8_t k : std::array<std::uint8_t, 2>{0, 1})
    for (const PlacedSphere& sphere : spheres[k]) {
      both.draw(sphere, kBodyColors[k], k);
      alone[k].draw(sphere, kBodyColors[k], k);
    }
  for (const std::uint8_t k : std::array<std::uint8_t, 2>{0, 1})
    if (static_cast<double>(both.seen(k)) < kSeen * static_cast<double>(alone[k].seen(k)))
      return 1 - k;
  return std::nullopt;
}

}  // namespace

Picture draw_sphere_overlap(const SphereOverlapScene& scene, PixelSize size) {
  constexpr std::size_t kFacts = 5;
  const PictureLayout layout = layout_with_legend(size, kFacts);
  std::array<TriangleMesh, 2> meshes;
  std::array<std::vector<PlacedSphere>, 2> spheres;
  for (const std::size_t k : {0U, 1U}) {
    const Similarity& pose = scene.bodies[k].world_from_mesh;
    meshes[k] = posed(*scene.bodies[k].mesh, pose);
    spheres[k] = placed_spheres(scene.trees[k], pose);
  }
  const std::array<std::vector<bool>, 2> meet = meeting_spheres(spheres[0], spheres[1]);
  const ParallelView view = overlap_view(meshes, layout);
  MeetingSpheres meeting;
  for (const std::size_t k : {0U, 1U})
    for (std::size_t i = 0; i < spheres[k].size(); ++i)
      if (meet[k][i]) meeting[k].push_back(spheres[k][i]);
  const std::optional<std::size_t> hiding = hiding_body(meeting, view, size);
  BallDrawing drawing(size, view);
  for (const std::size_t k : {0U, 1U}) {
    if (hiding == k)
      drawing.draw_glass(meeting[k], kBodyColors[k]);
    else
      for (const PlacedSphere& sphere : meeting[k]) drawing.draw(sphere, kBodyColors[k]);
    drawing.draw_glass(meshes[k], mixed(kBodyColors[k], kPale, 0.4));
  }
  for (const std::size_t k : {0U, 1U})
    drawing.draw_outline(meshes[k], mixed(kBodyColors[k], {0, 0, 0}, 0.35));
  Picture picture = drawing.picture(kPaper);
  draw_forces(picture, scene, view, layout);
  const auto name_of = [&](std::size_t k) {
    return std::string(k == 0 ? "A " : "B ") + short_name(scene.bodies[k].name) +
           (hiding == k ? ", its spheres as glass" : "");
  };
  std::vector<LegendEntry> legend{{kBodyColors[0], name_of(0)}, {kBodyColors[1], name_of(1)}};
  if (scene.shared.center) legend.push_back({kStrong, "center of what they share"});
  draw_words(picture, scene.title, legend,
             facts_of(scene.shared, meeting[0].size() + meeting[1].size()), layout, view.scale);
  return picture;
}

}  // namespace plimsoll::picture
