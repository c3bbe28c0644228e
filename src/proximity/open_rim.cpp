#include "proximity/open_rim.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/predicates.h"
#include "mesh/posed_vertex.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

/// Of a triangle, seen from p: above 0 from behind. On the triangle itself as just above it, along
/// z, where the ray of winding_number() does not pass it.
double solid_angle(const std::array<Vec3, 3>& t, const Vec3& p) {
  int front = orient3d(t[0], t[1], t[2], p);
  if (front == 0) front = passed_by_line(t, p);
  const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double det = std::fabs(a.dot(b.cross(c)));
  const double off = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return -2 * front * elementary::atan2(det, off);
}

struct HalfEdge {
  std::uint32_t low, high;
  int direction;  // +1 from low to high
};

std::vector<HalfEdge> half_edges(const TriangleTree& tree) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * tree.triangles);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = tree.leaves[leaf].corner[k][t];
        const std::uint32_t b = tree.leaves[leaf].corner[(k + 1) % 3][t];
        if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
      }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& x, const HalfEdge& y) {
    return x.low != y.low ? x.low < y.low : x.high < y.high;
  });
  return edges;
}

}  // namespace

OpenRim::OpenRim(const PosedTree& posed) {
  const TriangleTree& tree = *posed.tree;
  const auto vertex = [&](std::uint32_t number) {
    const Vec3 there = Eigen::Map<const Vec3>(tree.vertices[number].x);
    return posed_vertex(tree.frame.to_meters(there), posed.world_from_mesh);
  };
  const std::vector<HalfEdge> edges = half_edges(tree);
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    int times = 0;
    const auto [low, high, direction] = edges[begin];
    for (; end < edges.size() && edges[end].low == low && edges[end].high == high; ++end)
      times += edges[end].direction;
    if (times != 0) edges_.push_back({vertex(high), vertex(low), times});
  }
  for (const Edge& edge : edges_) apex_ += edge.from / static_cast<double>(edges_.size());
}

double OpenRim::winding_number(const PosedTree& posed, const Vec3& point) const {
  int whole = plimsoll::winding_number(posed, point);
  double angle = 0;
  for (const Edge& edge : edges_) {
    const std::array<Vec3, 3> fan{edge.from, edge.to, apex_};
    whole += edge.times * times_passed(fan, point);
    angle += edge.times * solid_angle(fan, point);
  }
  return whole - angle / (4 * std::numbers::pi);
}

}  // namespace plimsoll
