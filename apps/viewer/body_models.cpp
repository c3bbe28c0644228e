#include "body_models.h"

#include <array>
#include <limits>

#include "cli/failure.h"
#include "picture/body_triangles.h"

namespace plimsoll::viewer {
namespace {

/// Whether o + t d is in the box for some t > 0.
bool meets(const Vec3& o, const Vec3& d, const Box3& box) {
  double first = 0, last = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double a = (box.min()[axis] - o[axis]) / d[axis];
    const double b = (box.max()[axis] - o[axis]) / d[axis];
    if (d[axis] == 0) {
      if (o[axis] < box.min()[axis] || o[axis] > box.max()[axis]) return false;
      continue;
    }
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  return first <= last;
}

/// The least t > 0 with o + t d on the triangle (Cramer's rule on o + t d = a + u e + v f).
std::optional<double> meet(const Vec3& o, const Vec3& d, const std::array<Vec3, 3>& p) {
  const Vec3 e = p[1] - p[0], f = p[2] - p[0], h = d.cross(f);
  const double determinant = e.dot(h);
  if (determinant == 0) return std::nullopt;
  const Vec3 s = o - p[0], q = s.cross(e);
  const double u = s.dot(h) / determinant, v = d.dot(q) / determinant;
  const double t = f.dot(q) / determinant;
  if (u < 0 || v < 0 || u + v > 1 || !(t > 0)) return std::nullopt;
  return t;
}

}  // namespace

Similarity world_from_mesh(const BodyModel& model, const Pose& world_from_body) {
  return Similarity(world_from_body) * model.body_from_mesh;
}

std::vector<BodyModel> make_models(const World& world, const std::vector<RigidBody>& bodies) {
  std::vector<BodyModel> models;
  picture::KindColors colors;
  const std::vector<BodyId> ids = world.ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Result<picture::BodyTriangles> drawn =
        picture::body_triangles(*world.shape(ids[i]), 1.0 / 200);
    if (!drawn) throw cli::failure_of(drawn.error());
    models.push_back({drawn->mesh, drawn->body_from_mesh,
                      plimsoll::bounding_box(CheckedMesh::borrow(*drawn->mesh).value()),
                      colors.of(bodies[i].name), drawn->is_box});
  }
  return models;
}

Box3 bounding_box(const std::vector<BodyModel>& models, std::span<const Pose> poses) {
  Box3 box;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Similarity pose = world_from_mesh(models[i], poses[i]);
    for (int corner = 0; corner < 8; ++corner)
      box.extend(pose * models[i].box.corner(static_cast<Box3::CornerType>(corner)));
  }
  return box;
}

std::optional<Picked> pick(const Ray& ray, const std::vector<BodyModel>& models,
                           std::span<const Pose> poses) {
  std::optional<Picked> nearest;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Similarity mesh_from_world = world_from_mesh(models[i], poses[i]).inverse();
    const Vec3 o = mesh_from_world * ray.origin, d = mesh_from_world.linear() * ray.direction;
    if (!meets(o, d, models[i].box)) continue;
    const TriangleMesh& mesh = *models[i].mesh;
    for (const Triangle& t : mesh.triangles) {
      const auto at = meet(o, d, {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
      if (at && (!nearest || *at < nearest->distance))
        nearest = Picked{i, ray.origin + *at * ray.direction, *at};
    }
  }
  return nearest;
}

TriangleMesh posed_mesh(const BodyModel& model, const Pose& world_from_body) {
  return posed(*model.mesh, world_from_mesh(model, world_from_body));
}

}  // namespace plimsoll::viewer
