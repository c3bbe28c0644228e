// Triangles against a leaf of four, compiled once per instruction set.
#include <limits>

#include "proximity/leaf_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/leaf_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "proximity/nearest_candidates.inc"
#include "proximity/point_squares.inc"

constexpr std::size_t kTriangles = PosedLeaf::kTriangles;
using Doubles = WideNumber<hn::CappedTag<double, kTriangles>>;

void find_squares(const TripleCorners<double>& a, const PosedLeaf& b,
                  double (&squared)[kTriangles]) {
  for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
    TripleCorners<Doubles> p, q;
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = everywhere<Doubles>(a[k]);
      q[k] = load<Doubles>(b.corner[k], lane);
    }
    Doubles least = everywhere<Doubles>(std::numeric_limits<double>::infinity());
    visit_candidates(
        p, q,
        [&](std::size_t /*i*/, std::size_t /*j*/, const EdgeCandidate<Doubles>& edges) {
          least = min(least, edges.squared);
        },
        [&](bool /*is_corner_of_a*/, std::size_t /*i*/, const FaceCandidate<Doubles>& face) {
          least = min(least, select(face.is_over, face.squared, least));
        });
    hn::StoreU(least.v, Doubles::kTag, squared + lane);
  }
}

void find_point_squares(const Triple<double>& point, const PosedLeaf& leaf,
                        double (&squared)[kTriangles], double (&rounding)[kTriangles]) {
  const Triple<Doubles> p = everywhere<Doubles>(point);
  for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
    TripleCorners<Doubles> corner;
    for (std::size_t k = 0; k < 3; ++k) corner[k] = load<Doubles>(leaf.corner[k], lane);
    const PointSquares<Doubles> found = point_squares<Doubles>(p, corner);
    hn::StoreU(found.squared.v, Doubles::kTag, squared + lane);
    // Sums and products of three are rounded by less than 2^-50 of themselves.
    hn::StoreU((everywhere<Doubles>(kSquareRounding * (1 + 0x1p-40)) * found.largest).v,
               Doubles::kTag, rounding + lane);
  }
}

// A product of n and a difference of corners is rounded by less than 2^-50 |n| times it.
LeafTriangles find_near(const PosedLeaf& a, const PosedLeaf& b, const Triple<double>& n,
                        double distance) {
  constexpr double kRounding = 0x1p-48;
  // From a corner of b, so that the distance from the origin does not matter.
  const Triple<Doubles> origin = everywhere<Doubles>(b.corner[0], 0),
                        normal = everywhere<Doubles>(n);
  alignas(32) double low[2][kTriangles], high[2][kTriangles], far[2][kTriangles];  // along n
  const PosedLeaf* leaves[2] = {&a, &b};
  for (int side = 0; side < 2; ++side)
    for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
      Doubles least, greatest, farthest = everywhere<Doubles>(0);
      for (std::size_t k = 0; k < 3; ++k) {
        const Triple<Doubles> x = load<Doubles>(leaves[side]->corner[k], lane) - origin;
        const Doubles at = dot(normal, x);
        least = k == 0 ? at : min(least, at);
        greatest = k == 0 ? at : max(greatest, at);
        for (const Doubles& part : x) farthest = max(farthest, absolute(part));
      }
      store(least, low[side] + lane);
      store(greatest, high[side] + lane);
      store(farthest, far[side] + lane);
    }
  // Squares of gaps are rounded by 2^-50 of themselves.
  const Doubles limit2 = everywhere<Doubles>(distance * distance * (1 + 0x1p-49));
  const Doubles zero = everywhere<Doubles>(0), rounding = everywhere<Doubles>(kRounding);
  const Doubles length = square_root(dot(normal, normal));
  const Doubles limit = select_or_zero(length > zero, everywhere<Doubles>(distance) * length);
  LeafTriangles pairs;
  for (std::size_t i = 0; i < kTriangles; ++i)
    for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
      const auto between = [&](const double* b_low, const double* b_high, double a_low,
                               double a_high) {
        return max(zero, max(load<Doubles>(b_low + lane) - everywhere<Doubles>(a_high),
                             everywhere<Doubles>(a_low) - load<Doubles>(b_high + lane)));
      };
      const Doubles room =
          rounding * (everywhere<Doubles>(far[0][i]) + load<Doubles>(far[1] + lane));
      const Doubles along = between(low[1], high[1], low[0][i], high[0][i]) - room;
      Doubles squares = zero;
      for (int k = 0; k < 3; ++k) {
        const Doubles gap = between(b.low[k], b.high[k], a.low[k][i], a.high[k][i]);
        squares = squares + gap * gap;
      }
      const std::size_t first = kTriangles * i + lane;
      pairs.near |= bits_of(Doubles::kTag, all_hold(along <= limit, squares <= limit2)) << first;
      pairs.may_meet |= bits_of(Doubles::kTag, all_hold(along <= zero, squares <= zero)) << first;
    }
  return pairs;
}

