// Doubles as whole numbers: any finite coordinates, scaled by one common power of two, so that
// determinants of them are exact whatever their exponents.
#pragma once

#include <plimsoll/types.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace plimsoll::exact {

using Integer = boost::multiprecision::cpp_int;
using Point = std::array<Integer, 3>;

/// mantissa * 2^exponent, the mantissa odd or 0.
struct Dyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

/// `x` taken apart. Precondition: finite.
inline Dyadic dyadic(double x) {
  if (x == 0) return {};
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}

/// `points` times the power of two that makes all of them whole.
template <std::size_t N>
std::array<Point, N> to_integers(const std::array<Vec3, N>& points) {
  std::array<std::array<Dyadic, 3>, N> parts;
  int lowest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k) {
      parts[i][k] = dyadic(points[i][k]);
      if (parts[i][k].mantissa != 0) lowest = std::min(lowest, parts[i][k].exponent);
    }
  std::array<Point, N> scaled;
  for (std::size_t i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k) {
      scaled[i][k] = parts[i][k].mantissa;
      if (parts[i][k].mantissa != 0) scaled[i][k] <<= parts[i][k].exponent - lowest;
    }
  return scaled;
}

/// Twice the signed area of abc, projected along `axis`.
inline Integer orient2d(const Point& a, const Point& b, const Point& c, int axis) {
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

/// det(b - a, c - a, d - a).
inline Integer orient3d(const Point& a, const Point& b, const Point& c, const Point& d) {
  Integer sum = (d[0] - a[0]) * orient2d(a, b, c, 0);
  sum += (d[1] - a[1]) * orient2d(a, b, c, 1);
  sum += (d[2] - a[2]) * orient2d(a, b, c, 2);
  return sum;
}

}  // namespace plimsoll::exact
