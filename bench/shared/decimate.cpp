#include "shared/decimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

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

TriangleMesh split_in_four(TriangleMesh mesh) {
  std::unordered_map<std::uint64_t, std::uint32_t> middles;
  middles.reserve(mesh.triangles.size() * 3 / 2);
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(mesh.vertices.size());
    const std::uint64_t edge = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    const auto [found, is_new] = middles.try_emplace(edge, next);
    if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
    return found->second;
  };
  std::vector<Triangle> triangles;
  triangles.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(triangles);
  return mesh;
}

}  // namespace plimsoll::bench
