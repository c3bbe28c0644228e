#include "mesh/cluster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/no_index.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

using Cell = std::array<std::int64_t, 3>;

// The corners of a triangle with the least first, its sense kept.
Triangle from_least(const Triangle& t) {
  const std::size_t k = static_cast<std::size_t>(std::min_element(t.begin(), t.end()) - t.begin());
  return {t[k], t[(k + 1) % 3], t[(k + 2) % 3]};
}

Triangle reversed(const Triangle& t) { return {t[0], t[2], t[1]}; }

// Triangles without the pairs that cancel, in order.
std::vector<Triangle> without_pairs(const std::vector<Triangle>& triangles) {
  std::map<Triangle, int> surplus;  // of a sense over the other, under the smaller of both
  for (const Triangle& t : triangles) surplus[std::min(t, reversed(t))] += t < reversed(t) ? 1 : -1;
  std::vector<Triangle> kept;
  for (const Triangle& t : triangles) {
    int& count = surplus[std::min(t, reversed(t))];
    const int sense = t < reversed(t) ? 1 : -1;
    if (count * sense <= 0) continue;
    count -= sense;
    kept.push_back(t);
  }
  return kept;
}

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t k : cell)
      hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
  }
};

}  // namespace

TriangleMesh cluster_vertices(const MeshView& mesh, double cell_size) {
  const Vec3 corner = bounding_box(mesh).min();
  std::unordered_map<Cell, std::uint32_t, CellHash> number_of;
  std::vector<std::uint32_t> cluster_of(mesh.vertex_count(), kNoIndex);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) cluster_of[v] = 0;
  std::vector<int> members;
  TriangleMesh coarse;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (cluster_of[v] == kNoIndex) continue;  // no triangle names it
    const Vec3 p = mesh.vertex(v);
    Cell cell;
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] = std::llround(std::floor((p[k] - corner[k]) / cell_size));
    const auto next = static_cast<std::uint32_t>(number_of.size());
    const std::uint32_t c = number_of.try_emplace(cell, next).first->second;
    if (c == next) {
      coarse.vertices.push_back(Vec3::Zero());
      members.push_back(0);
    }
    coarse.vertices[c] += p;
    ++members[c];
    cluster_of[v] = c;
  }
  for (std::size_t c = 0; c < members.size(); ++c) coarse.vertices[c] /= members[c];
  std::vector<Triangle> triangles;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Triangle moved = mesh.triangle(t);
    for (std::uint32_t& v : moved) v = cluster_of[v];
    if (moved[0] != moved[1] && moved[1] != moved[2] && moved[2] != moved[0])
      triangles.push_back(from_least(moved));
  }
  coarse.triangles = without_pairs(triangles);
  return weld(coarse);  // leaves out vertices that no triangle names
}

}  // namespace plimsoll
