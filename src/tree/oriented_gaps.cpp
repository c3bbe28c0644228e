// How far a box is from the eight of a node, side by side, compiled once per instruction set.
#include <limits>

#include "tree/oriented_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/oriented_gaps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tree/space_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
constexpr std::size_t kChildren = TriangleTree::kChildren;
using Floats = hn::CappedTag<float, kChildren>;
using FloatVector = hn::Vec<Floats>;

using Space = SpaceLanes<Floats>;

HWY_INLINE FloatVector everywhere(float value) { return hn::Set(Floats(), value); }
HWY_INLINE Space everywhere(const float (&v)[3]) { return set_space(Floats(), v); }
HWY_INLINE Space loaded(const float (&rows)[3][kChildren], std::size_t lane) {
  return load_space(Floats(), rows, lane);
}

HWY_INLINE FloatVector sum_of_parts(const Space& a) {
  return hn::Add(hn::Add(hn::Abs(a.x[0]), hn::Abs(a.x[1])), hn::Abs(a.x[2]));
}

/// Boxes about 0.
struct Boxes {
  Space axis[3], half;

  /// The point that is nearly nearest to `p`.
  HWY_INLINE Space project(const Space& p) const {
    Space nearest;
    for (int j = 0; j < 3; ++j) {
      const FloatVector along = hn::Min(hn::Max(dot(axis[j], p), hn::Neg(half.x[j])), half.x[j]);
      for (int i = 0; i < 3; ++i) {
        const FloatVector part = hn::Mul(along, axis[j].x[i]);
        nearest.x[i] = j == 0 ? part : hn::Add(nearest.x[i], part);
      }
    }
    return nearest;
  }
  /// How far they go along `n`.
  HWY_INLINE FloatVector extent_along(const Space& n) const {
    const Space along{
        {hn::Abs(dot(n, axis[0])), hn::Abs(dot(n, axis[1])), hn::Abs(dot(n, axis[2]))}};
    return dot(half, along);
  }
};

// With u = 2^-24, each of the three terms of the bound costs at most 8 u of |n| (|d| + |h| + |h'|),
// the differences of the centers and all sums included; the root and the quotient 3 u more.
void find_gaps(const OrientedBox& box, const OrientedBoxes& boxes, float (&gaps)[kChildren]) {
  const Floats wide;
  const FloatVector zero = hn::Zero(wide), rounding = everywhere(0x1p-19F);
  const Boxes one{{everywhere(box.axis[0]), everywhere(box.axis[1]), everywhere(box.axis[2])},
                  everywhere(box.half)};
  for (std::size_t lane = 0; lane < kChildren; lane += hn::Lanes(wide)) {
    const Boxes other{
        {loaded(boxes.axis[0], lane), loaded(boxes.axis[1], lane), loaded(boxes.axis[2], lane)},
        loaded(boxes.half, lane)};
    const Space d = difference(loaded(boxes.center, lane), everywhere(box.center));
    Space on_one = one.project(d);
    Space on_other = other.project(difference(on_one, d));
    on_one = one.project(sum(d, on_other));
    on_other = other.project(difference(on_one, d));
    // Of about 1, so that no square over- or underflows.
    Space n = difference(sum(d, on_other), on_one);
    const FloatVector largest = hn::Max(hn::Max(hn::Abs(n.x[0]), hn::Abs(n.x[1])), hn::Abs(n.x[2]));
    const FloatVector scale =
        hn::Div(everywhere(1), hn::Max(largest, everywhere(std::numeric_limits<float>::min())));
    for (FloatVector& x : n.x) x = hn::Mul(x, scale);
    const FloatVector between =
        hn::Sub(hn::Sub(dot(n, d), one.extent_along(n)), other.extent_along(n));
    const FloatVector sizes =
        hn::Add(hn::Add(sum_of_parts(d), sum_of_parts(one.half)), sum_of_parts(other.half));
    const FloatVector gap =
        hn::Sub(hn::Div(between, hn::Sqrt(dot(n, n))), hn::Mul(rounding, sizes));
    // Not a number where the boxes have a center in common.
    const FloatVector known = hn::IfThenElse(hn::Gt(gap, zero), gap, zero);
    const FloatVector found = hn::IfThenElse(
        hn::Lt(other.half.x[0], zero), everywhere(std::numeric_limits<float>::infinity()), known);
    hn::StoreU(found, wide, gaps + lane);
  }
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_gaps);
}  // namespace

void gaps_from_below(const OrientedBox& box, const OrientedBoxes& boxes,
                     float (&gaps)[TriangleTree::kChildren]) {
  HWY_DYNAMIC_DISPATCH(find_gaps)(box, boxes, gaps);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
