#include "floating_scene.h"

#include <plimsoll/shape_mesh.h>

#include "failure.h"

namespace plimsoll::cli {

Pose water_from_solved(const FloatingState& state) {
  Mat3 rotation;
  rotation.row(2) = state.up;
  rotation.row(0) = state.heel_axes.row(0);
  rotation.row(1) = state.up.cross(rotation.row(0).transpose());
  Pose pose = Pose::Identity();
  pose.linear() = rotation;
  pose.translation() = Vec3(0, 0, -state.level);
  return pose;
}

FloatingScene floating_scene(const Shape& shape, const Pose& water_from_body, const Submersion& wet,
                             const Vec3& center_of_mass) {
  const double flatness = 1e-3 * bounding_box(shape).diagonal().norm();
  Result<std::optional<ShapeMesh>> drawn = to_triangles(shape, flatness);
  if (!drawn) throw failure_of(drawn.error());
  if (!*drawn)
    throw failure_of(
        {ErrorCode::kUnavailable, "formulas and Booleans have no triangles to draw", "shape"});
  FloatingScene scene;
  scene.mesh = std::move((*drawn)->mesh);
  for (Vec3& v : scene.mesh.vertices) v = water_from_body * v;
  scene.center_of_mass = water_from_body * center_of_mass;
  scene.center_of_buoyancy = water_from_body * wet.center_of_buoyancy;
  scene.waterplane_center = water_from_body * wet.waterplane.center;
  return scene;
}

}  // namespace plimsoll::cli
