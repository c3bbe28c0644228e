#include "mass_scene.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "diagnosis.h"
#include "failure.h"
#include "marked_defects.h"
#include "picture/body_triangles.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

/// A part's triangles in meters; where it has none, those of its box.
picture::BodyTriangles triangles_of(const WeighedShape& body) {
  constexpr double kFlatness = 1e-3;
  picture::BodyTriangles drawn;
  if (!body.mesh) {
    Result<picture::BodyTriangles> found = picture::body_triangles(body.shape, kFlatness);
    if (!found) throw failure_of(found.error());
    drawn = *std::move(found);
  }
  TriangleMesh mesh = body.mesh ? *body.mesh : posed(*drawn.mesh, drawn.body_from_mesh);
  for (Vec3& v : mesh.vertices) v *= body.unit.meters();
  drawn.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  return drawn;
}

Box3 bounds_of(const picture::MassScene& scene) {
  Box3 bounds;
  for (const picture::WeighedPart& part : scene.parts)
    for (const Triangle& t : part.mesh.triangles)
      for (const std::uint32_t v : t) bounds.extend(part.mesh.vertices[v]);
  return bounds;
}

/// The center of mass of a body lies in its bounds. The sums over a surface that bounds nothing may
/// have it anywhere, or nowhere where their volume is 0; there is nothing to be seen of it then.
void add_center(picture::MassScene& scene, const MassProperties& mass, const Box3& bounds) {
  const double size = bounds.diagonal().norm();
  const Vec3& center = mass.center_of_mass;
  if (!center.allFinite() || bounds.exteriorDistance(center) > 1e-9 * size) return;
  scene.center_of_mass = center;
  scene.box = picture::equivalent_box(mass);
  if (scene.box && scene.box->half.maxCoeff() > size) scene.box.reset();
}

void add_wrong(picture::MassScene& scene, std::span<const MarkedDefect> marked) {
  for (const MarkedDefect& defect : marked) {
    const Triangle& t = scene.parts[defect.part].mesh.triangles[defect.triangle];
    picture::WrongPlace wrong{defect.part, defect.at, {t.begin(), t.end()}, 0};
    if (defect.rim != nullptr) {
      wrong.loop = defect.rim->vertices;
      wrong.rim_length = defect.rim->length;
    }
    scene.wrong.push_back(std::move(wrong));
  }
}

std::vector<picture::Fact> facts_of(const MassReport& report, const picture::MassScene& scene,
                                    double size) {
  const MassProperties& mass = report.mass;
  const MassError& error = report.error;
  std::vector<picture::Fact> facts{
      {"volume", certain_digits(mass.volume, error.volume) + " m³"},
      {"mass", certain_digits(mass.mass, error.volume * mass.density) + " kg"}};
  // Four digits, and none of what is far below those of the body.
  const auto shown = [&](int axis) {
    const double x = mass.center_of_mass[axis];
    return std::abs(x) < 1e-6 * size ? 0 : x;
  };
  if (mass.center_of_mass.allFinite())
    facts.emplace_back("center of mass G, m",
                       fmt::format("{:.4g}, {:.4g}, {:.4g}", shown(0), shown(1), shown(2)));
  if (scene.box) {
    const Vec3 edges = 2 * scene.box->half;
    facts.emplace_back("box of that mass and moments, m",
                       fmt::format("{:.4g} x {:.4g} x {:.4g}", edges[0], edges[1], edges[2]));
  }
  facts.emplace_back("density", certain_digits(mass.density, 0) + " kg/m³");
  if (const std::optional<PrincipalAxes> axes = axes_of(mass)) {
    constexpr std::array<const char*, 3> kNames{"moment about I", "moment about II",
                                                "moment about III"};
    for (std::size_t k = 0; k < 3; ++k)
      facts.emplace_back(kNames[k], certain_digits(axes->moments[static_cast<int>(k)],
                                                   moment_bound(*axes, error)) +
                                        " kg m²");
  }
  return facts;
}

std::string title_of(const MassReport& report) {
  if (report.is_assembly()) return fmt::format("assembly of {} parts", report.parts.size());
  const std::string& name = report.parts.front().name;
  return name == "-" ? "standard input" : std::filesystem::path(name).filename().string();
}

}  // namespace

picture::MassScene mass_scene(const Weighing& weighing) {
  const MassReport& report = weighing.report;
  picture::MassScene scene;
  bool has_boxes = false, more = false;
  for (std::size_t p = 0; p < weighing.bodies.size(); ++p) {
    const picture::BodyTriangles drawn = triangles_of(weighing.bodies[p]);
    scene.parts.push_back({*drawn.mesh, report.parts[p].mass.inverted});
    has_boxes = has_boxes || drawn.is_box;
  }
  const Box3 bounds = bounds_of(scene);
  add_center(scene, report.mass, bounds);
  add_wrong(scene, marked_defects(report, more));
  scene.title = title_of(report);
  scene.is_sound = is_sound(report.status);
  if (!scene.is_sound)
    scene.remark = fmt::format("{}: {}", to_string(report.status), in_words(report.status));
  if (more) scene.remark += fmt::format("; the first {} places are marked", scene.wrong.size());
  if (has_boxes)
    scene.remark += fmt::format("{}drawn as its bounds, for it has no triangles",
                                scene.remark.empty() ? "" : "; ");
  scene.facts = facts_of(report, scene, bounds.diagonal().norm());
  return scene;
}

}  // namespace plimsoll::cli
