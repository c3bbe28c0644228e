// The common part of two triangles, exactly, by clipping one by the half-spaces of the other: an
// oracle for what the library decides by signs of determinants.
#pragma once

#include <plimsoll/types.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plimsoll::test {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

template <class Number>
struct PointOf {
  std::array<Number, 3> coordinate;
  const Number& operator[](std::size_t k) const { return coordinate[k]; }
  bool operator==(const PointOf&) const = default;
};

using ExactPoint = PointOf<Rational>;
using LatticePoint = PointOf<Integer>;

template <class Number>
PointOf<Number> operator-(const PointOf<Number>& a, const PointOf<Number>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Number>
PointOf<Number> operator-(const PointOf<Number>& a) {
  return {-a[0], -a[1], -a[2]};
}
template <class Number>
Number dot(const PointOf<Number>& a, const PointOf<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
PointOf<Number> cross(const PointOf<Number>& a, const PointOf<Number>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline ExactPoint mix(const ExactPoint& a, const ExactPoint& b, const Rational& t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}
inline ExactPoint exact(const Vec3& p) {
  return {Rational(p.x()), Rational(p.y()), Rational(p.z())};
}

/// The point `times` / `by`, by > 0: quotients are never formed, whose reduction would take all the
/// time.
struct Quotient {
  LatticePoint times;
  Integer by;
};

/// Where normal . (p - origin) >= 0.
struct HalfSpace {
  LatticePoint normal, origin;

  Integer height(const Quotient& p) const {  // p.by times as large
    return dot(normal, p.times) - p.by * dot(normal, origin);
  }
};

/// The part of a convex polygon in a half-space. A polygon may be a segment or a point.
inline std::vector<Quotient> clip(const std::vector<Quotient>& polygon, const HalfSpace& half) {
  std::vector<Quotient> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Quotient &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    Integer hp = half.height(p), hq = half.height(q);
    if (hp >= 0) kept.push_back(p);
    if (hp.sign() * hq.sign() >= 0) continue;
    if (hp < 0) {
      hp = -hp;
      hq = -hq;
    }
    const auto between = [&](std::size_t k) { return Integer(q.times[k] * hp - p.times[k] * hq); };
    kept.push_back({{between(0), between(1), between(2)}, hp * q.by - hq * p.by});
  }
  return kept;
}

/// Half-spaces whose common part is the segment from `a` to `b`, which may be one point.
inline std::vector<HalfSpace> half_spaces(const LatticePoint& a, const LatticePoint& b) {
  const LatticePoint along = b - a;
  std::vector<HalfSpace> halves;
  for (std::size_t k = 0; k < 3; ++k) {
    LatticePoint axis{0, 0, 0};
    axis.coordinate[k] = 1;
    // All three normals to the line; of a point, the axes.
    const LatticePoint normal = a == b ? axis : cross(along, axis);
    halves.push_back({normal, a});
    halves.push_back({-normal, a});
  }
  if (a != b) {
    halves.push_back({along, a});
    halves.push_back({-along, b});
  }
  return halves;
}

/// Half-spaces whose common part is the triangle, which may have no area.
inline std::vector<HalfSpace> half_spaces(const std::array<LatticePoint, 3>& v) {
  const LatticePoint normal = cross(v[1] - v[0], v[2] - v[0]);
  if (normal == LatticePoint{0, 0, 0}) {  // its longest side
    std::size_t longest = 0;
    const auto length = [&](std::size_t i) {
      return dot(v[(i + 1) % 3] - v[i], v[(i + 1) % 3] - v[i]);
    };
    for (std::size_t i = 1; i < 3; ++i)
      if (length(i) > length(longest)) longest = i;
    return half_spaces(v[longest], v[(longest + 1) % 3]);
  }
  std::vector<HalfSpace> halves{{normal, v[0]}, {-normal, v[0]}};
  for (std::size_t i = 0; i < 3; ++i)
    halves.push_back({cross(normal, v[(i + 1) % 3] - v[i]), v[i]});
  return halves;
}

/// Numbers of two triangles are whole multiples of 2^-digits.
inline int binary_digits(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  int digits = 0;
  for (const auto* triangle : {&t, &u})
    for (const Vec3& p : *triangle)
      for (const double x : p)
        if (x != 0) digits = std::max(digits, 52 - std::ilogb(x));
  return digits;
}

inline LatticePoint scaled(const Vec3& p, int digits) {
  const auto whole = [&](double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    const Integer mantissa(static_cast<long long>(std::ldexp(fraction, 53)));
    const int shift = exponent - 53 + digits;
    return shift >= 0 ? Integer(mantissa << shift) : Integer(mantissa >> -shift);
  };
  return {whole(p.x()), whole(p.y()), whole(p.z())};
}

/// Whether the corners of two triangles lie so far apart along a direction that no rounding of the
/// products and sums, 4 units of 2^-53 of their magnitudes, can be the reason.
inline bool is_gap(const Vec3& way, const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  double magnitude = 0;
  std::array<double, 3> of_t, of_u;
  for (std::size_t i = 0; i < 3; ++i) {
    of_t[i] = way.dot(t[i]);
    of_u[i] = way.dot(u[i]);
    magnitude = std::max(
        {magnitude, way.cwiseAbs().dot(t[i].cwiseAbs()), way.cwiseAbs().dot(u[i].cwiseAbs())});
  }
  const auto [low, high] = std::minmax({of_t[0], of_t[1], of_t[2]});
  const auto [lower, higher] = std::minmax({of_u[0], of_u[1], of_u[2]});
  return std::max(lower - high, low - higher) > 0x1p-49 * magnitude;
}

/// Most pairs are apart along an axis, a normal or the normal to two sides.
inline bool are_clearly_apart(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  const auto side = [](const std::array<Vec3, 3>& of, std::size_t i) {
    return Vec3(of[(i + 1) % 3] - of[i]);
  };
  for (int k = 0; k < 3; ++k)
    if (is_gap(Vec3::Unit(k), t, u)) return true;
  for (const auto* of : {&t, &u})
    if (is_gap(side(*of, 0).cross(side(*of, 1)), t, u)) return true;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (is_gap(side(t, i).cross(side(u, j)), t, u)) return true;
  return false;
}

/// The convex polygon that two triangles share, 2^digits times as large; empty where they are
/// apart.
inline std::vector<Quotient> common_polygon(const std::array<Vec3, 3>& t,
                                            const std::array<Vec3, 3>& u, int digits) {
  const auto of = [&](const Vec3& p) { return scaled(p, digits); };
  std::vector<Quotient> part;
  for (const Vec3& p : t) part.push_back({of(p), 1});
  for (const HalfSpace& half : half_spaces({of(u[0]), of(u[1]), of(u[2])})) part = clip(part, half);
  return part;
}

/// The same, as points.
inline std::vector<ExactPoint> common_part(const std::array<Vec3, 3>& t,
                                           const std::array<Vec3, 3>& u) {
  const int digits = binary_digits(t, u);
  std::vector<ExactPoint> points;
  for (const Quotient& p : common_polygon(t, u, digits)) {
    const Integer by = p.by << digits;
    points.push_back(
        {Rational(p.times[0], by), Rational(p.times[1], by), Rational(p.times[2], by)});
  }
  return points;
}

[[nodiscard]] inline bool have_common_point(const std::array<Vec3, 3>& t,
                                            const std::array<Vec3, 3>& u) {
  return !are_clearly_apart(t, u) && !common_polygon(t, u, binary_digits(t, u)).empty();
}

}  // namespace plimsoll::test
