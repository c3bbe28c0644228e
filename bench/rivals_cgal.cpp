#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

#include <memory>

#include "systems.h"

namespace plimsoll::bench {
namespace {

// The kernel of plain doubles; the one with exact predicates takes as long here, since none is
// used.
using Kernel = CGAL::Simple_cartesian<double>;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

std::shared_ptr<const Mesh> converted(const TriangleMesh& from) {
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3& v : from.vertices) mesh->add_vertex({v.x(), v.y(), v.z()});
  for (const auto& [a, b, c] : from.triangles)
    mesh->add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c));
  return mesh;
}

}  // namespace

std::vector<System> cgal_systems(const TriangleMesh& mesh) {
  return {{"cgal_volume_centroid", [mesh = converted(mesh)] {
             namespace processing = CGAL::Polygon_mesh_processing;
             const Kernel::Point_3 center = processing::centroid(*mesh);
             return Answer{processing::volume(*mesh), Vec3{center.x(), center.y(), center.z()}, {}};
           }}};
}

}  // namespace plimsoll::bench
