// The distance of two triangles in rational numbers: an oracle that shares nothing with the
// library.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "proximity/triangle_distance.h"

namespace plimsoll::test {

using Rational = boost::multiprecision::cpp_rational;
using Point = std::array<Rational, 3>;

inline Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Rational times(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The least distance of affine hulls of features, of those
// whose nearest points lie within the features. Nothing is clamped.

// The nearest points of p + span(u) and q + span(v) solve the normal equations, by Cramer's rule,
// if they are one pair.
inline std::optional<std::vector<Rational>> solved(std::vector<std::vector<Rational>> m,
                                                   std::vector<Rational> right) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && m[pivot][k] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(m[k], m[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || m[i][k] == 0) continue;
      const Rational f = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= f * m[k][j];
      right[i] -= f * right[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) right[k] /= m[k][k];
  return right;
}

// Features are corners, edges and faces: one to three points.
inline std::optional<Rational> squared_distance(const std::vector<Point>& f,
                                                const std::vector<Point>& g) {
  std::vector<Point> along;
  for (std::size_t i = 1; i < f.size(); ++i) along.push_back(minus(f[i], f[0]));
  for (std::size_t i = 1; i < g.size(); ++i) along.push_back(minus(g[0], g[i]));
  const Point r = minus(f[0], g[0]);
  const std::size_t n = along.size();
  std::vector<std::vector<Rational>> m(n, std::vector<Rational>(n));
  std::vector<Rational> right(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m[i][j] = times(along[i], along[j]);
    right[i] = -times(along[i], r);
  }
  const std::optional<std::vector<Rational>> x = solved(m, right);
  if (!x) return std::nullopt;
  Rational of_f = 0, of_g = 0;
  Point apart = r;
  for (std::size_t i = 0; i < n; ++i) {
    if ((*x)[i] < 0) return std::nullopt;
    (i + 1 < f.size() ? of_f : of_g) += (*x)[i];
    for (std::size_t k = 0; k < 3; ++k) apart[k] += (*x)[i] * along[i][k];
  }
  if (of_f > 1 || of_g > 1) return std::nullopt;
  return times(apart, apart);
}

inline Rational exact_squared_distance(const TripleCorners<double>& a,
                                       const TripleCorners<double>& b) {
  const auto features = [](const TripleCorners<double>& t) {
    std::vector<Point> p;
    for (const Triple<double>& c : t) p.push_back({Rational(c[0]), Rational(c[1]), Rational(c[2])});
    return std::vector<std::vector<Point>>{
        {p[0]}, {p[1]}, {p[2]}, {p[0], p[1]}, {p[1], p[2]}, {p[2], p[0]}, {p[0], p[1], p[2]}};
  };
  std::optional<Rational> least;
  for (const std::vector<Point>& f : features(a))
    for (const std::vector<Point>& g : features(b)) {
      if (f.size() + g.size() > 4) continue;  // no more than four are ever needed
      const std::optional<Rational> squared = squared_distance(f, g);
      if (squared && (!least || *squared < *least)) least = squared;
    }
  return *least;
}

}  // namespace plimsoll::test
