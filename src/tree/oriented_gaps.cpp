// How far a box is from the eight of a node, side by side, compiled once per instruction set.
#include <limits>

#include "tree/oriented_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/oriented_gaps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
constexpr std::size_t kChildren = TriangleTree::kChildren;

template <class Real>
using Row = WideNumber<hn::CappedTag<Real, kChildren>>;
template <class Real>
using Rows = Triple<Row<Real>>;

template <class Number>
HWY_INLINE Number sum_of_parts(const Triple<Number>& x) {
  return (absolute(x[0]) + absolute(x[1])) + absolute(x[2]);
}

/// Boxes about 0.
template <class Real>
struct Boxes {
  Rows<Real> axis[3], half;

  /// The point that is nearly nearest to `p`.
  HWY_INLINE Rows<Real> project(const Rows<Real>& p) const {
    Rows<Real> nearest;
    for (std::size_t j = 0; j < 3; ++j) {
      const Rows<Real> part = clamped(dot(axis[j], p), -half[j], half[j]) * axis[j];
      nearest = j == 0 ? part : nearest + part;
    }
    return nearest;
  }
  /// How far they go along `n`.
  HWY_INLINE Row<Real> extent_along(const Rows<Real>& n) const {
    return dot(half, Rows<Real>{absolute(dot(n, axis[0])), absolute(dot(n, axis[1])),
                                absolute(dot(n, axis[2]))});
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
  using Number = Row<Real>;
  const Number zero = everywhere<Number>(0), rounding = everywhere<Number>(kRounding<Real>);
  const Boxes<Real> one{{everywhere<Number>(from.axis[0], k), everywhere<Number>(from.axis[1], k),
                         everywhere<Number>(from.axis[2], k)},
                        everywhere<Number>(from.half, k)};
  const Rows<Real> center = everywhere<Number>(from.center, k);
  for (std::size_t lane = 0; lane < kChildren; lane += Number::kWidth) {
    const Boxes<Real> other{{load<Number>(boxes.axis[0], lane), load<Number>(boxes.axis[1], lane),
                             load<Number>(boxes.axis[2], lane)},
                            load<Number>(boxes.half, lane)};
    const Rows<Real> d = load<Number>(boxes.center, lane) - center;
    const Rows<Real> on_other = other.project(one.project(d) - d);
    const Rows<Real> on_one = one.project(d + on_other);
    // Of about 1, so that no square over- or underflows.
    Rows<Real> n = (d + on_other) - on_one;
    const Number largest = max(max(absolute(n[0]), absolute(n[1])), absolute(n[2]));
    n = everywhere<Number>(1) / max(largest, everywhere<Number>(std::numeric_limits<Real>::min())) *
        n;
    const Number between = (dot(n, d) - one.extent_along(n)) - other.extent_along(n);
    const Number sizes = (sum_of_parts(d) + sum_of_parts(one.half)) + sum_of_parts(other.half);
    const Number gap = between / square_root(dot(n, n)) - rounding * sizes;
    // Not a number where the boxes have a center in common.
    const Number known = select(gap > zero, gap, zero);
    hn::StoreU(known.v, Number::kTag, gaps.gap + lane);
    for (std::size_t i = 0; i < 3; ++i) hn::StoreU(n[i].v, Number::kTag, gaps.normal[i] + lane);
    const auto is_near = all_hold(other.half[0] >= zero, known <= everywhere<Number>(farthest));
    gaps.near |= bits_of(Number::kTag, is_near) << lane;
  }
}

template <class Real>
HWY_INLINE Rows<Real> turned(const OrientedMap<Real>& map, const Rows<Real>& from) {
  Rows<Real> rows;
  for (std::size_t i = 0; i < 3; ++i)
    rows[i] = dot(everywhere<Row<Real>>({map.turn[i][0], map.turn[i][1], map.turn[i][2]}), from);
  return rows;
}

/// Floats, as what they are taken for.
HWY_INLINE void load_as(const float (&rows)[3][kChildren], std::size_t lane, Rows<float>& loaded) {
  loaded = load<Row<float>>(rows, lane);
}
HWY_INLINE void load_as(const float (&rows)[3][kChildren], std::size_t lane, Rows<double>& loaded) {
  const auto wide = Row<double>::kTag;
  const hn::Rebind<float, decltype(wide)> narrow;
  for (std::size_t i = 0; i < 3; ++i)
    loaded[i] = {hn::PromoteTo(wide, hn::LoadU(narrow, rows[i] + lane))};
}

template <class Real>
HWY_INLINE void map_rows(const OrientedMap<Real>& map, const OrientedBoxes& from,
                         OrientedRows<Real>& to) {
  using Number = Row<Real>;
  const Number scale = everywhere<Number>(map.scale), zero = everywhere<Number>(0);
  for (std::size_t lane = 0; lane < kChildren; lane += Number::kWidth) {
    Rows<Real> rows;
    for (std::size_t j = 0; j < 3; ++j) {
      load_as(from.axis[j], lane, rows);
      store(turned(map, rows), to.axis[j], lane);
    }
    load_as(from.center, lane, rows);
    const Rows<Real> center = turned(map, rows);
    load_as(from.half, lane, rows);
    for (std::size_t i = 0; i < 3; ++i) {
      store(scale * center[i] + everywhere<Number>(map.offset[i]), to.center[i] + lane);
      // Those of no child stay below 0, however small the scale is.
      store(select(rows[i] < zero, rows[i], scale * rows[i]), to.half[i] + lane);
    }
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
