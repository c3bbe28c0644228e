// Triangles against a leaf of four, compiled once per instruction set: what triangle_distance.h
// says, in the same order.
#include <limits>

#include "proximity/leaf_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/leaf_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/space_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
constexpr std::size_t kTriangles = PosedLeaf::kTriangles;
using Numbers = hn::CappedTag<double, kTriangles>;
using NumberVector = hn::Vec<Numbers>;

using Lanes = SpaceLanes<Numbers>;

HWY_INLINE NumberVector everywhere(double value) { return hn::Set(Numbers(), value); }
HWY_INLINE Lanes everywhere(const Triple<double>& v) { return set_space(Numbers(), v); }
HWY_INLINE Lanes corner_of(const PosedLeaf& leaf, std::size_t k, std::size_t lane) {
  return load_space(Numbers(), leaf.corner[k], lane);
}

/// a - x u - y v; the same bits as a + (-x) u + (-y) v.
HWY_INLINE Lanes less(const Lanes& a, NumberVector x, const Lanes& u, NumberVector y,
                      const Lanes& v) {
  Lanes sum;
  for (int i = 0; i < 3; ++i)
    sum.x[i] = hn::Sub(hn::Sub(a.x[i], hn::Mul(x, u.x[i])), hn::Mul(y, v.x[i]));
  return sum;
}
/// part / of in 0 to 1; where `of` is not above 0, the end that the sign of `part` tells.
HWY_INLINE NumberVector share(NumberVector part, NumberVector of) {
  const NumberVector zero = hn::Zero(Numbers()), one = everywhere(1);
  const NumberVector clamped = hn::Min(hn::Max(hn::Div(part, of), zero), one);
  return hn::IfThenElse(hn::Gt(of, zero), clamped, hn::IfThenElseZero(hn::Gt(part, zero), one));
}

/// The square of the distance from the face c + x side + y other to a corner above it at r from c;
/// `worst` where there is none.
HWY_INLINE NumberVector squared_over(const Lanes& r, const Lanes& side, const Lanes& other,
                                     NumberVector side2, NumberVector worst) {
  const NumberVector zero = hn::Zero(Numbers()), one = everywhere(1);
  const NumberVector part = dot(side, other);
  const NumberVector along = hn::Div(part, side2);
  Lanes square;
  for (int i = 0; i < 3; ++i) square.x[i] = hn::Sub(other.x[i], hn::Mul(along, side.x[i]));
  const NumberVector width2 = dot(square, square);
  const NumberVector y = hn::Div(dot(square, r), width2);
  const NumberVector x = hn::Div(hn::Sub(dot(side, r), hn::Mul(y, part)), side2);
  const Lanes apart = less(r, x, side, y, other);
  const auto is_face = hn::And(hn::Gt(side2, zero), hn::Gt(width2, zero));
  const auto is_over =
      hn::And(hn::And(hn::Ge(x, zero), hn::Ge(y, zero)), hn::Le(hn::Add(x, y), one));
  return hn::IfThenElse(hn::And(is_face, is_over), dot(apart, apart), worst);
}

void find_squares(const TripleCorners<double>& a, const PosedLeaf& b,
                  double (&squared)[kTriangles]) {
  const Numbers wide;
  for (std::size_t lane = 0; lane < kTriangles; lane += hn::Lanes(wide)) {
    Lanes p[3], q[3], u[3], v[3];
    NumberVector uu[3], vv[3];
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = everywhere(a[k]);
      q[k] = corner_of(b, k, lane);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      u[k] = difference(p[(k + 1) % 3], p[k]);
      v[k] = difference(q[(k + 1) % 3], q[k]);
      uu[k] = dot(u[k], u[k]);
      vv[k] = dot(v[k], v[k]);
    }
    NumberVector least = everywhere(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const Lanes r = difference(p[i], q[j]);
        const NumberVector along = dot(u[i], r), across = dot(v[j], r), both = dot(u[i], v[j]);
        NumberVector s = share(hn::Sub(hn::Mul(both, across), hn::Mul(along, vv[j])),
                               hn::Sub(hn::Mul(uu[i], vv[j]), hn::Mul(both, both)));
        const NumberVector t = share(hn::Add(hn::Mul(both, s), across), vv[j]);
        s = share(hn::Sub(hn::Mul(both, t), along), uu[i]);
        Lanes apart;
        for (int k = 0; k < 3; ++k)
          apart.x[k] = hn::Sub(hn::Add(r.x[k], hn::Mul(s, u[i].x[k])), hn::Mul(t, v[j].x[k]));
        least = hn::Min(least, dot(apart, apart));
      }
    const Lanes a_other = difference(p[2], p[0]), b_other = difference(q[2], q[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      const NumberVector on_b = squared_over(difference(p[k], q[0]), v[0], b_other, vv[0], least);
      const NumberVector on_a = squared_over(difference(q[k], p[0]), u[0], a_other, uu[0], least);
      least = hn::Min(least, hn::Min(on_a, on_b));
    }
    hn::StoreU(least, wide, squared + lane);
  }
}

