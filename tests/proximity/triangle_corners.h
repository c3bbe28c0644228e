// The corners of a triangle of a mesh, as the library's kernels take them and as others do.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstddef>

#include "proximity/triangle_distance.h"

namespace plimsoll::test {

[[nodiscard]] inline std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, std::size_t t) {
  const Triangle& v = mesh.triangles[t];
  return {mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]};
}

[[nodiscard]] inline TripleCorners<double> triple(const std::array<Vec3, 3>& corners) {
  TripleCorners<double> all;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) all[k][i] = corners[k][static_cast<Eigen::Index>(i)];
  return all;
}

}  // namespace plimsoll::test
