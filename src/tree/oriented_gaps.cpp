// How far a box is from the eight of a node, side by side, compiled once per instruction set.
#include <limits>

#include "tree/oriented_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/oriented_gaps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/space_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
constexpr std::size_t kChildren = TriangleTree::kChildren;

template <class Real>
using Rows = hn::CappedTag<Real, kChildren>;
template <class Real>
using RowVector = hn::Vec<Rows<Real>>;
template <class Real>
using Space = SpaceLanes<Rows<Real>>;

template <class Real>
HWY_INLINE RowVector<Real> everywhere(Real value) {
  return hn::Set(Rows<Real>(), value);
}
template <class Real>
HWY_INLINE Space<Real> loaded(const Real (&rows)[3][kChildren], std::size_t lane) {
  return load_space(Rows<Real>(), rows, lane);
}
/// Number k of each row, everywhere.
template <class Real>
HWY_INLINE Space<Real> spread(const Real (&rows)[3][kChildren], std::size_t k) {
  return {{everywhere(rows[0][k]), everywhere(rows[1][k]), everywhere(rows[2][k])}};
}

template <class Vector>
HWY_INLINE Vector sum_of_parts(const Vector (&x)[3]) {
  return hn::Add(hn::Add(hn::Abs(x[0]), hn::Abs(x[1])), hn::Abs(x[2]));
}

/// Boxes about 0.
template <class Real>
struct Boxes {
  using Vector = RowVector<Real>;
  Space<Real> axis[3], half;

  /// The point that is nearly nearest to `p`.
  HWY_INLINE Space<Real> project(const Space<Real>& p) const {
    Space<Real> nearest;
    for (int j = 0; j < 3; ++j) {
      const Vector along = hn::Min(hn::Max(dot(axis[j], p), hn::Neg(half.x[j])), half.x[j]);
      for (int i = 0; i < 3; ++i) {
        const Vector part = hn::Mul(along, axis[j].x[i]);
        nearest.x[i] = j == 0 ? part : hn::Add(nearest.x[i], part);
      }
    }
    return nearest;
  }
  /// How far they go along `n`.
  HWY_INLINE Vector extent_along(const Space<Real>& n) const {
    const Space<Real> along{
        {hn::Abs(dot(n, axis[0])), hn::Abs(dot(n, axis[1])), hn::Abs(dot(n, axis[2]))}};
    return dot(half, along);
  }
};

/// Of the sizes: 2^-19 for floats, 2^-48 for doubles.
template <class Real>
inline constexpr Real kRounding = 16 * std::numeric_limits<Real>::epsilon();

// With u = 2^-24 or 2^-53, each of the three terms of the bound costs at most 8 u of |n| (|d| + |h|
// + |h'|), the differences of the centers and all sums included; the root and the quotient 3 u
// more.
template <class Real>
HWY_INLINE void find_gaps_of(const OrientedRows<Real>& from, std::size_t k,
                             const OrientedRows<Real>& boxes, Real farthest,
                             OrientedGaps<Real>& gaps) {
  gaps.near = 0;
  using Vector = RowVector<Real>;
  constexpr Rows<Real> wide;
  const Vector zero = hn::Zero(wide), rounding = everywhere(kRounding<Real>);
  const Boxes<Real> one{{spread(from.axis[0], k), spread(from.axis[1], k), spread(from.axis[2], k)},
                        spread(from.half, k)};
  const Space<Real> center = spread(from.center, k);
  for (std::size_t lane = 0; lane < kChildren; lane += hn::Lanes(wide)) {
    const Boxes<Real> other{
        {loaded(boxes.axis[0], lane), loaded(boxes.axis[1], lane), loaded(boxes.axis[2], lane)},
        loaded(boxes.half, lane)};
    const Space<Real> d = difference(loaded(boxes.center, lane), center);
    const Space<Real> on_other = other.project(difference(one.project(d), d));
    const Space<Real> on_one = one.project(sum(d, on_other));
    // Of about 1, so that no square over- or underflows.
    Space<Real> n = difference(sum(d, on_other), on_one);
    const Vector largest = hn::Max(hn::Max(hn::Abs(n.x[0]), hn::Abs(n.x[1])), hn::Abs(n.x[2]));
    const Vector scale = hn::Div(everywhere(Real(1)),
                                 hn::Max(largest, everywhere(std::numeric_limits<Real>::min())));
    for (Vector& x : n.x) x = hn::Mul(x, scale);
    const Vector between = hn::Sub(hn::Sub(dot(n, d), one.extent_along(n)), other.extent_along(n));
    const Vector sizes =
        hn::Add(hn::Add(sum_of_parts(d.x), sum_of_parts(one.half.x)), sum_of_parts(other.half.x));
    const Vector gap = hn::Sub(hn::Div(between, hn::Sqrt(dot(n, n))), hn::Mul(rounding, sizes));
    // Not a number where the boxes have a center in common.
    const Vector known = hn::IfThenElse(hn::Gt(gap, zero), gap, zero);
    hn::StoreU(known, wide, gaps.gap + lane);
    for (int i = 0; i < 3; ++i) hn::StoreU(n.x[i], wide, gaps.normal[i] + lane);
    const auto is_near =
        hn::And(hn::Ge(other.half.x[0], zero), hn::Le(known, everywhere(farthest)));
    gaps.near |= bits_of(wide, is_near) << lane;
  }
}

