#include "cull/cull_scene.h"

#include <plimsoll/shape.h>

#include <algorithm>
#include <string>

#include "mesh/posed_vertex.h"
#include "tree/triangle_order.h"

namespace plimsoll {
namespace {

constexpr double kLargest = 1e300;  // as PairSearch

/// Its triangles along a curve that keeps neighbors together.
std::vector<std::uint32_t> order_of(const MeshView& mesh, TriangleOrder& orders) {
  Box3 box;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) box.extend(mesh.vertex(v));
  const BodyFrame frame = body_frame(box);
  std::vector<FloatRow> rows(mesh.vertex_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) {
      const Vec3 p = frame.from_center(mesh.vertex(v));
      for (int k = 0; k < 3; ++k)
        rows[v].x[k] = std::clamp(static_cast<float>(p[k]), static_cast<float>(-frame.reach),
                                  static_cast<float>(frame.reach));
    }
  const std::span<const std::uint32_t> order =
      orders.along_curve(mesh, rows, frame.reach, {mesh.triangle_count(), nullptr});
  return {order.begin(), order.end()};
}

}  // namespace

Result<void> check_cull_body(const CullBody& body, const std::string& where) {
  if (Result<void> usable = check_pose(body.world_from_body); !usable)
    return Error{ErrorCode::kInvalidArgument, usable.error().message, where};
  if (body.mesh.view().triangle_count() == 0) return {};
  const Box3 box = bounding_box(body.mesh);
  const Vec3 reach = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
  const Similarity& pose = body.world_from_body;
  const double largest =
      (pose.linear().cwiseAbs() * reach + pose.translation().cwiseAbs()).maxCoeff();
  if (largest <= kLargest) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a pose that may take a vertex beyond 1e300, expected smaller coordinates",
               where};
}

Result<void> check_cull_bodies(std::span<const CullBody> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (Result<void> usable = check_cull_body(bodies[i], "body " + std::to_string(i)); !usable)
      return usable;
  return {};
}

std::array<Vec3, 3> posed_corners(const CullBody& body, std::size_t triangle) {
  std::array<Vec3, 3> corners;
  const Triangle of = body.mesh.view().triangle(triangle);
  for (std::size_t i = 0; i < 3; ++i)
    corners[i] = posed_vertex(body.mesh.view().vertex(of[i]), body.world_from_body);
  return corners;
}

Result<CullScene> CullScene::create(std::span<const CullBody> bodies) {
  if (Result<void> usable = check_cull_bodies(bodies); !usable) return usable.error();
  CullScene scene;
  scene.body_count = bodies.size();
  TriangleOrder orders;
  Box3 box;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t count = bodies[i].mesh.view().triangle_count();
    if (count == 0) continue;
    scene.bodies.push_back({static_cast<std::uint32_t>(i), scene.numbers.size(), count});
    for (const std::uint32_t t : order_of(bodies[i].mesh.view(), orders)) {
      scene.numbers.push_back(t);
      scene.corners.push_back(posed_corners(bodies[i], t));
      for (const Vec3& p : scene.corners.back()) box.extend(p);
    }
  }
  scene.frame = body_frame(box);
  for (std::array<Vec3, 3>& corners : scene.corners)
    for (Vec3& p : corners) p = scene.frame.from_center(p);
  return scene;
}

std::vector<CullPart> CullScene::cut(std::span<const CullPart> parts, std::size_t triangles) const {
  std::vector<CullPart> pieces;
  for (const CullPart& part : parts)
    for (std::size_t i = 0; i < part.count; i += triangles)
      pieces.push_back(
          {part.body, part.first + i, std::min(triangles, part.count - i), part.may_touch});
  return pieces;
}

std::vector<std::vector<std::uint32_t>> CullScene::numbers_of(
    std::span<const CullPart> parts) const {
  std::vector<std::vector<std::uint32_t>> of_body(body_count);
  for (const CullPart& part : parts)
    for (std::size_t i = 0; i < part.count; ++i)
      of_body[part.body].push_back(numbers[part.first + i]);
  for (std::vector<std::uint32_t>& of : of_body) std::sort(of.begin(), of.end());
  return of_body;
}

}  // namespace plimsoll
