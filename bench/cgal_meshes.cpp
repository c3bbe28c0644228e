#include "cgal_meshes.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Surface_mesh_simplification/Policies/Edge_collapse/Count_stop_predicate.h>
#include <CGAL/Surface_mesh_simplification/edge_collapse.h>
#include <CGAL/convex_hull_3.h>

#include <vector>

namespace plimsoll::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

TriangleMesh converted(const Mesh& from) {
  TriangleMesh mesh;
  for (const Mesh::Vertex_index v : from.vertices()) {
    const Kernel::Point_3& p = from.point(v);
    mesh.vertices.emplace_back(p.x(), p.y(), p.z());
  }
  for (const Mesh::Face_index face : from.faces()) {
    Triangle triangle{};
    std::size_t corner = 0;
    for (const Mesh::Vertex_index v : from.vertices_around_face(from.halfedge(face)))
      triangle[corner++] = v;
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace

TriangleMesh convex_hull(std::span<const Vec3> points) {
  std::vector<Kernel::Point_3> from;
  for (const Vec3& p : points) from.emplace_back(p.x(), p.y(), p.z());
  Mesh hull;
  CGAL::convex_hull_3(from.begin(), from.end(), hull);
  return converted(hull);
}

TriangleMesh simplify(const TriangleMesh& mesh, std::size_t triangles) {
  namespace simplification = CGAL::Surface_mesh_simplification;
  Mesh coarse;
  for (const Vec3& v : mesh.vertices) coarse.add_vertex({v.x(), v.y(), v.z()});
  for (const auto& [a, b, c] : mesh.triangles)
    coarse.add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c));
  const std::size_t edges = triangles / 2 * 3;
  // Collapsing stops when there are fewer edges than it is given.
  simplification::edge_collapse(coarse, simplification::Count_stop_predicate<Mesh>(edges + 1));
  coarse.collect_garbage();
  return converted(coarse);
}

}  // namespace plimsoll::bench
