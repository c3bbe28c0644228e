#include "scene_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "failure.h"
#include "file_writer.h"
#include "output.h"
#include "picture/body_triangles.h"
#include "picture/force_measure.h"
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
  heaviest_ = picture::heaviest_weight(world);
}

/// What bodies that touch push each other with, and where their surfaces cross as they are drawn. A
/// weight of the heaviest body is a sixth of the picture's height. A contact whose curve cannot be
/// had, for a body is no solid or it takes too long, has its arrows alone.
void SceneRecorder::draw_contacts(const World& world, picture::Picture& picture) {
  picture::ContactMarks marks;
  const std::vector<BodyId> ids = world.ids();
  const auto place_of = [&](BodyId id) {
    return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
  };
  for (const BodyContact& contact : world.contacts()) {
    const std::size_t a = place_of(contact.a), b = place_of(contact.b);
    for (const auto& [body, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)})
      if (!world.is_kinematic(ids[body]))
        marks.pushes.push_back({contact.center, sign * contact.force});
    const auto curve = crossings_.of({"", bodies_[a].mesh, bodies_[a].world_from_mesh},
                                     {"", bodies_[b].mesh, bodies_[b].world_from_mesh});
    if (curve) marks.crossings.insert(marks.crossings.end(), curve->begin(), curve->end());
  }
  picture::draw_contacts(picture, view_, marks, size_.height / 6.0 / heaviest_);
}

void SceneRecorder::add(const World& world) {
  const std::vector<BodyId> ids = world.ids();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    bodies_[i].world_from_mesh = world.body(ids[i])->pose * body_from_mesh_[i];
  const SurfaceNow surface = world.surface();
  const bool has_water = world.environment().fluid_density > 0;
  picture::Picture picture =
      picture::draw_scene(bodies_, has_water ? &surface : nullptr, view_, size_);
  draw_contacts(world, picture);
  picture::write_caption(picture, fmt::format("t = {:.3f} s", world.time()));
  picture::draw_scale_bar(picture, view_.scale);
  write_png(picture, fmt::format("{}/frame_{:05}.png", folder_, frames_++));
}

}  // namespace plimsoll::cli
