#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/clip.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include <exception>
#include <limits>
#include <memory>

#include "clip_systems.h"

namespace plimsoll::bench {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

volatile std::size_t copied;  // what is copied must look used

// Nothing if the mesh is not that of a manifold.
std::shared_ptr<const Mesh> converted(const TriangleMesh& from) {
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3& v : from.vertices) mesh->add_vertex({v.x(), v.y(), v.z()});
  for (const auto& [a, b, c] : from.triangles) {
    const Mesh::Face_index face =
        mesh->add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c));
    if (face == Mesh::null_face()) return nullptr;
  }
  return mesh;
}

// NaN where CGAL gives up, as it does where surfaces cross on the plane.
double wet_volume(const Mesh& mesh, const WaterPlane& water) try {
  Mesh wet = mesh;
  const Kernel::Plane_3 plane(water.normal.x(), water.normal.y(), water.normal.z(), -water.offset);
  processing::clip(wet, plane, CGAL::parameters::clip_volume(true));
  return processing::volume(wet);
} catch (const std::exception&) {
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<ClipSystem> cgal_clip_systems(const TriangleMesh& mesh) {
  const std::shared_ptr<const Mesh> surface = converted(mesh);
  if (surface == nullptr) return {};
  return {{"cgal_clip", [surface](const WaterPlane& water) { return wet_volume(*surface, water); },
           [surface] { copied = Mesh(*surface).number_of_faces(); }}};
}

}  // namespace plimsoll::bench
