#include "proximity/open_rim.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/predicates.h"
#include "core/solid_angle.h"
#include "mesh/posed_vertex.h"
#include "proximity/winding_number.h"

namespace plimsoll {
namespace {

/// Of a triangle, seen from p: above 0 from behind. On the triangle itself as just above it, along
/// z, where the ray of winding_number() does not pass it.
double angle_from(const Vec3& p, const std::array<Vec3, 3>& t) {
  int front = orient3d(t[0], t[1], t[2], p);
  if (front == 0) front = passed_by_line(t, p);
  const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
  return -front * solid_angle(a, b, c, std::fabs(a.dot(b.cross(c))));
}

}  // namespace

OpenRim::OpenRim(const PosedTree& posed) {
  const TriangleTree& tree = *posed.tree;
  const auto vertex = [&](std::uint32_t number) {
    const Vec3 there = Eigen::Map<const Vec3>(tree.vertices[number].x);
    return posed_vertex(tree.frame.to_meters(there), posed.world_from_mesh);
  };
  for (const auto& [from, to, times] : tree.open_edges())
    edges_.push_back({vertex(to), vertex(from), times});
  for (const Edge& edge : edges_) apex_ += edge.from / static_cast<double>(edges_.size());
}

double OpenRim::winding_number(const PosedTree& posed, const Vec3& point) const {
  int whole = plimsoll::winding_number(posed, point);
  double angle = 0;
  for (const Edge& edge : edges_) {
    const std::array<Vec3, 3> fan{edge.from, edge.to, apex_};
    whole += edge.times * times_passed(fan, point);
    angle += edge.times * angle_from(point, fan);
  }
  return whole - angle / (4 * std::numbers::pi);
}

}  // namespace plimsoll
