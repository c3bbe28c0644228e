// The image engine's columns of what is under water. With the height z over the plane for depth, a
// column's share of the volume is the sum of sgn(n_z) min(z, 0) over its faces: faces above the
// water count as if they lay in it. A mesh whose vertices above the plane are moved down onto it,
// after its triangles have been cut there, has just these columns, whatever engine sums them; so
// the fluid needs no pass of its own, and no rule where to draw its surface [Kim2006, sec. 5.2].
#include <plimsoll/water_image.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hydro/water_plane.h"
#include "mesh/edges.h"
#include "mesh/trusted_mesh.h"
#include "shape/shape_box.h"

namespace plimsoll {
namespace {

/// The corners of a triangle with those where its edges cross z = 0, in order, all of them pressed
/// down to z <= 0: the polygon below the plane and the one that was above it.
struct Pieces {
  std::vector<Vec3> below, above;
};

Pieces cut_at_zero(const std::array<Vec3, 3>& corners) {
  Pieces pieces;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &a = corners[i], &b = corners[(i + 1) % 3];
    const auto pressed = [](const Vec3& p) { return Vec3(p[0], p[1], 0); };
    if (a[2] <= 0) pieces.below.push_back(a);
    if (a[2] >= 0) pieces.above.push_back(pressed(a));
    if ((a[2] < 0 && b[2] > 0) || (a[2] > 0 && b[2] < 0)) {
      // From the lower end, so that both triangles at the edge get the same point.
      const auto& [low, high] = a[2] < 0 ? std::pair(a, b) : std::pair(b, a);
      const Vec3 at = pressed(low + (high - low) * (low[2] / (low[2] - high[2])));
      pieces.below.push_back(at);
      pieces.above.push_back(at);
    }
  }
  return pieces;
}

void add_fan(const std::vector<Vec3>& polygon, TriangleMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  if (polygon.size() < 3) return;
  mesh.vertices.insert(mesh.vertices.end(), polygon.begin(), polygon.end());
  for (std::uint32_t k = 2; k < polygon.size(); ++k)
    mesh.triangles.push_back({first, first + k - 1, first + k});
}

/// Closes what is open in the plane, as the rim of a hull is that is dry: each edge there that is
/// run along more often one way than the other gets triangles to one vertex. They lie in the plane,
/// and add nothing to any column but the faces that it lacks.
void close_in_plane(TriangleMesh& mesh) {
  const MeshView view(mesh);
  const Edges edges = find_edges(view);
  if (edges.are_balanced()) return;
  const auto in_plane = [&](std::uint32_t v) { return mesh.vertices[v][2] == 0; };
  std::optional<std::uint32_t> apex;
  std::vector<Triangle> lid;
  const auto close = [&](std::uint32_t h, int times) {
    std::uint32_t from = start_of(view, h), to = end_of(view, h);
    if (!in_plane(from) || !in_plane(to)) return;
    if (!apex) apex = from;
    if (times < 0) std::swap(from, to);
    if (from == *apex || to == *apex) return;
    lid.insert(lid.end(), static_cast<std::size_t>(std::abs(times)), {to, from, *apex});
  };
  for (const std::uint32_t h : edges.boundary) close(h, 1);
  for (const std::uint32_t h : edges.inconsistent) close(h, 2);
  for (std::size_t i = 0; i < edges.fan_count(); ++i) {
    const std::span<const std::uint32_t> fan = edges.fan(i);
    int balance = 0;
    for (const std::uint32_t h : fan)
      balance += start_of(view, h) == start_of(view, fan.front()) ? 1 : -1;
    close(fan.front(), balance);
  }
  mesh.triangles.insert(mesh.triangles.end(), lid.begin(), lid.end());
}

/// What of the mesh is below z = 0.
TriangleMesh pressed_under_zero(const TriangleMesh& mesh) {
  TriangleMesh wet;
  for (const Triangle& t : mesh.triangles) {
    std::array<Vec3, 3> corners;
    for (int k = 0; k < 3; ++k) corners[k] = mesh.vertices[t[k]];
    const bool is_wet = corners[0][2] <= 0 && corners[1][2] <= 0 && corners[2][2] <= 0;
    const Pieces pieces = cut_at_zero(corners);
    add_fan(pieces.below, wet);
    if (!is_wet) add_fan(pieces.above, wet);
  }
  wet = weld(trusted(wet));
  close_in_plane(wet);
  return wet;
}

/// The part of the shape below z = 0; the shape itself where it is empty, a point, or endless.
Shape under_zero(const Shape& shape) {
  const Box3 box = box_of_checked(shape);
  const double size = box.isEmpty() ? 0 : box.sizes().stableNorm();
  if (!(size > 0) || !std::isfinite(3 * size)) return shape;
  const double bottom = std::min(box.min()[2], 0.0) - size;
  Shape half{BoxSolid{{3 * size, 3 * size, -bottom}}};
  half.pose.translation() = Vec3(box.center()[0], box.center()[1], bottom / 2);
  return {Boolean{BooleanOperation::kIntersection, {shape, half}}};
}

/// Two axes in the plane that has the unit normal, and that.
Mat3 axes_of_plane(const Vec3& normal) {
  const Vec3 u = normal.unitOrthogonal();
  Mat3 axes;
  axes << u, normal.cross(u), normal;
  return axes;
}

/// A point of the shape's box, and how far any other is from it at most.
struct Surroundings {
  Vec3 middle = Vec3::Zero();
  double size = 0;
};

Surroundings surroundings(const Shape& shape) {
  const Box3 box = box_of_checked(shape);
  if (box.isEmpty()) return {};
  return {box.min() + box.sizes() / 2, box.sizes().stableNorm()};
}

/// The mesh where `pose` takes its vertices after `by` was taken off. Differences with a point of
/// the box are rounded to 2^-53 of its size, which `size` is, and normals and levels to a few of
/// these.
MeshSolid moved(const MeshSolid& solid, const Surroundings& around, const Similarity& pose) {
  TriangleMesh mesh = *solid.mesh;
  for (Vec3& v : mesh.vertices) v -= around.middle;
  constexpr double kRounding = 0x1p-50;
  return posed(MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh)),
                         solid.vertex_error + kRounding * around.size},
               pose);
}

}  // namespace

