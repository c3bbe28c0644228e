#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <cmath>
#include <memory>
#include <vector>

#include "probe_systems.h"

namespace plimsoll::bench {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

struct Surface {
  Triangles triangles;
  Tree tree;
};

Kernel::Point_3 point_of(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

PointSystem cgal_point_system(const TriangleMesh& mesh) {
  auto surface = std::make_shared<Surface>();
  for (const auto& [a, b, c] : mesh.triangles)
    surface->triangles.emplace_back(point_of(mesh.vertices[a]), point_of(mesh.vertices[b]),
                                    point_of(mesh.vertices[c]));
  surface->tree.insert(surface->triangles.begin(), surface->triangles.end());
  surface->tree.build();
  surface->tree.accelerate_distance_queries();
  return {
      "cgal_aabb_tree",
      [surface](const Vec3& p) { return std::sqrt(surface->tree.squared_distance(point_of(p))); },
      1e-9};
}

}  // namespace plimsoll::bench
