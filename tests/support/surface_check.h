// Plain, slow checks of a mesh, written without the library's own: does every edge close, what is
// the Euler number, what is the volume.
#pragma once

#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace plimsoll::test {

/// Whether each edge is run along exactly once in each direction.
inline bool is_closed_manifold(const TriangleMesh& mesh) {
  std::vector<std::uint64_t> runs;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) runs.push_back(std::uint64_t{t[i]} << 32 | t[(i + 1) % 3]);
  std::sort(runs.begin(), runs.end());
  if (std::adjacent_find(runs.begin(), runs.end()) != runs.end()) return false;
  return !runs.empty() && std::all_of(runs.begin(), runs.end(), [&](std::uint64_t run) {
    return std::binary_search(runs.begin(), runs.end(), run << 32 | run >> 32);
  });
}

/// Vertices - edges + faces of a closed manifold mesh, in which two triangles meet at each edge.
inline long euler_number(const TriangleMesh& mesh) {
  const auto faces = static_cast<long>(mesh.triangles.size());
  return static_cast<long>(mesh.vertices.size()) - faces * 3 / 2 + faces;
}

/// The signed volume, summed about the origin in long double.
inline double volume(const TriangleMesh& mesh) {
  using Wide = Eigen::Matrix<long double, 3, 1>;
  long double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const Wide a = mesh.vertices[t[0]].cast<long double>();
    const Wide b = mesh.vertices[t[1]].cast<long double>();
    const Wide c = mesh.vertices[t[2]].cast<long double>();
    sum += a.dot(b.cross(c));
  }
  return static_cast<double>(sum / 6);
}

/// The mesh with vertices of equal coordinates made one, by way of a map.
inline TriangleMesh joined(const TriangleMesh& mesh) {
  std::map<std::array<double, 3>, std::uint32_t> seen;
  TriangleMesh result;
  std::vector<std::uint32_t> renumbered;
  for (const Vec3& v : mesh.vertices) {
    const auto next = static_cast<std::uint32_t>(result.vertices.size());
    const auto [at, added] = seen.try_emplace({v.x(), v.y(), v.z()}, next);
    if (added) result.vertices.push_back(v);
    renumbered.push_back(at->second);
  }
  for (const Triangle& t : mesh.triangles)
    result.triangles.push_back({renumbered[t[0]], renumbered[t[1]], renumbered[t[2]]});
  return result;
}

}  // namespace plimsoll::test
