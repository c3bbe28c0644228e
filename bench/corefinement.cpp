#include "corefinement.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>

#include <vector>

namespace plimsoll::bench {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

std::optional<Mesh> converted(const TriangleMesh& from) {
  Mesh mesh;
  for (const Vec3& v : from.vertices) mesh.add_vertex({v.x(), v.y(), v.z()});
  for (const auto& [a, b, c] : from.triangles)
    if (mesh.add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c)) ==
        Mesh::null_face())
      return std::nullopt;
  return mesh;
}

double volume_of(const Mesh& mesh) {
  if (mesh.is_empty()) return 0;
  std::vector<Vec3> corners;
  for (const Mesh::Vertex_index v : mesh.vertices()) {
    const Kernel::Point_3& p = mesh.point(v);
    corners.emplace_back(p.x(), p.y(), p.z());
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

struct Corefinement::Meshes {
  std::optional<Mesh> a, b;
};

Corefinement::Corefinement(const TriangleMesh& a, const TriangleMesh& b)
    : meshes_(std::make_unique<Meshes>(Meshes{converted(a), converted(b)})) {}

Corefinement::~Corefinement() = default;

std::optional<double> Corefinement::shared_volume() {
  if (!meshes_->a || !meshes_->b) return std::nullopt;
  Mesh shared;
  if (!processing::corefine_and_compute_intersection(*meshes_->a, *meshes_->b, shared))
    return std::nullopt;
  return volume_of(shared);
}

}  // namespace plimsoll::bench
