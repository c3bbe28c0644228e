#include "core/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/exact.h"
#include "core/expansion.h"
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

// Sets `difference` to b - a and returns whether that is exact and of a size whose triple products
// neither overflow nor reach below 2^-1074: its last bit is not under 2^-352.
bool subtract_exactly(const Vec3& b, const Vec3& a, Vec3& difference) {
  for (int k = 0; k < 3; ++k) {
    const Parts parts = exact_sum(b[k], -a[k]);
    const double size = std::fabs(parts.high);
    if (parts.low != 0 || !(size <= 0x1p300) || (size < 0x1p-300 && size != 0)) return false;
    difference[k] = parts.high;
  }
  return true;
}

int expanded_orient3d(const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion<24> det;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) continue;
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    Expansion<4> minor;
    minor.add_product(b[u], c[v]);
    minor.add_product(-b[v], c[u]);
    for (int i = 0; i < minor.size(); ++i) det.add_product(minor[i], d[k]);
  }
  return det.sign();
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
  // Four points in a plane square to an axis, the commonest case of all.
  for (int k = 0; k < 3; ++k)
    if (a[k] == b[k] && a[k] == c[k] && a[k] == d[k]) return 0;
  Vec3 ab, ac, ad;
  if (subtract_exactly(b, a, ab) && subtract_exactly(c, a, ac) && subtract_exactly(d, a, ad))
    return expanded_orient3d(ab, ac, ad);
  const RoundedDeterminant scaled = scaled_orient3d(a, b, c, d);
  if (scaled.is_positive()) return 1;
  if (scaled.is_negative()) return -1;
  const auto p = exact::to_integers<4>({a, b, c, d});
  return exact::orient3d(p[0], p[1], p[2], p[3]).sign();
}

int exact_orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if ((a[u] == b[u] && a[u] == c[u]) || (a[v] == b[v] && a[v] == c[v])) return 0;
  Vec3 ab, ac;
  if (subtract_exactly(b, a, ab) && subtract_exactly(c, a, ac)) {
    Expansion<4> area;
    area.add_product(ab[u], ac[v]);
    area.add_product(-ab[v], ac[u]);
    return area.sign();
  }
  const auto p = exact::to_integers<3>({a, b, c});
  return exact::orient2d(p[0], p[1], p[2], axis).sign();
}

}  // namespace

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
