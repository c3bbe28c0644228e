// The distance of two triangles, and where they are nearest.
//
// Triangles that have no point in common are nearest at a corner of one and a point of the other,
// or at points of an edge of each: nine pairs of edges and six of a corner and a face are tried,
// and the least distance is that of the triangles. Each try ends in weights of the corners that are
// no less than 0 and have the sum 1, however the solution of its equations is rounded: so what is
// found are points of the triangles, and their distance is no less than the least.
//
// Nor is it much more. Let M be the largest distance of two corners, e = 2^-53, and q the angle of
// two edges u, v at the points p + s u, q + t v. Over s, with the best t, the square of the
// distance is a parabola of curvature u.u sin^2 q, and rounding moves s by no more than 46 e M /
// (|u| sin^2 q), nor by more than 1: it adds less than 46 e M^2. Where the curvature is lost in
// rounding, the parabola is a line, whose slope says at which end s is. In a face with the angle q
// between two sides, of which the one is taken square to the other, rounding moves the foot of a
// corner by 29 e M / sin q; but the edges are no farther from the foot than M sin q / 2: it adds
// less than 15 e M^2. Sums add as much again, so that
//   least^2 >= found^2 - kSquareRounding M^2.
// That is little against M, not against a small distance. A lower bound that is comes from a
// normal: for any n the distance is at least
//   (min n . a_i - max n . b_j) / |n|,
// and for the normal of the face, of both edges, or along the two points, it is the distance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace plimsoll {

/// The corners of a triangle, or any vector; of doubles, or of numbers with more digits.
template <class Real>
using Triple = std::array<Real, 3>;
template <class Real>
using TripleCorners = std::array<Triple<Real>, 3>;

template <class Real>
struct NearestPoints {
  Triple<Real> on_a, on_b;  ///< Weights of the corners.
  Real squared;             ///< Of the distance.
};

/// Of the square of the largest distance of any two corners.
inline constexpr double kSquareRounding = 0x1p-46;

namespace triple {

template <class Real>
Triple<Real> difference(const Triple<Real>& a, const Triple<Real>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Real>
Real dot(const Triple<Real>& a, const Triple<Real>& b) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}
template <class Real>
Triple<Real> cross(const Triple<Real>& a, const Triple<Real>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// a + x u + y v
template <class Real>
Triple<Real> sum(const Triple<Real>& a, const Real& x, const Triple<Real>& u, const Real& y,
                 const Triple<Real>& v) {
  return {a[0] + x * u[0] + y * v[0], a[1] + x * u[1] + y * v[1], a[2] + x * u[2] + y * v[2]};
}

}  // namespace triple

/// Of triangles that have no point in common; of others, points that may be apart although they
/// meet. Triangles may be segments or points.
template <class Real>
[[nodiscard]] NearestPoints<Real> nearest_points(const TripleCorners<Real>& a,
                                                 const TripleCorners<Real>& b) {
  using triple::difference;
  using triple::dot;
  const Real zero = 0, one = 1;
  const auto share = [&](const Real& part, const Real& of) {
    if (of > zero) return std::min(std::max(Real(part / of), zero), one);
    return part > zero ? one : zero;
  };
  TripleCorners<Real> u, v;  // edges, from each corner to the next
  Triple<Real> uu, vv;
  for (std::size_t i = 0; i < 3; ++i) {
    u[i] = difference(a[(i + 1) % 3], a[i]);
    v[i] = difference(b[(i + 1) % 3], b[i]);
    uu[i] = dot(u[i], u[i]);
    vv[i] = dot(v[i], v[i]);
  }
  NearestPoints<Real> nearest;
  bool is_first = true;
  const auto offer = [&](const Real& squared, const Triple<Real>& on_a, const Triple<Real>& on_b) {
    if (!is_first && !(squared < nearest.squared)) return;
    is_first = false;
    nearest = {on_a, on_b, squared};
  };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Triple<Real> r = difference(a[i], b[j]);
      const Real along = dot(u[i], r), across = dot(v[j], r), both = dot(u[i], v[j]);
      Real s = share(both * across - along * vv[j], uu[i] * vv[j] - both * both);
      const Real t = share(both * s + across, vv[j]);
      s = share(both * t - along, uu[i]);
      const Triple<Real> apart = triple::sum(r, s, u[i], Real(-t), v[j]);
      Triple<Real> on_a{}, on_b{};
      on_a[i] = one - s;
      on_a[(i + 1) % 3] = s;
      on_b[j] = one - t;
      on_b[(j + 1) % 3] = t;
      offer(dot(apart, apart), on_a, on_b);
    }
  // A corner over the face c + x side + y other.
  const auto over = [&](const Triple<Real>& p, const Triple<Real>& c, const Triple<Real>& side,
                        const Triple<Real>& other, const Real& side2, Triple<Real>& weights,
                        Triple<Real>& apart) {
    const Triple<Real> r = difference(p, c), none{};
    const Real part = dot(side, other);
    if (!(side2 > zero)) return false;
    const Triple<Real> square = triple::sum(other, Real(-part / side2), side, zero, none);
    const Real width2 = dot(square, square);
    if (!(width2 > zero)) return false;
    const Real y = dot(square, r) / width2;
    const Real x = (dot(side, r) - y * part) / side2;
    if (!(x >= zero && y >= zero && x + y <= one)) return false;
    weights = {std::max(Real(one - x - y), zero), x, y};
    apart = triple::sum(r, Real(-x), side, Real(-y), other);
    return true;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    Triple<Real> weights, apart, corner{};
    corner[i] = one;
    if (over(a[i], b[0], v[0], difference(b[2], b[0]), vv[0], weights, apart))
      offer(dot(apart, apart), corner, weights);
    if (over(b[i], a[0], u[0], difference(a[2], a[0]), uu[0], weights, apart))
      offer(dot(apart, apart), weights, corner);
  }
  return nearest;
}

