#include "core/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/double_double.h"
#include "core/exact.h"
#include "core/power_of_two.h"

// The filter. With u = 2^-53, every difference, product and sum is exact up to a factor 1 + e,
// |e| <= u, except that a product below the normal range is off by at most 2^-1075. A term of
// det = d.(b x c), all relative to a, passes through at most 8 roundings: three differences, two
// products, the difference of products and two sums. So, P the sum of the absolute terms,
//
//   |computed det - det| <= ((1 + u)^8 - 1) P <= 8.001 u P,
//
// and P as computed is at least (1 - u)^8 P; 9 u P covers both and its own rounding. Underflow adds
// at most 3 x 2^-1074 (|d|_1 + 1), far below the 2^-1000 (|d|_1 + 1) granted. The area of a
// triangle in the plane takes 4 roundings; 5 u P likewise. Overflow leaves the bound infinite or
// NaN, and no comparison with it succeeds.

namespace plimsoll {
namespace {

constexpr double kRounding = 0x1p-53;
constexpr double kUnderflow = 0x1p-1000;

/// A difference of two points, its coordinates unevaluated sums.
using ExactVector = std::array<Parts, 3>;

/// b - a. Nothing unless each number in it is 0 or of a size whose triple products neither overflow
/// nor reach below 2^-1074: its last bit is not under 2^-352.
std::optional<ExactVector> exact_difference(const Vec3& b, const Vec3& a) {
  const auto is_fit = [](double x) {
    const double size = std::fabs(x);
    return size <= 0x1p300 && (size >= 0x1p-300 || size == 0);
  };
  ExactVector difference;
  for (int k = 0; k < 3; ++k) {
    difference[k] = exact_sum(b[k], -a[k]);
    if (!is_fit(difference[k].high) || !is_fit(difference[k].low)) return std::nullopt;
  }
  return difference;
}

bool is_rounded(const ExactVector& x) { return x[0].low != 0 || x[1].low != 0 || x[2].low != 0; }
Vec3 rounded(const ExactVector& x) { return {x[0].high, x[1].high, x[2].high}; }

/// Adds a b.
template <int N>
void add_product(Expansion<N>& sum, const Parts& a, const Parts& b) {
  for (const double x : {a.low, a.high})
    for (const double y : {b.low, b.high})
      if (x != 0 && y != 0) sum.add_product(x, y);
}

/// a b - c d.
template <int N>
Expansion<N> difference_of_products(const Parts& a, const Parts& b, const Parts& c,
                                    const Parts& d) {
  Expansion<N> sum;
  add_product(sum, a, b);
  add_product(sum, -c, d);
  return sum;
}

/// det(b, c, d) of numbers that are not rounded.
Expansion<24> expanded_determinant(const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion<24> det;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) continue;
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    Expansion<4> minor;
    minor.add_product(b[u], c[v]);
    minor.add_product(-b[v], c[u]);
    for (int i = 0; i < minor.size(); ++i) det.add_product(minor[i], d[k]);
  }
  return det;
}

/// The same of sums of two numbers each: slower.
int expanded_sign(const ExactVector& b, const ExactVector& c, const ExactVector& d) {
  Expansion<192> det;
  for (int k = 0; k < 3; ++k) {
    if (d[k].high == 0) continue;
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    const Expansion<16> minor = difference_of_products<16>(b[u], c[v], b[v], c[u]);
    for (int i = 0; i < minor.size(); ++i) add_product(det, {minor[i], 0}, d[k]);
  }
  return det.sign();
}

