#include "overlap/moved_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/exact.h"
#include "core/predicates.h"

namespace plimsoll {
namespace {

constexpr double kAccuracy = 0x1p-44;

/// c1, and the most that it is off by.
//
// A term passes through at most 11 roundings: 8 as in predicates.cpp, one more of its ways being
// differences, and two sums. Twice as much is granted.
RoundedDeterminant slope(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                         const MovedPoint& d) {
  const Vec3 x[3] = {b.at - a.at, c.at - a.at, d.at - a.at};
  const Vec3 w[3] = {b.way - a.way, c.way - a.way, d.way - a.way};
  double value = 0, size = 0;
  for (int moved = 0; moved < 3; ++moved) {
    const Vec3 &u = w[moved], &v = x[(moved + 1) % 3], &z = x[(moved + 2) % 3];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double left = v[j] * z[k], right = v[k] * z[j];
      value += u[i] * (left - right);
      size += std::fabs(u[i]) * (std::fabs(left) + std::fabs(right));
    }
  }
  return {value, 0x1p-48 * size + 0x1p-1000};
}

using Rows = std::array<exact::Point, 3>;

/// b, c and d from a.
Rows rows_of(const exact::Point& a, const exact::Point& b, const exact::Point& c,
             const exact::Point& d) {
  Rows rows{b, c, d};
  for (exact::Point& row : rows)
    for (std::size_t k = 0; k < 3; ++k) row[k] -= a[k];
  return rows;
}

exact::Integer determinant(const exact::Point& x, const exact::Point& y, const exact::Point& z) {
  return exact::orient3d({0, 0, 0}, x, y, z);
}

/// The coefficient of e^power of the determinant of x + e w.
exact::Integer coefficient(const Rows& x, const Rows& w, int power) {
  exact::Integer sum = 0;
  for (unsigned moved = 0; moved < 8; ++moved) {  // bit i: row i is a way
    if (std::popcount(moved) != power) continue;
    const auto row = [&](unsigned i) -> const exact::Point& {
      return (moved >> i & 1U) != 0 ? w[i] : x[i];
    };
    sum += determinant(row(0), row(1), row(2));
  }
  return sum;
}

/// x 2^exponent, its first 64 bits.
LeadingTerm term_of(const exact::Integer& x, int exponent, int power) {
  const exact::Integer size = abs(x);
  const int drop = std::max(static_cast<int>(msb(size)) - 63, 0);
  const auto kept = static_cast<double>(static_cast<std::uint64_t>(exact::Integer(size >> drop)));
  return {x.sign() * kept, drop + exponent, power, 0x1p-52};
}

/// The power of two that to_integers divides by.
int unit_exponent(const std::array<Vec3, 4>& points) {
  int lowest = std::numeric_limits<int>::max();
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k)
      if (const exact::Dyadic part = exact::dyadic(p[k]); part.mantissa != 0)
        lowest = std::min(lowest, part.exponent);
  return lowest == std::numeric_limits<int>::max() ? 0 : lowest;
}

/// The first that is not 0 of c0, c1, ..., `from` on.
LeadingTerm exact_leading_term(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                               const MovedPoint& d, int from) {
  const std::array<Vec3, 4> at{a.at, b.at, c.at, d.at}, way{a.way, b.way, c.way, d.way};
  const auto p = exact::to_integers(at), v = exact::to_integers(way);
  const Rows x = rows_of(p[0], p[1], p[2], p[3]), w = rows_of(v[0], v[1], v[2], v[3]);
  const int unit = unit_exponent(at), way_unit = unit_exponent(way);
  for (int power = from; power < 4; ++power) {
    const exact::Integer sum = coefficient(x, w, power);
    if (sum != 0) return term_of(sum, (3 - power) * unit + power * way_unit, power);
  }
  return {0, 0, 3, 0};
}

int sign_of(double x) { return (x > 0) - (x < 0); }

}  // namespace

int sign_of_motion(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                   const MovedPoint& d) {
  const RoundedDeterminant c1 = slope(a, b, c, d);
  if (c1.is_positive()) return 1;
  if (c1.is_negative()) return -1;
  return sign_of(exact_leading_term(a, b, c, d, 1).value);
}

int moved_orient3d(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                   const MovedPoint& d) {
  const int sign = orient3d(a.at, b.at, c.at, d.at);
  return sign != 0 ? sign : sign_of_motion(a, b, c, d);
}

// With h the determinants of the planes, the way is passed at a share of h(p) / (h(p) - h(q)): that
// of t is less than that of u if h_u(p) h_t(q) - h_t(p) h_u(q) has not the sign of h_t(p) h_u(p).
bool passes_before(const MovedPoint& p, const MovedPoint& q, const std::array<MovedPoint, 3>& t,
                   const std::array<MovedPoint, 3>& u) {
  using Polynomial = std::array<exact::Integer, 4>;
  const auto at =
      exact::to_integers<8>({p.at, q.at, t[0].at, t[1].at, t[2].at, u[0].at, u[1].at, u[2].at});
  const auto way = exact::to_integers<8>(
      {p.way, q.way, t[0].way, t[1].way, t[2].way, u[0].way, u[1].way, u[2].way});
  const auto height = [&](std::size_t triangle, std::size_t point) {
    const Rows x = rows_of(at[triangle], at[triangle + 1], at[triangle + 2], at[point]);
    const Rows w = rows_of(way[triangle], way[triangle + 1], way[triangle + 2], way[point]);
    return Polynomial{coefficient(x, w, 0), coefficient(x, w, 1), coefficient(x, w, 2),
                      coefficient(x, w, 3)};
  };
  const Polynomial tp = height(2, 0), tq = height(2, 1), up = height(5, 0), uq = height(5, 1);
  const int sides = moved_orient3d(t[0], t[1], t[2], p) * moved_orient3d(u[0], u[1], u[2], p);
  for (std::size_t power = 0; power < 7; ++power) {
    exact::Integer sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
      if (power >= i && power - i < 4) sum += up[i] * tq[power - i] - tp[i] * uq[power - i];
    if (sum != 0) return sum.sign() * sides < 0;
  }
  return false;
}

LeadingTerm leading_term(const MovedPoint& a, const MovedPoint& b, const MovedPoint& c,
                         const MovedPoint& d) {
  if (orient3d(a.at, b.at, c.at, d.at) != 0) return exact_leading_term(a, b, c, d, 0);
  const RoundedDeterminant c1 = slope(a, b, c, d);
  const double size = std::fabs(c1.value);
  if (c1.bound < kAccuracy * size) return {c1.value, 0, 1, c1.bound / size};
  return exact_leading_term(a, b, c, d, 1);
}

}  // namespace plimsoll