Result<Pose> water_frame(const WaterPlane& water) {
  if (!is_plane(water)) return no_plane();
  const double length = water.normal.stableNorm();
  const Vec3 normal = water.normal / length;
  Pose world_from_water = Pose::Identity();
  world_from_water.linear() = axes_of_plane(normal);
  world_from_water.translation() = normal * (water.offset / length);
  return world_from_water;
}

Result<ShapeInWater> in_water_frame(const Shape& shape, const WaterPlane& water) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (!is_plane(water)) return no_plane();
  const Surroundings around = surroundings(shape);
  const WaterPlane above = plane_in_body(water, Mat3::Identity(), around.middle);
  if (std::isnan(above.offset)) return too_far_apart();
  const double level = std::clamp(above.offset, -around.size, around.size);
  ShapeInWater found{shape};
  Similarity water_from_middle = Similarity::Identity();
  water_from_middle.linear() = axes_of_plane(above.normal).transpose();
  water_from_middle.translation() = Vec3(0, 0, -level);
  if (auto* mesh = std::get_if<MeshSolid>(&found.shape.solid)) {
    *mesh = moved(posed(*mesh, shape.pose), around, water_from_middle);
    found.shape.pose.setIdentity();
  } else {
    found.shape.pose.translation() -= around.middle;
    found.shape.pose = water_from_middle * found.shape.pose;
  }
  found.world_from_water.linear() = water_from_middle.linear().transpose();
  found.world_from_water.translation() = around.middle + level * above.normal;
  return found;
}

Result<ShapeInWater> wet_columns(const Shape& shape, const WaterPlane& water) {
  if (std::holds_alternative<PatchSolid>(shape.solid))
    return Error{ErrorCode::kUnavailable, "patches have to be made triangles first", "shape"};
  Result<ShapeInWater> found = in_water_frame(shape, water);
  if (!found) return found;
  if (auto* mesh = std::get_if<MeshSolid>(&found->shape.solid))
    mesh->mesh = std::make_shared<const TriangleMesh>(pressed_under_zero(*mesh->mesh));
  else
    found->shape = under_zero(found->shape);
  return found;
}

}  // namespace plimsoll