/// det(b, c, d) in numbers of 106 bits. With u = 2^-53 and P the sum of the absolute terms, a
/// product is off by at most 8 u^2 of itself, and a sum by 3 u^2 of its terms: u^2 for the product
/// that is left out, and u for each rounding of what is at most 3 u of the terms. A term passes
/// through two products and three sums: 25 u^2 P, below 2^-101 P.
RoundedDeterminant accurate_determinant(const ExactVector& b, const ExactVector& c,
                                        const ExactVector& d) {
  Parts det{0, 0};
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Parts left = b[i] * c[j], right = b[j] * c[i];
    det = det + (left - right) * d[k];
    size += (std::fabs(left.high) + std::fabs(right.high)) * std::fabs(d[k].high);
  }
  return {det.high, 0x1p-100 * size + 0x1p-52 * std::fabs(det.high) + 0x1p-1000};
}

int expanded_orient3d(const ExactVector& b, const ExactVector& c, const ExactVector& d) {
  const RoundedDeterminant det = accurate_determinant(b, c, d);
  if (det.is_positive()) return 1;
  if (det.is_negative()) return -1;
  const bool is_exact = !is_rounded(b) && !is_rounded(c) && !is_rounded(d);
  return is_exact ? expanded_determinant(rounded(b), rounded(c), rounded(d)).sign()
                  : expanded_sign(b, c, d);
}

// The filter again, each axis in units of its own: a factor for a column of the determinant does
// not change its sign. Nothing overflows but differences, and what falls below the smallest number
// is covered as underflow is.
RoundedDeterminant scaled_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<Vec3, 3> from_a{b - a, c - a, d - a};
  for (int k = 0; k < 3; ++k) {
    double largest = 0;
    for (const Vec3& v : from_a) largest = std::max(largest, std::fabs(v[k]));
    if (largest == 0 || !std::isfinite(largest)) continue;
    for (Vec3& v : from_a) v[k] = times_power_of_two(v[k], -exponent_of(largest));
  }
  return rounded_orient3d(Vec3::Zero(), from_a[0], from_a[1], from_a[2]);
}

int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // Four points in a plane square to an axis, or a point twice: the commonest cases of all.
  for (int k = 0; k < 3; ++k)
    if (a[k] == b[k] && a[k] == c[k] && a[k] == d[k]) return 0;
  if (d == a || d == b || d == c || a == b || b == c || c == a) return 0;
  const auto ab = exact_difference(b, a), ac = exact_difference(c, a), ad = exact_difference(d, a);
  if (ab && ac && ad) return expanded_orient3d(*ab, *ac, *ad);
  const RoundedDeterminant scaled = scaled_orient3d(a, b, c, d);
  if (scaled.is_positive()) return 1;
  if (scaled.is_negative()) return -1;
  const auto p = exact::to_integers<4>({a, b, c, d});
  return exact::orient3d(p[0], p[1], p[2], p[3]).sign();
}

int exact_orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if ((a[u] == b[u] && a[u] == c[u]) || (a[v] == b[v] && a[v] == c[v])) return 0;
  const auto ab = exact_difference(b, a), ac = exact_difference(c, a);
  if (ab && ac) return difference_of_products<16>((*ab)[u], (*ac)[v], (*ab)[v], (*ac)[u]).sign();
  const auto p = exact::to_integers<3>({a, b, c});
  return exact::orient2d(p[0], p[1], p[2], axis).sign();
}

}  // namespace

RoundedDeterminant accurate_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto ab = exact_difference(b, a), ac = exact_difference(c, a), ad = exact_difference(d, a);
  if (!ab || !ac || !ad) return {0, std::numeric_limits<double>::infinity()};
  return accurate_determinant(*ab, *ac, *ad);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const RoundedDeterminant det = rounded_orient3d(a, b, c, d);
  if (det.is_positive()) return 1;
  if (det.is_negative()) return -1;
  return exact_orient3d(a, b, c, d);
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double left = (b[u] - a[u]) * (c[v] - a[v]);
  const double right = (b[v] - a[v]) * (c[u] - a[u]);
  const double area = left - right;
  const double bound = 5 * kRounding * (std::fabs(left) + std::fabs(right)) + kUnderflow;
  if (area > bound) return 1;
  if (area < -bound) return -1;
  return exact_orient2d(a, b, c, axis);
}

bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0;
}

}  // namespace plimsoll
