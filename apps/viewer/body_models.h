// The bodies as triangles: to draw, to pick, to peel.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/world.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camera.h"
#include "picture/picture.h"

namespace plimsoll::viewer {

struct BodyModel {
  std::shared_ptr<const TriangleMesh> mesh;  ///< Shared by bodies of one mesh.
  Similarity body_from_mesh = Similarity::Identity();
  Box3 box;  ///< Of the mesh.
  picture::Color color;
  bool is_box = false;  ///< Formulas and Booleans have no triangles: their box stands for them.
};

/// One for each body. Meshes are as they are, others within a two-hundredth of their size. Throws
/// cli::Failure.
[[nodiscard]] std::vector<BodyModel> make_models(const World& world,
                                                 const std::vector<RigidBody>& bodies);

/// The box of all of them, in these poses.
[[nodiscard]] Box3 bounding_box(const std::vector<BodyModel>& models, std::span<const Pose> poses);

struct Picked {
  std::size_t body = 0;       ///< By its order in the world.
  Vec3 point = Vec3::Zero();  ///< In the world.
  double distance = 0;        ///< From the ray's origin.
};

/// The first body that the ray meets, in these poses.
[[nodiscard]] std::optional<Picked> pick(const Ray& ray, const std::vector<BodyModel>& models,
                                         std::span<const Pose> poses);

[[nodiscard]] Similarity world_from_mesh(const BodyModel& model, const Pose& world_from_body);

/// The triangles of a body where it is now.
[[nodiscard]] TriangleMesh posed_mesh(const BodyModel& model, const Pose& world_from_body);

}  // namespace plimsoll::viewer