/// The point with these weights.
template <class Real>
[[nodiscard]] Triple<Real> point_of(const TripleCorners<Real>& corners,
                                    const Triple<Real>& weights) {
  return triple::sum(corners[0], weights[1], triple::difference(corners[1], corners[0]), weights[2],
                     triple::difference(corners[2], corners[0]));
}

/// A pair of nearest points, and numbers that the true distance lies between.
struct MeasuredDistance {
  NearestPoints<double> nearest;
  double distance = 0, lower = 0, upper = 0;
  /// What `upper` and `lower` differ by at most, unless the distance is below 2^-36 of the largest
  /// distance of two corners: 2^-44 of that, and 2^-24 of the distance.
  double sharpness = 0;
  /// Of a length of about 1, or 0: along it the triangles are `lower` apart, but for rounding.
  Triple<double> normal{};
};

/// Of triangles that have no point in common, whose sizes and distance are between 2^-200 and
/// 2^200, or 0. `nearest` are their nearest_points. Where doubles are not sharp
/// enough, 113 bits are taken: 20 us.
[[nodiscard]] MeasuredDistance measured(const TripleCorners<double>& a,
                                        const TripleCorners<double>& b,
                                        const NearestPoints<double>& nearest);

/// An upper bound of the square of the largest distance of any two corners.
[[nodiscard]] double squared_size(const TripleCorners<double>& a, const TripleCorners<double>& b);

/// Whether triangles are closer than a distance, exactly, of any size. Those that are not between
/// 2^-190 and 2^190 large, their distance included, take 0.2 ms.
class Closeness {
 public:
  /// `distance` is a number; it may be infinite.
  explicit Closeness(double distance);

  [[nodiscard]] double distance() const { return distance_; }

  /// Precondition: they have no point in common; `squared` is that of their nearest_points.
  [[nodiscard]] bool holds(const TripleCorners<double>& a, const TripleCorners<double>& b,
                           double squared) const;

 private:
  double distance_;
  double surely_closer_, surely_farther_;  // squares
};

}  // namespace plimsoll
