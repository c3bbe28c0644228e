#include "spheres/unit_solid.h"

#include "core/power_of_two.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

Vec3 scaled(const Vec3& point, int exponent) {
  return point.unaryExpr([exponent](double x) { return times_power_of_two(x, exponent); });
}

}  // namespace

UnitSolid::UnitSolid(const CheckedMesh& mesh) {
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
