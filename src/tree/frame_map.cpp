#include "tree/frame_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kDoubleRoom = 0x1p-44;

}  // namespace

double largest_coordinate(const PosedTree& posed) {
  const Box3& box = posed.tree->box;
  const Vec3 largest = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
  const Vec3 sums = posed.world_from_mesh.linear().cwiseAbs() * largest +
                    posed.world_from_mesh.translation().cwiseAbs();
  return std::max(sums.maxCoeff(), std::numeric_limits<double>::min());
}

double unit_of(const PosedTree& posed) {
  return std::ldexp(posed.world_from_mesh.linear().col(0).stableNorm(), posed.tree->frame.exponent);
}

Vec3 posed_center(const PosedTree& posed) {
  const BodyFrame& frame = posed.tree->frame;
  if (frame.exponent == 0) return posed.world_from_mesh * frame.center;
  // Either the pose's scale or the frame's alone may over- or underflow, where both together do
  // not.
  const Mat3 linear = posed.world_from_mesh.linear();
  const int scale = exponent_of(linear.cwiseAbs().maxCoeff());
  const Mat3 turn = linear.unaryExpr([&](double x) { return times_power_of_two(x, -scale); });
  const Vec3 from_origin = turn * frame.center;
  return posed.world_from_mesh.translation() + from_origin.unaryExpr([&](double x) {
    return times_power_of_two(x, scale + frame.exponent);
  });
}

FrameMap::FrameMap(const PosedTree& from, const PosedTree& to) {
  const BodyFrame &a = from.tree->frame, &b = to.tree->frame;
  // The scale of a pose or of a frame alone may over- or underflow, where all together do not.
  const int scale_of_pose = exponent_of(to.world_from_mesh.linear().cwiseAbs().maxCoeff());
  const auto scaled = [](int exponent) {
    return [exponent](double x) { return times_power_of_two(x, exponent); };
  };
  const Mat3 inverse =
      Mat3(to.world_from_mesh.linear().unaryExpr(scaled(-scale_of_pose))).inverse();
  const int units = -scale_of_pose - b.exponent;  // of the world, after `inverse`
  linear = (inverse * from.world_from_mesh.linear()).unaryExpr(scaled(units + a.exponent));
  scale = linear.col(0).stableNorm();
  // From the world's point nearest to the second center, so that its distance from the origin
  // cancels.
  offset = (inverse * (posed_center(from) - posed_center(to))).unaryExpr(scaled(units));
  target_reach = b.reach;
  reach = linear.cwiseAbs().rowwise().sum().maxCoeff() * a.reach + b.reach;
  const double world = largest_coordinate(from) + largest_coordinate(to);
  const double rounded =
      times_power_of_two(inverse.cwiseAbs().rowwise().sum().maxCoeff() * world, units);
  room = kDoubleRoom * (rounded + offset.cwiseAbs().maxCoeff() + reach);
}

}  // namespace plimsoll
