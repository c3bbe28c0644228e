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

#include "simd/plain_number.h"
#include "simd/triple.h"

namespace plimsoll {

template <class Real>
using TripleCorners = std::array<Triple<Real>, 3>;

template <class Real>
struct NearestPoints {
  Triple<Real> on_a, on_b;  ///< Weights of the corners.
  Real squared;             ///< Of the distance.
};

/// Of the square of the largest distance of any two corners.
inline constexpr double kSquareRounding = 0x1p-46;

#include "proximity/nearest_candidates.inc"

/// Of triangles that have no point in common; of others, points that may be apart although they
/// meet. Triangles may be segments or points.
template <class Real>
[[nodiscard]] NearestPoints<Real> nearest_points(const TripleCorners<Real>& a,
                                                 const TripleCorners<Real>& b) {
  const Real zero(0), one(1);
  NearestPoints<Real> nearest;
  bool is_first = true;
  const auto offer = [&](const Real& squared, const Triple<Real>& on_a, const Triple<Real>& on_b) {
    if (!is_first && !(squared < nearest.squared)) return;
    is_first = false;
    nearest = {on_a, on_b, squared};
  };
  visit_candidates(
      a, b,
      [&](std::size_t i, std::size_t j, const EdgeCandidate<Real>& edges) {
        Triple<Real> on_a{}, on_b{};
        on_a[i] = one - edges.s;
        on_a[(i + 1) % 3] = edges.s;
        on_b[j] = one - edges.t;
        on_b[(j + 1) % 3] = edges.t;
        offer(edges.squared, on_a, on_b);
      },
      [&](bool is_corner_of_a, std::size_t i, const FaceCandidate<Real>& face) {
        if (!face.is_over) return;
        const Triple<Real> weights{std::max(Real(one - face.x - face.y), zero), face.x, face.y};
        Triple<Real> corner{};
        corner[i] = one;
        if (is_corner_of_a)
          offer(face.squared, corner, weights);
        else
          offer(face.squared, weights, corner);
      });
  return nearest;
}

/// The point with these weights.
template <class Real>
[[nodiscard]] Triple<Real> point_of(const TripleCorners<Real>& corners,
                                    const Triple<Real>& weights) {
  return (corners[0] + weights[1] * (corners[1] - corners[0])) +
         weights[2] * (corners[2] - corners[0]);
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

/// The distance of triangles that have no point in common, whose sizes and distance are no more
/// than 2^200. `nearest` are their nearest_points. Doubles may not be sharp enough.
[[nodiscard]] MeasuredDistance measured_in_doubles(const TripleCorners<double>& a,
                                                   const TripleCorners<double>& b,
                                                   const NearestPoints<double>& nearest);
/// Whether `upper` and `lower` differ by no more than `sharpness`.
[[nodiscard]] inline bool is_sharp(const MeasuredDistance& distance) {
  return distance.upper - distance.lower <= distance.sharpness;
}
/// The same in 113 bits.
[[nodiscard]] MeasuredDistance measured_in_113_bits(const TripleCorners<double>& a,
                                                    const TripleCorners<double>& b);
/// The first where it is sharp, else the second.
[[nodiscard]] MeasuredDistance measured(const TripleCorners<double>& a,
                                        const TripleCorners<double>& b,
                                        const NearestPoints<double>& nearest);

/// An upper bound of the square of the largest distance of any two corners.
[[nodiscard]] double squared_size(const TripleCorners<double>& a, const TripleCorners<double>& b);

}  // namespace plimsoll
