#include "solid/rim_caps.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/mean.h"
#include "mesh/rim_edges.h"

namespace plimsoll {
namespace {

// Half-edges without an opposite, those of edges that two triangles run along the same way too.
std::vector<std::uint32_t> open_half_edges(const MeshView& mesh, const Edges& edges) {
  std::vector<std::uint32_t> found;
  for (const RimEdge& edge : rim_edges(mesh, edges)) found.push_back(edge.half_edge);
  for (const std::uint32_t h : edges.inconsistent) {
    found.push_back(h);
    found.push_back(edges.twin[h]);
  }
  return found;
}

// Patches that end at every edge that does not balance.
Shells balanced_patches(const MeshView& mesh, const Edges& edges) {
  Edges cut = edges;
  for (const std::uint32_t h : edges.inconsistent) cut.twin[edges.twin[h]] = cut.twin[h] = kNoIndex;
  return find_shells(mesh, cut);
}

// The number of the rim that each vertex is in; kNoIndex for those in none.
std::vector<std::uint32_t> number_rims(const MeshView& mesh,
                                       std::span<const std::uint32_t> half_edges,
                                       std::uint32_t& count) {
  std::vector<std::uint32_t> parent(mesh.vertex_count());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root_of = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const std::uint32_t h : half_edges) {
    const std::uint32_t a = root_of(start_of(mesh, h)), b = root_of(end_of(mesh, h));
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> rim_of(mesh.vertex_count(), kNoIndex);
  count = 0;
  for (const std::uint32_t h : half_edges)
    for (const std::uint32_t v : {start_of(mesh, h), end_of(mesh, h)}) {
      const std::uint32_t root = root_of(v);
      if (rim_of[root] == kNoIndex) rim_of[root] = count++;
      rim_of[v] = rim_of[root];
    }
  return rim_of;
}

// Whether a plane parts `p` from the points, by steps toward the point of their hull nearest to it
// [Gilbert1966]: each looks along the way from the nearest known for the point that lies farthest
// on, and takes the nearest of the segment to it. `nearest`: one of the hull to begin with.
bool is_parted(const Vec3& p, std::span<const Vec3> points, Vec3 nearest) {
  constexpr int kSteps = 256;
  constexpr double kApart = 1e-9;  // of the size of the hull: far more than rounding
  constexpr double kTooNear = 0x1p-10;
  for (int step = 0; step < kSteps; ++step) {
    const Vec3 away = p - nearest;
    if (away.norm() < kTooNear) return false;
    const auto farthest =
        std::max_element(points.begin(), points.end(),
                         [&](const Vec3& a, const Vec3& b) { return away.dot(a) < away.dot(b); });
    if (away.dot(p - *farthest) > kApart * away.norm()) return true;
    const Vec3 along = *farthest - nearest;
    const double share = away.dot(along) / along.squaredNorm();
    if (!(share > 0)) return false;
    nearest += std::min(share, 1.0) * along;
  }
  return false;
}

}  // namespace

RimCaps::RimCaps(const MeshView& mesh, const Edges& edges, const Shells& shells)
    : shell_of_(shells.shell_of) {
  Shells patches = balanced_patches(mesh, edges);
  patch_of_ = std::move(patches.patch_of);
  patch_count_ = patches.patches;
  const std::vector<std::uint32_t> half_edges = open_half_edges(mesh, edges);
  const std::size_t triangles = mesh.triangle_count() + half_edges.size();
  closed_.triangles.reserve(triangles);
  shell_of_.reserve(triangles);
  patch_of_.reserve(triangles);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) closed_.vertices.push_back(mesh.vertex(v));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    closed_.triangles.push_back(mesh.triangle(t));

  std::uint32_t count = 0;
  const std::vector<std::uint32_t> rim_of = number_rims(mesh, half_edges, count);
  std::vector<std::vector<Vec3>> rims(count);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (rim_of[v] != kNoIndex) rims[rim_of[v]].push_back(mesh.vertex(v));
  const auto first = static_cast<std::uint32_t>(closed_.vertices.size());
  for (const std::vector<Vec3>& rim : rims) closed_.vertices.push_back(mean_of(rim));
  for (const std::uint32_t h : half_edges) {
    const std::uint32_t start = start_of(mesh, h);
    closed_.triangles.push_back({end_of(mesh, h), start, first + rim_of[start]});
    shell_of_.push_back(shells.shell_of[h / 3]);
    patch_of_.push_back(patches.patches);
  }
  add_hulls(rims);
}

void RimCaps::add_hulls(const std::vector<std::vector<Vec3>>& rims) {
  std::vector<Box3> boxes;
  for (const std::vector<Vec3>& rim : rims) {
    Box3 box;
    for (const Vec3& p : rim) box.extend(p);
    boxes.push_back(box);
    Hull hull{mean_of(rim), (box.max() / 2 - box.min() / 2).maxCoeff(), {}};
    for (const Vec3& p : rim) hull.points.emplace_back((p - hull.middle) / hull.size);
    hulls_.push_back(std::move(hull));
  }
  boxes_ = BoxTree(boxes);
}

bool RimCaps::is_clear_of(const Vec3& p) const {
  bool is_clear = true;
  visit_items(
      boxes_, [&](const Box3& box) { return is_clear && box.contains(p); },
      [&](std::uint32_t i) {
        const Hull& hull = hulls_[i];
        is_clear = is_clear && hull.size > 0 &&
                   is_parted((p - hull.middle) / hull.size, hull.points, Vec3::Zero());
      });
  return is_clear;
}

}  // namespace plimsoll