template <class Real>
HWY_INLINE void turn_rows(const OrientedMap<Real>& map, const Space<Real>& from,
                          Space<Real>& turned) {
  for (int i = 0; i < 3; ++i) {
    const Space<Real> row{
        {everywhere(map.turn[i][0]), everywhere(map.turn[i][1]), everywhere(map.turn[i][2])}};
    turned.x[i] = dot(row, from);
  }
}

/// Floats, as what they are taken for.
HWY_INLINE Space<float> loaded_as(Rows<float> /*wide*/, const float (&rows)[3][kChildren],
                                  std::size_t lane) {
  return loaded(rows, lane);
}
HWY_INLINE Space<double> loaded_as(Rows<double> wide, const float (&rows)[3][kChildren],
                                   std::size_t lane) {
  const hn::Rebind<float, Rows<double>> narrow;
  Space<double> widened;
  for (int i = 0; i < 3; ++i) widened.x[i] = hn::PromoteTo(wide, hn::LoadU(narrow, rows[i] + lane));
  return widened;
}

template <class Real>
HWY_INLINE void store(const Space<Real>& from, Real (&rows)[3][kChildren], std::size_t lane) {
  for (int i = 0; i < 3; ++i) hn::Store(from.x[i], Rows<Real>(), rows[i] + lane);
}

template <class Real>
HWY_INLINE void map_rows(const OrientedMap<Real>& map, const OrientedBoxes& from,
                         OrientedRows<Real>& to) {
  const Rows<Real> wide;
  const RowVector<Real> scale = everywhere(map.scale), zero = hn::Zero(wide);
  for (std::size_t lane = 0; lane < kChildren; lane += hn::Lanes(wide)) {
    Space<Real> turned;
    for (int j = 0; j < 3; ++j) {
      turn_rows(map, loaded_as(wide, from.axis[j], lane), turned);
      store(turned, to.axis[j], lane);
    }
    turn_rows(map, loaded_as(wide, from.center, lane), turned);
    Space<Real> half = loaded_as(wide, from.half, lane);
    for (int i = 0; i < 3; ++i) {
      turned.x[i] = hn::Add(hn::Mul(scale, turned.x[i]), everywhere(map.offset[i]));
      // Those of no child stay below 0, however small the scale is.
      half.x[i] = hn::IfThenElse(hn::Lt(half.x[i], zero), half.x[i], hn::Mul(scale, half.x[i]));
    }
    store(turned, to.center, lane);
    store(half, to.half, lane);
  }
}

void find_in_floats(const OrientedRows<float>& one, std::size_t k, const OrientedRows<float>& boxes,
                    float farthest, OrientedGaps<float>& gaps) {
  find_gaps_of(one, k, boxes, farthest, gaps);
}
void find_in_doubles(const OrientedRows<double>& one, std::size_t k,
                     const OrientedRows<double>& boxes, double farthest,
                     OrientedGaps<double>& gaps) {
  find_gaps_of(one, k, boxes, farthest, gaps);
}
void map_to_floats(const OrientedMap<float>& map, const OrientedBoxes& from,
                   OrientedRows<float>& to) {
  map_rows(map, from, to);
}
void map_to_doubles(const OrientedMap<double>& map, const OrientedBoxes& from,
                    OrientedRows<double>& to) {
  map_rows(map, from, to);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_in_floats);
HWY_EXPORT(find_in_doubles);
HWY_EXPORT(map_to_floats);
HWY_EXPORT(map_to_doubles);
}  // namespace

void find_gaps(const OrientedRows<float>& one, std::size_t k, const OrientedRows<float>& boxes,
               float farthest, OrientedGaps<float>& gaps) {
  HWY_DYNAMIC_DISPATCH(find_in_floats)(one, k, boxes, farthest, gaps);
}
void find_gaps(const OrientedRows<double>& one, std::size_t k, const OrientedRows<double>& boxes,
               double farthest, OrientedGaps<double>& gaps) {
  HWY_DYNAMIC_DISPATCH(find_in_doubles)(one, k, boxes, farthest, gaps);
}

void map_boxes(const OrientedMap<float>& map, const OrientedBoxes& from, OrientedRows<float>& to) {
  HWY_DYNAMIC_DISPATCH(map_to_floats)(map, from, to);
}
void map_boxes(const OrientedMap<double>& map, const OrientedBoxes& from,
               OrientedRows<double>& to) {
  HWY_DYNAMIC_DISPATCH(map_to_doubles)(map, from, to);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
