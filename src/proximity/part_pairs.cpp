#include "proximity/part_pairs.h"

#include "core/power_of_two.h"

namespace plimsoll {

PosedBodies::PosedBodies(const PosedTree& a, const std::vector<OrientedBoxes>& a_boxes,
                         const PosedTree& b, const std::vector<OrientedBoxes>& b_boxes)
    : tree{a, b}, boxes{&a_boxes, &b_boxes} {
  constexpr double kLargest = 0x1p8;  // then the rounding of floats is 2^-11 of the smaller body
  double size[2];
  for (int side = 0; side < 2; ++side) {
    unit[side] = unit_of(tree[side]);
    size[side] = unit[side] * tree[side].tree->frame.reach;
  }
  const Vec3 apart = posed_center(tree[1]) - posed_center(tree[0]);
  exponent = frame_exponent(std::max({size[0], size[1], apart.cwiseAbs().maxCoeff()}));
  offset[0] = Vec3::Zero();
  offset[1] = apart.unaryExpr([&](double x) { return times_power_of_two(x, -exponent); });
  for (int side = 0; side < 2; ++side) {
    // All coordinates of a point are 0, so that any unit is right; its own may be 0 or infinite
    // here.
    const bool is_point = tree[side].tree->frame.reach == 0;
    unit[side] = is_point ? 1 : times_power_of_two(unit[side], -exponent);
    size[side] = times_power_of_two(size[side], -exponent);
  }
  // Half of the diagonal of a box is no longer than twice the reach.
  extent = 2 * (size[0] + size[1]) + offset[1].cwiseAbs().maxCoeff();
  largest = times_power_of_two(std::max(largest_coordinate(tree[0]), largest_coordinate(tree[1])),
                               -exponent);
  // Units are no floats where a mesh is far larger or smaller than the body that its pose makes of
  // it.
  const auto is_float = [](double of) { return of > 0x1p-100 && of < 0x1p100; };
  are_for_floats =
      extent <= kLargest * std::min(size[0], size[1]) && is_float(unit[0]) && is_float(unit[1]);
}

}  // namespace plimsoll
