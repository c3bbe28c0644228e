// Other libraries that cut a mesh by a water plane. Each system is made for one mesh, converts it
// to its own arrays once, and then answers as often as it is asked.
#pragma once

#include <plimsoll/submersion.h>

#include <functional>
#include <string>
#include <vector>

namespace plimsoll::bench {

struct ClipSystem {
  std::string name;
  std::function<double(const WaterPlane&)> wet_volume;
  std::function<void()> copy;  ///< What each call begins with that is no clipping, alone; may be
                               ///< missing.
};

/// Polygon_mesh_processing::clip by a plane, then volume, on a Surface_mesh with exact predicates.
/// clip changes its mesh, so each call works on a copy. None if Surface_mesh cannot hold `mesh`.
[[nodiscard]] std::vector<ClipSystem> cgal_clip_systems(const TriangleMesh& mesh);

/// vtkClipClosedSurface, which also triangulates the section, then vtkMassProperties.
[[nodiscard]] std::vector<ClipSystem> vtk_clip_systems(const TriangleMesh& mesh);

}  // namespace plimsoll::bench
