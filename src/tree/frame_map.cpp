#include "tree/frame_map.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kDoubleRoom = 0x1p-44, kFloatRoom = 0x1p-19;

}  // namespace

double largest_coordinate(const PosedTree& posed) {
  const Box3& box = posed.tree->box;
  const Vec3 largest = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
  const Vec3 sums = posed.world_from_mesh.linear().cwiseAbs() * largest +
                    posed.world_from_mesh.translation().cwiseAbs();
  return sums.maxCoeff();
}

double unit_of(const PosedTree& posed) {
  return std::ldexp(posed.world_from_mesh.linear().col(0).stableNorm(), posed.tree->frame.exponent);
}

FrameMap::FrameMap(const PosedTree& from, const PosedTree& to) {
  const BodyFrame &a = from.tree->frame, &b = to.tree->frame;
  const double size = to.world_from_mesh.linear().cwiseAbs().maxCoeff();
  const Mat3 inverse = Mat3(to.world_from_mesh.linear() / size).inverse() / size;
  linear = inverse * from.world_from_mesh.linear() * std::ldexp(1.0, a.exponent - b.exponent);
  scale = linear.col(0).stableNorm();
  // From the world's point nearest to the second center, so that its distance from the origin
  // cancels.
  const Vec3 apart = from.world_from_mesh * a.to_meters(Vec3::Zero()) -
                     to.world_from_mesh * b.to_meters(Vec3::Zero());
  offset = (inverse * apart).unaryExpr([&](double x) { return std::ldexp(x, -b.exponent); });
  target_reach = b.reach;
  reach = linear.cwiseAbs().rowwise().sum().maxCoeff() * a.reach + b.reach;
  const double world = largest_coordinate(from) + largest_coordinate(to);
  const double rounded =
      std::ldexp(inverse.cwiseAbs().rowwise().sum().maxCoeff() * world, -b.exponent);
  room = kDoubleRoom * rounded + kFloatRoom * (offset.cwiseAbs().maxCoeff() + reach);
}

}  // namespace plimsoll
