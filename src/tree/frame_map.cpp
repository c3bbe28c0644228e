#include "tree/frame_map.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kDoubleRoom = 0x1p-44, kFloatRoom = 0x1p-20;

/// Of all coordinates of the posed body.
double largest_coordinate(const PosedTree& posed) {
  const Box3& box = posed.tree->box;
  const Vec3 largest = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
  const Vec3 sums = posed.world_from_mesh.linear().cwiseAbs() * largest +
                    posed.world_from_mesh.translation().cwiseAbs();
  return sums.maxCoeff();
}

double scale_of(const PosedTree& posed) {
  return posed.world_from_mesh.linear().col(0).stableNorm();
}

}  // namespace

FrameMap::FrameMap(const PosedTree& from, const PosedTree& to) {
  const BodyFrame &source = from.tree->frame, &target = to.tree->frame;
  const double size = to.world_from_mesh.linear().cwiseAbs().maxCoeff();
  const Mat3 inverse = Mat3(to.world_from_mesh.linear() / size).inverse() / size;
  const double units = std::ldexp(1.0, source.exponent - target.exponent);
  linear = inverse * from.world_from_mesh.linear() * units;
  scale = scale_of(from) / scale_of(to) * units;
  // From the world's point nearest to the second center, so that its distance from the origin
  // cancels.
  const Vec3 center = from.world_from_mesh * source.to_meters(Vec3::Zero());
  const Vec3 apart = center - to.world_from_mesh * target.to_meters(Vec3::Zero());
  offset = (inverse * apart).unaryExpr([&](double x) { return std::ldexp(x, -target.exponent); });
  const double world = largest_coordinate(from) + largest_coordinate(to);
  const double reach = linear.cwiseAbs().rowwise().sum().maxCoeff() * source.reach + target.reach;
  const double rounded =
      std::ldexp(inverse.cwiseAbs().rowwise().sum().maxCoeff() * world, -target.exponent);
  room = kDoubleRoom * rounded + kFloatRoom * (offset.cwiseAbs().maxCoeff() + reach);
}

double unit_of(const PosedTree& posed) {
  return std::ldexp(scale_of(posed), posed.tree->frame.exponent);
}

}  // namespace plimsoll
