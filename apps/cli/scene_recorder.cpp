#include "scene_recorder.h"

#include <fmt/format.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape_mesh.h>

#include <array>
#include <filesystem>
#include <map>
#include <system_error>

#include "failure.h"
#include "file_writer.h"
#include "output.h"
#include "png_writer.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr std::array<Color, 6> kPalette{{{214, 93, 68},
                                         {232, 178, 62},
                                         {118, 168, 88},
                                         {196, 140, 190},
                                         {222, 214, 198},
                                         {150, 120, 96}}};

/// "duck" of "duck[3]": one color for all of a kind.
std::string kind_of(const std::string& name) { return name.substr(0, name.find('[')); }

TriangleMesh box_of(const Shape& shape) {
  const Box3 box = bounding_box(shape);
  TriangleMesh mesh = make_box(box.sizes());
  for (Vec3& v : mesh.vertices) v += box.center();
  return mesh;
}

/// In the frame of the body. Meshes are drawn as they are, others to a two-thousandth of their
/// size.
TriangleMesh triangles_of(const Shape& shape, const std::string& name) {
  const Result<std::optional<ShapeMesh>> drawn =
      to_triangles(shape, bounding_box(shape).diagonal().norm() / 2000);
  if (!drawn) throw failure_of(drawn.error());
  if (*drawn) return (*drawn)->mesh;
  print_message(fmt::format(
      "plimsoll: simulate: {}: formulas and Booleans have no triangles: drawn as its box",
      printable(name)));
  return box_of(shape);
}

}  // namespace

SceneRecorder::SceneRecorder(const std::string& folder, const Scene& scene, const World& world,
                             PixelSize size)
    : folder_(folder), size_(size) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw output_failure(folder, failure.message());
  if (std::filesystem::exists(folder_ + "/frame_00000.png"))
    throw usage_failure("found the frames of an earlier recording, expected a folder without",
                        folder);
  std::map<std::string, Color> colors;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string& name = scene.bodies[i].name;
    const Color next = kPalette[colors.size() % kPalette.size()];
    const Color color = colors.try_emplace(kind_of(name), next).first->second;
    const Shape& shape = world.shape(i);
    bodies_.push_back({nullptr, Eigen::Affine3d::Identity(), color});
    body_from_mesh_.push_back(Eigen::Affine3d::Identity());
    if (const auto* solid = std::get_if<MeshSolid>(&shape.solid)) {
      bodies_[i].mesh = solid->mesh;
      body_from_mesh_[i] = shape.pose;
    } else {
      bodies_[i].mesh = std::make_shared<const TriangleMesh>(triangles_of(shape, name));
    }
    const Box3 box = bounding_box(shape);
    for (int corner = 0; corner < 8; ++corner)
      corners.push_back(world.body(i).pose * box.corner(static_cast<Box3::CornerType>(corner)));
  }
  view_ = scene_view(corners, size);
}

void SceneRecorder::add(const World& world) {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    bodies_[i].world_from_mesh = world.body(i).pose * body_from_mesh_[i];
  const Environment& environment = world.environment();
  const SurfaceNow surface(environment.surface, world.time(), environment.gravity);
  const bool has_water = environment.fluid_density > 0;
  const Picture picture = draw_scene(bodies_, has_water ? &surface : nullptr, view_, size_);
  write_png(picture, fmt::format("{}/frame_{:05}.png", folder_, frames_++));
}

}  // namespace plimsoll::cli
