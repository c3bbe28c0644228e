// What is measured: Plimsoll, the limit that memory sets, and other libraries. Each system is made
// for one mesh, converts it to its own arrays once, and then computes as often as it is called.
#pragma once

#include <plimsoll/mesh.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::bench {

/// What a system finds; the parts it does not compute are absent.
struct Answer {
  std::optional<double> volume;
  std::optional<Vec3> center;
  std::optional<Mat3> inertia;  ///< About the center of mass, for a mass of 1.
};

struct System {
  std::string name;
  std::function<Answer()> compute;
};

/// Volume and centroid of a Surface_mesh by Polygon_mesh_processing.
[[nodiscard]] std::vector<System> cgal_systems(const TriangleMesh& mesh);

/// vtkMassProperties, vtkMultiObjectMassProperties, vtkCenterOfMass.
[[nodiscard]] std::vector<System> vtk_systems(const TriangleMesh& mesh);

/// btConvexTriangleMeshShape and btGImpactMeshShape.
[[nodiscard]] std::vector<System> bullet_systems(const TriangleMesh& mesh);

}  // namespace plimsoll::bench
