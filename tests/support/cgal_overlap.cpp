#include "support/cgal_overlap.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdlib>
#include <vector>

namespace plimsoll::test {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

Mesh converted(const TriangleMesh& from) {
  Mesh mesh;
  for (const Vec3& v : from.vertices) mesh.add_vertex({v.x(), v.y(), v.z()});
  for (const auto& [a, b, c] : from.triangles)
    if (mesh.add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c)) ==
        Mesh::null_face())
      std::abort();
  return mesh;
}

/// Moving corners by half a place of the largest coordinate, sqrt(3) / 2 * 2^-53 of it, changes the
/// volume by that times the area. Each term of the sum, of 64 bits, is at most the area of all
/// times the largest distance, which is below 4 times that coordinate, and is rounded some 8 times.
CgalOverlap integrals(const Mesh& mesh) {
  using Wide = Eigen::Matrix<long double, 3, 1>;
  CgalOverlap result;
  if (mesh.is_empty()) return result;
  std::vector<Vec3> corners;
  double largest = 0;
  for (const Mesh::Vertex_index v : mesh.vertices()) {
    const auto& p = mesh.point(v).exact();  // unasked, CGAL is content with 1e-5
    corners.emplace_back(CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z()));
    largest = std::max(largest, corners.back().cwiseAbs().maxCoeff());
  }
  long double volume_x6 = 0, area_x2 = 0;
  Wide first_x24 = Wide::Zero();
  const Vec3& origin = corners.front();
  for (const Mesh::Face_index face : mesh.faces()) {
    Wide of[3];
    std::size_t corner = 0;
    for (const Mesh::Vertex_index v : mesh.vertices_around_face(mesh.halfedge(face)))
      of[corner++] = corners[v].cast<long double>() - origin.cast<long double>();
    const long double term = of[0].dot(of[1].cross(of[2]));
    volume_x6 += term;
    first_x24 += term * (of[0] + of[1] + of[2]);
    area_x2 += (of[1] - of[0]).cross(of[2] - of[0]).norm();
  }
  result.volume = static_cast<double>(volume_x6 / 6);
  result.center = origin + (first_x24 / (4 * volume_x6)).cast<double>();
  const auto terms = static_cast<double>(mesh.number_of_faces() + 8);
  result.volume_error =
      static_cast<double>(area_x2 / 2) * largest * (0x1p-53 + 4 * terms * 0x1p-64);
  return result;
}

}  // namespace

std::optional<CgalOverlap> cgal_overlap(const TriangleMesh& a, const TriangleMesh& b) {
  Mesh of_a = converted(a), of_b = converted(b), shared;
  if (!processing::corefine_and_compute_intersection(of_a, of_b, shared)) return std::nullopt;
  return integrals(shared);
}

}  // namespace plimsoll::test
