// Meshes made of meshes.
#pragma once

#include <plimsoll/mesh.h>

#include <Eigen/Geometry>
#include <utility>

namespace plimsoll::test {

/// A turn about no axis of symmetry of anything.
inline Mat3 some_turn() {
  return Eigen::Quaterniond(0.5, 0.1, -0.7, 0.4).normalized().toRotationMatrix();
}

inline Similarity at(const Vec3& place, const Mat3& turn = Mat3::Identity()) {
  Similarity pose = Similarity::Identity();
  pose.linear() = turn;
  pose.translation() = place;
  return pose;
}

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, const Similarity& pose) {
  for (Vec3& v : mesh.vertices) v = pose * v;
  return mesh;
}

inline TriangleMesh turned(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Both, without a common vertex.
inline TriangleMesh joined(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh sum = a;
  const auto shift = static_cast<std::uint32_t>(a.vertices.size());
  sum.vertices.insert(sum.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles)
    sum.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return sum;
}

}  // namespace plimsoll::test
