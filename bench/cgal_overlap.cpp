#include "cgal_overlap.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>

#include <cstdlib>
#include <vector>

namespace plimsoll::bench {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

Mesh converted(const TriangleMesh& from, const Similarity& pose) {
  Mesh mesh;
  for (const Vec3& v : from.vertices) {
    const Vec3 at = pose * v;
    mesh.add_vertex({at.x(), at.y(), at.z()});
  }
  for (const auto& [a, b, c] : from.triangles)
    if (mesh.add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c)) ==
        Mesh::null_face())
      std::abort();
  return mesh;
}

double volume_of(const Mesh& mesh) {
  if (mesh.is_empty()) return 0;
  std::vector<Vec3> corners;
  for (const Mesh::Vertex_index v : mesh.vertices()) {
    const Kernel::Point_3& p = mesh.point(v);
    corners.emplace_back(CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z()));
  }
  double six_volumes = 0;
  for (const Mesh::Face_index face : mesh.faces()) {
    Vec3 of[3];
    std::size_t corner = 0;
    for (const Mesh::Vertex_index v : mesh.vertices_around_face(mesh.halfedge(face)))
      of[corner++] = corners[v] - corners.front();
    six_volumes += of[0].dot(of[1].cross(of[2]));
  }
  return six_volumes / 6;
}

}  // namespace

std::optional<double> exact_shared_volume(const TriangleMesh& a, const TriangleMesh& b,
                                          const Similarity& a_from_b) {
  Mesh of_a = converted(a, Similarity::Identity());
  Mesh of_b = converted(b, a_from_b);
  Mesh shared;
  if (!processing::corefine_and_compute_intersection(of_a, of_b, shared)) return std::nullopt;
  return volume_of(shared);
}

}  // namespace plimsoll::bench
