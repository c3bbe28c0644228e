// Volume, area and center of a mesh by plain sums in long double: what a file's contents are
// compared with.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cmath>

namespace plimsoll::test {

struct PlainProperties {
  double volume = 0;  ///< Signed.
  double area = 0;
  Vec3 center = Vec3::Zero();
};

/// Tetrahedra from the first vertex of the first triangle.
inline PlainProperties plain_properties(const TriangleMesh& triangles) {
  const MeshView mesh(triangles);
  using Long3 = Eigen::Matrix<long double, 3, 1>;
  const Long3 origin = mesh.vertex(mesh.triangle(0)[0]).cast<long double>();
  long double volume = 0;
  long double area = 0;
  Long3 moment = Long3::Zero();
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    std::array<Long3, 3> p;
    for (std::size_t i = 0; i < 3; ++i)
      p[i] = mesh.vertex(mesh.triangle(t)[i]).cast<long double>() - origin;
    const long double part = p[0].dot(p[1].cross(p[2])) / 6;
    volume += part;
    moment += part / 4 * (p[0] + p[1] + p[2]);
    area += (p[1] - p[0]).cross(p[2] - p[0]).norm() / 2;
  }
  return {static_cast<double>(volume), static_cast<double>(area),
          (origin + moment / volume).cast<double>()};
}

}  // namespace plimsoll::test
