#include "scene_recorder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "failure.h"
#include "file_writer.h"
#include "output.h"
#include "picture/body_triangles.h"
#include "picture/picture_scale.h"
#include "picture_file.h"
#include "text.h"

namespace plimsoll::cli {
SceneRecorder::SceneRecorder(const std::string& folder, const Scene& scene, const World& world,
                             picture::PixelSize size)
    : folder_(folder), size_(size) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw output_failure(folder, failure);
  if (std::filesystem::exists(folder_ + "/frame_00000.png"))
    throw usage_failure("found the frames of an earlier recording, expected a folder without",
                        folder);
  check_font();
  picture::KindColors colors;
  std::vector<Vec3> corners;
  const std::vector<BodyId> ids = world.ids();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string& name = scene.bodies[i].name;
    const Shape shape = *world.shape(ids[i]);
    const Result<picture::BodyTriangles> drawn = picture::body_triangles(shape, 1.0 / 2000);
    if (!drawn) throw failure_of(drawn.error());
    if (drawn->is_box)
      print_message(fmt::format(
          "plimsoll: simulate: {}: formulas and Booleans have no triangles: drawn as its box",
          printable(name)));
    bodies_.push_back({drawn->mesh, Similarity::Identity(), colors.of(name)});
    body_from_mesh_.push_back(drawn->body_from_mesh);
    const Box3 box = bounding_box(shape);
    for (int corner = 0; corner < 8; ++corner)
      corners.push_back(world.body(ids[i])->pose *
                        box.corner(static_cast<Box3::CornerType>(corner)));
  }
  view_ = picture::scene_view(corners, size);
}

void SceneRecorder::add(const World& world) {
  const std::vector<BodyId> ids = world.ids();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    bodies_[i].world_from_mesh = world.body(ids[i])->pose * body_from_mesh_[i];
  const SurfaceNow surface = world.surface();
  const bool has_water = world.environment().fluid_density > 0;
  picture::Picture picture =
      picture::draw_scene(bodies_, has_water ? &surface : nullptr, view_, size_);
  picture::write_caption(picture, fmt::format("t = {:.3f} s", world.time()));
  picture::draw_scale_bar(picture, view_.scale);
  write_png(picture, fmt::format("{}/frame_{:05}.png", folder_, frames_++));
}

}  // namespace plimsoll::cli