// A product of n and a difference of corners is rounded by less than 2^-50 |n| times it.
LeafTriangles find_near(const PosedLeaf& a, const PosedLeaf& b, const Triple<double>& n,
                        double distance) {
  const Numbers wide;
  constexpr double kRounding = 0x1p-48;
  // From a corner of b, so that the distance from the origin does not matter.
  const Lanes origin = everywhere({b.corner[0][0][0], b.corner[0][1][0], b.corner[0][2][0]});
  const Lanes normal = everywhere(n);
  alignas(32) double low[2][kTriangles], high[2][kTriangles], far[2][kTriangles];  // along n
  const PosedLeaf* leaves[2] = {&a, &b};
  for (int side = 0; side < 2; ++side)
    for (std::size_t lane = 0; lane < kTriangles; lane += hn::Lanes(wide)) {
      NumberVector least, greatest, farthest = hn::Zero(wide);
      for (std::size_t k = 0; k < 3; ++k) {
        const Lanes x = difference(corner_of(*leaves[side], k, lane), origin);
        const NumberVector at = dot(normal, x);
        least = k == 0 ? at : hn::Min(least, at);
        greatest = k == 0 ? at : hn::Max(greatest, at);
        for (const NumberVector& part : x.x) farthest = hn::Max(farthest, hn::Abs(part));
      }
      hn::Store(least, wide, low[side] + lane);
      hn::Store(greatest, wide, high[side] + lane);
      hn::Store(farthest, wide, far[side] + lane);
    }
  // Squares of gaps are rounded by 2^-50 of themselves.
  const NumberVector limit2 = everywhere(distance * distance * (1 + 0x1p-49));
  const NumberVector zero = hn::Zero(wide);
  const NumberVector length = hn::Sqrt(dot(normal, normal)), rounding = everywhere(kRounding);
  const NumberVector limit =
      hn::IfThenElseZero(hn::Gt(length, zero), hn::Mul(everywhere(distance), length));
  LeafTriangles pairs;
  for (std::size_t i = 0; i < kTriangles; ++i)
    for (std::size_t lane = 0; lane < kTriangles; lane += hn::Lanes(wide)) {
      const auto between = [&](const double* b_low, const double* b_high, double a_low,
                               double a_high) {
        return hn::Max(zero, hn::Max(hn::Sub(hn::LoadU(wide, b_low + lane), everywhere(a_high)),
                                     hn::Sub(everywhere(a_low), hn::LoadU(wide, b_high + lane))));
      };
      const NumberVector room =
          hn::Mul(rounding, hn::Add(everywhere(far[0][i]), hn::Load(wide, far[1] + lane)));
      const NumberVector along = hn::Sub(between(low[1], high[1], low[0][i], high[0][i]), room);
      NumberVector squares = zero;
      for (int k = 0; k < 3; ++k) {
        const NumberVector gap = between(b.low[k], b.high[k], a.low[k][i], a.high[k][i]);
        squares = hn::Add(squares, hn::Mul(gap, gap));
      }
      const std::size_t first = kTriangles * i + lane;
      pairs.near |= bits_of(wide, hn::And(hn::Le(along, limit), hn::Le(squares, limit2))) << first;
      pairs.may_meet |= bits_of(wide, hn::And(hn::Le(along, zero), hn::Le(squares, zero))) << first;
    }
  return pairs;
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_squares);
HWY_EXPORT(find_near);
}  // namespace

void squared_distances(const TripleCorners<double>& a, const PosedLeaf& b,
                       double (&squared)[PosedLeaf::kTriangles]) {
  HWY_DYNAMIC_DISPATCH(find_squares)(a, b, squared);
}

LeafTriangles near_pairs(const PosedLeaf& a, const PosedLeaf& b, const Triple<double>& n,
                         double distance) {
  return HWY_DYNAMIC_DISPATCH(find_near)(a, b, n, distance);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
