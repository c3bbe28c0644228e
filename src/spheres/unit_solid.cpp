#include "spheres/unit_solid.h"

#include "core/power_of_two.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

Vec3 scaled(const Vec3& point, int exponent) {
  return point.unaryExpr([exponent](double x) { return times_power_of_two(x, exponent); });
}

}  // namespace

UnitSolid::UnitSolid(const CheckedMesh& mesh, const std::optional<HalfSpace>& keep) {
  const MeshView& view = mesh.view();
  Box3 box;
  for (std::size_t t = 0; t < view.triangle_count(); ++t)
    for (const std::uint32_t v : view.triangle(t)) box.extend(view.vertex(v));
  const double size = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  exponent = size > 0 ? exponent_of(size) : 0;
  TriangleMesh unit;
  unit.vertices.reserve(view.vertex_count());
  for (std::size_t v = 0; v < view.vertex_count(); ++v)
    unit.vertices.push_back(scaled(view.vertex(v), -exponent));
  unit.triangles.reserve(view.triangle_count());
  for (std::size_t t = 0; t < view.triangle_count(); ++t)
    unit.triangles.push_back(view.triangle(t));
  tree = make_triangle_tree(unit, TreeQuality::kTight);
  if (!keep) return;
  // A point of the plane tells where it is. Products of coordinates and sums of three are rounded
  // by 4 units in the last place of what goes into them.
  const double largest = keep->normal.cwiseAbs().maxCoeff();
  const Vec3 normal = keep->normal / largest;
  const double length = normal.norm();
  const Vec3 on_plane = scaled(keep->offset / largest / length * (normal / length), -exponent);
  const Vec3 from_center = tree.frame.from_center(on_plane);
  if (!from_center.allFinite()) return;  // too far away to cut anything
  kept.emplace();
  kept->normal = normal / length;
  kept->rounding =
      0x1p-50 * (2 * on_plane.lpNorm<1>() + from_center.lpNorm<1>() + 2 * tree.frame.reach);
  kept->offset = kept->normal.dot(from_center) + kept->rounding;
}

Vec3 UnitSolid::from_mesh(const Vec3& point) const {
  return tree.frame.from_center(scaled(point, -exponent));
}

Vec3 UnitSolid::to_mesh(const Vec3& point) const {
  return scaled(tree.frame.to_meters(point), exponent);
}

double UnitSolid::to_mesh(double length) const { return times_power_of_two(length, exponent); }

bool UnitSolid::contains(const Vec3& point) const {
  return winding_number({&tree, Similarity::Identity()}, tree.frame.to_meters(point)) != 0;
}

}  // namespace plimsoll
