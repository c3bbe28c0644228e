#include "mesh/shells.h"

#include <algorithm>
#include <array>

#include "core/disjoint_sets.h"

namespace plimsoll {
namespace {

/// Walks around the vertex where `first` starts, over twins that run oppositely, and counts its
/// triangles; from a boundary to the other boundary. `limit` bounds the walk.
std::uint32_t fan_size(const Edges& edges, std::uint32_t first, std::uint32_t limit) {
  std::uint32_t count = 1;
  for (std::uint32_t h = first; count <= limit; ++count) {
    h = edges.twin[previous_half_edge(h)];
    if (h == first) return count;
    if (h == kNoIndex) break;
  }
  for (std::uint32_t h = edges.twin[first]; h != kNoIndex && count <= limit; ++count)
    h = edges.twin[next_half_edge(h)];
  return count;
}

/// For consistently oriented meshes with at most two triangles at an edge.
std::vector<std::uint32_t> nonmanifold_vertices_by_walking(const MeshView& mesh,
                                                           const Edges& edges) {
  std::vector<std::uint32_t> degree(mesh.vertex_count(), 0);
  std::vector<std::uint32_t> half_edge(mesh.vertex_count(), kNoIndex);
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    if (!has_half_edges(v)) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      ++degree[v[k]];
      half_edge[v[k]] = 3 * t + k;
    }
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
    if (degree[v] > 0 && fan_size(edges, half_edge[v], degree[v]) < degree[v]) found.push_back(v);
  return found;
}

/// For any mesh: joins corners across edges, then counts the groups at each vertex.
std::vector<std::uint32_t> nonmanifold_vertices_by_joining(const MeshView& mesh,
                                                           const Edges& edges) {
  DisjointSets corners(3 * mesh.triangle_count());
  const auto join_across = [&](std::uint32_t h, std::uint32_t other) {
    const bool same_way = start_of(mesh, h) == start_of(mesh, other);
    corners.join(h, same_way ? other : next_half_edge(other));
    corners.join(next_half_edge(h), same_way ? next_half_edge(other) : other);
  };
  for (std::uint32_t h = 0; h < edges.twin.size(); ++h)
    if (edges.twin[h] != kNoIndex && edges.twin[h] > h) join_across(h, edges.twin[h]);
  for (std::size_t i = 0; i < edges.fan_count(); ++i)
    for (const std::uint32_t h : edges.fan(i)) join_across(edges.fan(i)[0], h);

  std::vector<std::uint32_t> groups(mesh.vertex_count(), 0);
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle v = mesh.triangle(t);
    if (!has_half_edges(v)) continue;
    for (std::uint32_t k = 0; k < 3; ++k) groups[v[k]] += corners.find(3 * t + k) == 3 * t + k;
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
    if (groups[v] > 1) found.push_back(v);
  return found;
}

}  // namespace

Shells find_shells(const MeshView& mesh, const Edges& edges) {
  Shells s;
  const auto count = static_cast<std::uint32_t>(mesh.triangle_count());
  DisjointSets connected(count);
  for (std::uint32_t t = 0; t < count; ++t)
    for (std::uint32_t k = 0; k < 3; ++k)
      if (const std::uint32_t twin = edges.twin[3 * t + k]; twin != kNoIndex && twin / 3 < t)
        connected.join(t, twin / 3);
  s.patch_of.assign(count, kNoIndex);
  for (std::uint32_t t = 0; t < count; ++t) {  // a root is the lowest of its set
    if (!has_half_edges(mesh.triangle(t))) continue;
    const std::uint32_t root = connected.find(t);
    s.patch_of[t] = root == t ? s.patches++ : s.patch_of[root];
  }

  DisjointSets joined(s.patches);
  for (std::size_t i = 0; i < edges.fan_count(); ++i)
    for (const std::uint32_t h : edges.fan(i))
      joined.join(s.patch_of[edges.fan(i)[0] / 3], s.patch_of[h / 3]);
  std::vector<std::uint32_t> shell_of_patch(s.patches);
  for (std::uint32_t p = 0; p < s.patches; ++p)  // a root is the lowest of its set
    shell_of_patch[p] = joined.find(p) == p ? s.shells++ : shell_of_patch[joined.find(p)];
  if (s.shells == s.patches) {
    s.shell_of = s.patch_of;
    return s;
  }
  s.shell_of.assign(count, kNoIndex);
  for (std::uint32_t t = 0; t < count; ++t)
    if (s.patch_of[t] != kNoIndex) s.shell_of[t] = shell_of_patch[s.patch_of[t]];
  return s;
}

std::vector<std::uint32_t> find_nonmanifold_vertices(const MeshView& mesh, const Edges& edges) {
  if (edges.fan_count() == 0 && edges.inconsistent.empty())
    return nonmanifold_vertices_by_walking(mesh, edges);
  return nonmanifold_vertices_by_joining(mesh, edges);
}

// Of the three edges of a triangle the one between its two lowest corners is looked at: triangles
// with the same third corner there are the same.
std::vector<std::uint32_t> find_duplicates(const MeshView& mesh, const Edges& edges) {
  const auto third = [&](std::uint32_t h) { return start_of(mesh, previous_half_edge(h)); };
  const auto is_lowest = [&](std::uint32_t h) {
    return third(h) > std::max(start_of(mesh, h), end_of(mesh, h));
  };
  std::vector<std::uint32_t> found;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    // Twins of a triangle and its duplicate belong to the other, as those of few others do.
    const std::uint32_t* twin = &edges.twin[3 * t];
    const std::uint32_t other = std::min({twin[0], twin[1], twin[2]}) / 3;
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (other >= t || (twin[k] != kNoIndex && twin[k] / 3 != other)) break;
      const std::uint32_t h = 3 * t + k;
      if (twin[k] != kNoIndex && is_lowest(h) && third(h) == third(twin[k])) found.push_back(t);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_third;
  for (std::size_t i = 0; i < edges.fan_count(); ++i) {
    by_third.clear();
    for (const std::uint32_t h : edges.fan(i))
      if (is_lowest(h)) by_third.emplace_back(third(h), h / 3);
    std::sort(by_third.begin(), by_third.end());
    for (std::size_t k = 1; k < by_third.size(); ++k)
      if (by_third[k].first == by_third[k - 1].first) found.push_back(by_third[k].second);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace plimsoll