// The determinants of the line and each edge as rounded_orient3d computes them, and their bounds.
unsigned find_on_line(const RayPoints& ray, const PosedLeaf& leaf) {
  const Vec3 to = ray.through - ray.from;
  const Triple<Doubles> from = everywhere<Doubles>({ray.from[0], ray.from[1], ray.from[2]});
  const Triple<Doubles> d = everywhere<Doubles>({to[0], to[1], to[2]});
  const Doubles rounding = everywhere<Doubles>(9 * 0x1p-53);
  const Doubles least = everywhere<Doubles>(0x1p-1000), one = everywhere<Doubles>(1);
  unsigned apart = 0;
  for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
    Triple<Doubles> corner[3];
    for (std::size_t k = 0; k < 3; ++k) corner[k] = load<Doubles>(leaf.corner[k], lane) - from;
    Doubles left_of = everywhere<Doubles>(0), right_of = left_of;  // 1 where an edge surely is
    for (std::size_t k = 0; k < 3; ++k) {
      const Triple<Doubles>&p = corner[k], &q = corner[(k + 1) % 3];
      Doubles det[3], size[3];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
        const Doubles left = d[j] * p[l], right = d[l] * p[j];
        det[i] = q[i] * (left - right);
        size[i] = absolute(q[i]) * (absolute(left) + absolute(right));
      }
      const Doubles lengths = absolute(q[0]) + absolute(q[1]) + absolute(q[2]) + one;
      const Doubles bound = rounding * (size[0] + size[1] + size[2]) + least * lengths;
      const Doubles value = det[0] + det[1] + det[2];
      // Where they overflow nothing is known: comparisons with what is no number are false.
      left_of = select(value > bound, one, left_of);
      right_of = select(value < -bound, one, right_of);
    }
    apart |= bits_of(Doubles::kTag, left_of + right_of > one) << lane;
  }
  return ~apart & ((1U << kTriangles) - 1);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_squares);
HWY_EXPORT(find_point_squares);
HWY_EXPORT(find_near);
HWY_EXPORT(find_on_line);
}  // namespace

void squared_distances(const TripleCorners<double>& a, const PosedLeaf& b,
                       double (&squared)[PosedLeaf::kTriangles]) {
  HWY_DYNAMIC_DISPATCH(find_squares)(a, b, squared);
}

void squared_distances(const Triple<double>& point, const PosedLeaf& leaf,
                       double (&squared)[PosedLeaf::kTriangles],
                       double (&rounding)[PosedLeaf::kTriangles]) {
  HWY_DYNAMIC_DISPATCH(find_point_squares)(point, leaf, squared, rounding);
}

LeafTriangles near_pairs(const PosedLeaf& a, const PosedLeaf& b, const Triple<double>& n,
                         double distance) {
  return HWY_DYNAMIC_DISPATCH(find_near)(a, b, n, distance);
}

unsigned on_line(const RayPoints& ray, const PosedLeaf& leaf) {
  return HWY_DYNAMIC_DISPATCH(find_on_line)(ray, leaf);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
