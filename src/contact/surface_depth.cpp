#include "contact/surface_depth.h"

#include <array>
#include <cmath>

#include "core/power_of_two.h"

namespace plimsoll {

SurfaceDepth::SurfaceDepth(const PosedTree& posed, double sign)
    : tree_(*posed.tree), center_(posed_center(posed)), unit_(unit_of(posed)), sign_(sign) {
  const Mat3& linear = posed.world_from_mesh.linear();
  const double scale = linear.cwiseAbs().maxCoeff();
  turn_ = Mat3(linear / scale).inverse() / scale;
}

Vec3 SurfaceDepth::in_frame(const Vec3& world) const {
  return (turn_ * (world - center_)).unaryExpr([&](double c) {
    return times_power_of_two(c, -tree_.frame.exponent);
  });
}

NearestTriangle SurfaceDepth::nearest(const Vec3& x) {
  const NearestTriangle found = nearest_triangle(tree_, x, last_, ahead_);
  last_ = found.leaf;
  return found;
}

double SurfaceDepth::at(const Vec3& world) {
  return std::sqrt(nearest(in_frame(world)).squared) * unit_;
}

NearestFace SurfaceDepth::face_at(const Vec3& world) {
  constexpr double kSame = 1e-9, kRounding = 1e-13;  // of the distance, and of the frame
  const Vec3 x = in_frame(world);
  const NearestTriangle found = nearest(x);
  const double distance = std::sqrt(found.squared);
  const std::array<Vec3, 3> corner = tree_.unit_corners(tree_.leaves[found.leaf], found.of_leaf);
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).stableNormalized();
  const double height = std::fabs(normal.dot(x - corner[0]));
  return {distance * unit_, -sign_ * (turn_.transpose() * normal).stableNormalized(),
          distance - height <= kSame * height + kRounding};
}

}  // namespace plimsoll
