#include "decimate.h"

#include <cmath>

#include "checked.h"
#include "mesh/cluster.h"

namespace plimsoll::bench {
TriangleMesh decimate(const MeshView& mesh, std::size_t triangles) {
  // The count falls with the cell's size, if not at every step: the nearest of those seen is taken.
  double small = 0;
  double large = bounding_box(checked(mesh)).diagonal().maxCoeff();
  TriangleMesh best;
  const auto miss = [triangles](const TriangleMesh& m) {
    return std::abs(static_cast<double>(m.triangles.size()) - static_cast<double>(triangles));
  };
  for (int step = 0; step < 24; ++step) {
    const double size = (small + large) / 2;
    TriangleMesh tried = cluster_vertices(mesh, size);
    (tried.triangles.size() < triangles ? large : small) = size;
    if (best.triangles.empty() || miss(tried) < miss(best)) best = std::move(tried);
  }
  return best;
}

}  // namespace plimsoll::bench
