#include "solid/surface_regions.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/predicates.h"
#include "mesh/edges.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

// The corners of `u` and `t` as integers, and those of `u` as weights in the plane of `t`, to which
// they are projected along an axis.
struct Scaled {
  std::array<exact::Point, 3> u, t;
  std::array<Weights, 3> weights;
  int axis;
};

Scaled scaled(const Corners& t, const Corners& u) {
  const auto x = exact::to_integers<6>(
      {u.point[0], u.point[1], u.point[2], t.point[0], t.point[1], t.point[2]});
  Scaled all{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {}, projection_axis(t)};
  const auto& [a, b, c] = all.t;
  const int turn = orient2d(t.point[0], t.point[1], t.point[2], all.axis);
  for (std::size_t i = 0; i < 3; ++i) {
    const exact::Point& p = all.u[i];
    all.weights[i] = {turn * exact::orient2d(p, b, c, all.axis),
                      turn * exact::orient2d(p, c, a, all.axis),
                      turn * exact::orient2d(p, a, b, all.axis)};
  }
  return all;
}

// Divides `t` along the segment that `u` has in common with its plane, not all of `u` being in it.
void divide_across(const Corners& t, const Corners& u, TriangleCells& cells) {
  const Scaled x = scaled(t, u);
  const auto& [a, b, c] = x.u;
  CuttingSegment cut;
  for (std::size_t i = 0; i < 3; ++i) cut.line[i] = exact::orient3d(a, b, c, x.t[i]);
  std::array<exact::Integer, 3> height;
  for (std::size_t i = 0; i < 3; ++i) height[i] = exact::orient3d(x.t[0], x.t[1], x.t[2], x.u[i]);
  std::size_t found = 0;
  for (std::size_t i = 0; i < 3 && found < 2; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (height[i] == 0) cut.ends[found++] = x.weights[i];
    if (height[i].sign() * height[j].sign() >= 0 || found == 2) continue;
    for (std::size_t k = 0; k < 3; ++k)
      cut.ends[found][k] = abs(height[j]) * x.weights[i][k] + abs(height[i]) * x.weights[j][k];
    ++found;
  }
  if (found == 2) cells.divide(cut);
}

// Divides `t` along the edges of `u`, which lies in its plane.
void divide_in_plane(const Corners& t, const Corners& u, TriangleCells& cells) {
  const Scaled x = scaled(t, u);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    CuttingSegment cut{{}, {x.weights[i], x.weights[j]}};
    for (std::size_t k = 0; k < 3; ++k)
      cut.line[k] = exact::orient2d(x.u[i], x.u[j], x.t[k], x.axis);
    cells.divide(cut);
  }
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// The meeting of each triangle of the mesh, or null.
std::vector<const MeetingTriangle*> meetings_by_triangle(
    const MeshView& mesh, std::span<const MeetingTriangle> meetings) {
  std::vector<const MeetingTriangle*> meeting_of(mesh.triangle_count(), nullptr);
  for (const MeetingTriangle& meeting : meetings) meeting_of[meeting.triangle] = &meeting;
  return meeting_of;
}

}  // namespace

std::optional<TriangleCells> cells_of(const MeshView& mesh, const MeetingTriangle& meeting,
                                      std::size_t max_cells, LookLimit& limit) {
  TriangleCells cells;
  const Corners t = corners_of(mesh, meeting.triangle);
  for (const CuttingTriangle& other : meeting.cutting) {
    const Corners u = corners_of(mesh, other.triangle);
    limit.add((other.lies_in_plane ? 3 : 1) * cells.size());
    other.lies_in_plane ? divide_in_plane(t, u, cells) : divide_across(t, u, cells);
    if (cells.size() > max_cells || limit.is_exceeded()) return std::nullopt;
  }
  return cells;
}

std::vector<bool> cancelled_triangles(const MeshView& mesh,
                                      std::span<const std::uint32_t> triangles) {
  struct Sheet {
    std::array<Vec3, 3> corners;  // in the order of their coordinates
    int turn;                     // of the order that they have in the mesh
    std::uint32_t triangle;
  };
  const auto comes_before = [](const Vec3& p, const Vec3& q) {
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
  };
  std::vector<Sheet> sheets;
  sheets.reserve(triangles.size());
  for (const std::uint32_t t : triangles) {
    Sheet sheet{corners_of(mesh, t).point, 1, t};
    auto& [a, b, c] = sheet.corners;
    for (const auto& [p, q] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&a, &b)}) {
      if (!comes_before(*q, *p)) continue;
      std::swap(*p, *q);
      sheet.turn = -sheet.turn;
    }
    sheets.push_back(sheet);
  }
  const auto precedes = [&](const Sheet& x, const Sheet& y) {
    return std::lexicographical_compare(x.corners.begin(), x.corners.end(), y.corners.begin(),
                                        y.corners.end(), comes_before);
  };
  std::sort(sheets.begin(), sheets.end(), precedes);
  std::vector<bool> is_cancelled(mesh.triangle_count(), false);
  for (auto first = sheets.begin(), last = first; first != sheets.end(); first = last) {
    int sum = 0;
    for (last = first; last != sheets.end() && !precedes(*first, *last); ++last) sum += last->turn;
    for (auto sheet = first; sheet != last; ++sheet) is_cancelled[sheet->triangle] = sum == 0;
  }
  return is_cancelled;
}

Regions regions_of(const MeshView& mesh, std::span<const std::uint32_t> triangles,
                   std::span<const MeetingTriangle> meetings) {
  const Edges edges = find_edges(mesh);
  const auto meeting_of = meetings_by_triangle(mesh, meetings);
  // Triangles without an area are no part of the surface and join nothing.
  std::vector<bool> may_join(mesh.triangle_count(), false);
  for (const std::uint32_t t : triangles)
    may_join[t] = meeting_of[t] == nullptr || !meeting_of[t]->is_entangled();
  const auto is_touched = [&](std::uint32_t h) {
    return meeting_of[h / 3] != nullptr && (meeting_of[h / 3]->touched_edges >> h % 3 & 1) != 0;
  };

  std::vector<std::uint32_t> parent(mesh.triangle_count());
  std::iota(parent.begin(), parent.end(), 0u);
  for (const std::uint32_t t : triangles) {
    for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
      const std::uint32_t twin = edges.twin[h];
      if (twin == kNoIndex || twin < h || !may_join[t] || !may_join[twin / 3]) continue;
      if (is_touched(h) || is_touched(twin)) continue;
      const std::uint32_t a = root_of(parent, t), b = root_of(parent, twin / 3);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }

  Regions regions;
  regions.of_triangle.assign(mesh.triangle_count(), kNoIndex);
  std::vector<std::uint32_t> region_at(mesh.triangle_count(), kNoIndex);
  for (const std::uint32_t t : triangles) {
    if (!may_join[t]) continue;
    std::uint32_t& at = region_at[root_of(parent, t)];
    if (at == kNoIndex) {
      at = static_cast<std::uint32_t>(regions.list.size());
      regions.list.push_back({t, false, {}});
    }
    regions.of_triangle[t] = at;
    Region& region = regions.list[at];
    if (region.is_free) continue;
    if (meeting_of[t] == nullptr)
      region = {t, true, {}};
    else
      region.triangles.push_back(t);
  }
  return regions;
}

}  // namespace plimsoll
