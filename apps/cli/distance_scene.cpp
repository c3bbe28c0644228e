#include "distance_scene.h"

#include <fmt/format.h>

#include <variant>

#include "diagnosis.h"

namespace plimsoll::cli {
namespace {

picture::PlacedMesh placed(const Body& body) {
  return {body.name, std::get<MeshSolid>(body.shape.solid).mesh, body.pose};
}

std::string title_of(const DistanceReport& report) {
  std::string title = relation(report);
  if (!report.surfaces.nearest)
    title += ": there are no nearest points to draw";
  else if (report.surfaces.distance > 0)
    title = fmt::format("{:.6g} m from surface to surface: {}", report.surfaces.distance, title);
  // Of an open mesh that is apart the relation says so already.
  const bool is_said = report.status == Status::kOpen && !report.is_of_solids();
  if (!is_sound(report.status) && !is_said)
    title += fmt::format(" (of a mesh, {})", in_words(report.status));
  return title;
}

std::string title_of(const SphereDistanceReport& report) {
  const char* const within = report.is_within() ? ": one body lies in the other" : "";
  std::string title =
      fmt::format("{:.6g} m by spheres and triangles{}", report.found.distance, within);
  if (report.found.spheres_meet)
    title = "spheres of the bodies meet: there are no nearest points to draw";
  else if (report.is_out_of_time())
    title = fmt::format("between {:.6g} and {:.6g} m by spheres and triangles: out of time",
                        report.bounds()[0], report.bounds()[1]);
  else if (!report.has_points())
    title = report.is_within()
                ? "one body lies in the other: the nearest points of the surfaces are not known"
                : "the surfaces touch or cross: there are no nearest points to draw";
  if (!is_sound(report.packed.status))
    title += fmt::format(" (of a mesh, {})", in_words(report.packed.status));
  return title;
}

}  // namespace

picture::DistanceScene distance_scene(const DistanceReport& report) {
  picture::DistanceScene scene;
  scene.bodies = {placed(report.bodies[0]), placed(report.bodies[1])};
  scene.surfaces = report.surfaces;
  if (report.is_of_solids()) scene.solid_distance = report.distance;
  scene.is_within = report.which && *report.which != Containment::kNone;
  scene.title = title_of(report);
  return scene;
}

picture::DistanceScene distance_scene(const SphereDistanceReport& report) {
  const SphereTreeDistance& found = report.found;
  picture::DistanceScene scene;
  scene.bodies = {placed(report.packed.bodies[0]), placed(report.packed.bodies[1])};
  if (report.has_surfaces() || report.is_out_of_time()) scene.surfaces.distance = found.distance;
  if (report.has_points()) {
    scene.surfaces.nearest.emplace();
    scene.surfaces.nearest->on_a.at = *found.point_a;
    scene.surfaces.nearest->on_b.at = *found.point_b;
  }
  if (report.is_out_of_time())
    scene.solid_bounds = report.bounds();
  else if (found.spheres_meet || report.which)
    scene.solid_distance = report.distance();
  scene.is_within = report.is_within();
  scene.title = title_of(report);
  return scene;
}

}  // namespace plimsoll::cli
