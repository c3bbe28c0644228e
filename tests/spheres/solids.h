// Solids that are cut and packed, and distances from their triangles.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh.h>
#include <plimsoll/sphere_packing.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "spheres/solid_voxels.h"

namespace plimsoll::test {

inline ClosedMesh closed(TriangleMesh mesh) {
  Result<ClosedMesh> closed = ClosedMesh::from_triangles(std::move(mesh));
  REQUIRE(closed);
  return *std::move(closed);
}

inline SolidVoxels voxels_of(const ClosedMesh& mesh, std::size_t resolution) {
  Result<SolidVoxels> voxels = solid_voxels(mesh, resolution);
  REQUIRE(voxels);
  return *std::move(voxels);
}

using WideVec3 = Eigen::Matrix<long double, 3, 1>;

/// How far a point is from a triangle: from its face where it projects into that, else from the
/// nearest edge. In long doubles, good to some 1e-18 of the size and the height of the triangle.
inline long double distance(const Vec3& point, const TriangleMesh& mesh, std::size_t t) {
  std::array<WideVec3, 3> corner;
  for (std::size_t i = 0; i < 3; ++i)
    corner[i] = mesh.vertices[mesh.triangles[t][i]].cast<long double>();
  const WideVec3 p = point.cast<long double>();
  const WideVec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  bool is_over = normal.squaredNorm() > 0;
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const WideVec3 &a = corner[i], edge = corner[(i + 1) % 3] - a;
    if (normal.cross(edge).dot(p - a) < 0) is_over = false;
    const long double length = edge.squaredNorm();
    const long double along = length > 0 ? std::clamp(edge.dot(p - a) / length, 0.0L, 1.0L) : 0.0L;
    nearest = std::min(nearest, (a + along * edge - p).norm());
  }
  return is_over ? std::min(nearest, std::abs(normal.dot(p - corner[0])) / normal.norm()) : nearest;
}

inline long double distance(const Vec3& point, const TriangleMesh& mesh) {
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    nearest = std::min(nearest, distance(point, mesh, t));
  return nearest;
}

/// By how much of the solid angle a surface is seen from a point: the winding number, where the
/// point is not near the surface.
inline int winding(const Vec3& point, const TriangleMesh& mesh) {
  double angle = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point,
               c = mesh.vertices[t[2]] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)),
                            la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return static_cast<int>(std::lround(angle / (4 * 3.14159265358979323846)));
}

/// To the last bit.
inline void check_same(const SpherePacking& a, const SpherePacking& b) {
  REQUIRE(a.spheres.size() == b.spheres.size());
  CHECK(a.largest_protrusion == b.largest_protrusion);
  for (std::size_t i = 0; i < a.spheres.size(); ++i) {
    REQUIRE(a.spheres[i].center == b.spheres[i].center);
    REQUIRE(a.spheres[i].radius == b.spheres[i].radius);
  }
}

}  // namespace plimsoll::test
