#include "contact/surface_depth.h"

#include <array>
#include <cmath>

#include "core/power_of_two.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {

SurfaceDepth::SurfaceDepth(const PosedTree& posed, double sign)
    : tree_(*posed.tree), center_(posed_center(posed)), unit_(unit_of(posed)), sign_(sign) {
  linear_ = posed.world_from_mesh.linear();
  const double scale = linear_.cwiseAbs().maxCoeff();
  turn_ = Mat3(linear_ / scale).inverse() / scale;
}

Vec3 SurfaceDepth::in_frame(const Vec3& world) const {
  return (turn_ * (world - center_)).unaryExpr([&](double c) {
    return times_power_of_two(c, -tree_.frame.exponent);
  });
}

Vec3 SurfaceDepth::in_world(const Vec3& frame) const {
  const Vec3 meters =
      frame.unaryExpr([&](double c) { return times_power_of_two(c, tree_.frame.exponent); });
  return center_ + linear_ * meters;
}

NearestTriangle SurfaceDepth::nearest(const Vec3& x) {
  const NearestTriangle found = nearest_triangle(tree_, x, last_, ahead_);
  last_ = found.leaf;
  return found;
}

double SurfaceDepth::at(const Vec3& world) {
  return std::sqrt(nearest(in_frame(world)).squared) * unit_;
}

namespace {

using Corners = std::array<Vec3, 3>;

Vec3 normal_of(const Corners& corner) {
  return (corner[1] - corner[0]).cross(corner[2] - corner[0]).stableNormalized();
}

/// Whether the nearest point, at that distance, is the foot on the plane, at that height.
bool is_foot(double distance, double height) {
  constexpr double kSame = 1e-9, kRounding = 1e-13;  // of the height, and of the frame
  return distance - std::fabs(height) <= kSame * std::fabs(height) + kRounding;
}

Vec3 nearest_of(const Corners& corner, const Vec3& x) {
  const auto triple = [](const Vec3& v) { return Triple<double>{v.x(), v.y(), v.z()}; };
  const TripleCorners<double> triangle{triple(corner[0]), triple(corner[1]), triple(corner[2])};
  const TripleCorners<double> point{triple(x), triple(x), triple(x)};
  const Triple<double> at = point_of(triangle, nearest_points(triangle, point).on_a);
  return {at[0], at[1], at[2]};
}

}  // namespace

NearestFace SurfaceDepth::face_at(const Vec3& world) {
  const Vec3 x = in_frame(world);
  const NearestTriangle found = nearest(x);
  const double distance = std::sqrt(found.squared);
  const Corners corner = tree_.unit_corners(tree_.leaves[found.leaf], found.of_leaf);
  const Vec3 normal = normal_of(corner);
  return {distance * unit_, -sign_ * (turn_.transpose() * normal).stableNormalized(),
          is_foot(distance, normal.dot(x - corner[0]))};
}

NearestPlace SurfaceDepth::place_at(const Vec3& world) {
  const Vec3 x = in_frame(world);
  const NearestTriangle found = nearest(x);
  const Corners corner = tree_.unit_corners(tree_.leaves[found.leaf], found.of_leaf);
  const Vec3 normal = sign_ * normal_of(corner), at = nearest_of(corner, x);
  const double distance = (x - at).norm(), height = normal.dot(x - corner[0]);
  return {in_world(at), distance * unit_, (turn_.transpose() * normal).stableNormalized(),
          is_foot(distance, height), height * unit_};
}

}  // namespace plimsoll
