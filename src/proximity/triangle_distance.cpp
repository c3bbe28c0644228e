#include "proximity/triangle_distance.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace plimsoll {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

/// What squares that underflow may add to a distance. The square of 2^-530 has some digits still.
constexpr double kUnderflow = 0x1p-530;

/// The same direction, longer where the square would lose digits by underflow.
Triple<double> lengthened(const Triple<double>& n) {
  constexpr double kUp = 0x1p600;
  return dot(n, n) < 0x1p-900 ? Triple<double>{kUp * n[0], kUp * n[1], kUp * n[2]} : n;
}
const Triple<Quad>& lengthened(const Triple<Quad>& n) { return n; }  // its exponents have room

/// How far the triangles are apart along `normal`, over its length; below 0 where they are not.
template <class Real>
Real gap_along(const Triple<Real>& normal, const TripleCorners<Real>& a,
               const TripleCorners<Real>& b) {
  using std::sqrt;
  const Triple<Real> n = lengthened(normal);
  const Real squared = dot(n, n);
  if (!(squared > Real(0))) return Real(0);
  // From a corner of b, so that the distance from the origin does not matter.
  const auto at = [&](const Triple<Real>& p) { return dot(n, p - b[0]); };
  const Real from[3] = {at(a[0]), at(a[1]), at(a[2])}, to[3] = {Real(0), at(b[1]), at(b[2])};
  const auto [a_low, a_high] = std::minmax({from[0], from[1], from[2]});
  const auto [b_low, b_high] = std::minmax({to[0], to[1], to[2]});
  return std::max(Real(a_low - b_high), Real(b_low - a_high)) / sqrt(squared);
}

/// The edge that the weights are of, or the normal of the face.
template <class Real>
Triple<Real> direction_of(const TripleCorners<Real>& corners, const Triple<Real>& weights,
                          bool& is_face) {
  is_face = true;
  for (std::size_t i = 0; i < 3; ++i)
    if (weights[i] == Real(0)) {
      is_face = false;
      return corners[(i + 2) % 3] - corners[(i + 1) % 3];
    }
  return cross(corners[1] - corners[0], corners[2] - corners[0]);
}

template <class Real>
struct Gap {
  Real along;
  Triple<Real> normal;  // of any length
};

/// The largest gap along the normals that the nearest points tell of.
template <class Real>
Gap<Real> largest_gap(const TripleCorners<Real>& a, const TripleCorners<Real>& b,
                      const NearestPoints<Real>& nearest) {
  bool is_face_of_a = false, is_face_of_b = false;
  const Triple<Real> of_a = direction_of(a, nearest.on_a, is_face_of_a);
  const Triple<Real> of_b = direction_of(b, nearest.on_b, is_face_of_b);
  Gap<Real> largest{Real(0), Triple<Real>{}};
  const auto offer = [&](const Triple<Real>& normal) {
    const Real along = gap_along(normal, a, b);
    if (along > largest.along) largest = {along, normal};
  };
  offer(point_of(a, nearest.on_a) - point_of(b, nearest.on_b));
  if (is_face_of_a) offer(of_a);
  if (is_face_of_b) offer(of_b);
  if (!is_face_of_a && !is_face_of_b) offer(cross(of_a, of_b));
  return largest;
}

template <class Real>
TripleCorners<Real> with_more_digits(const TripleCorners<double>& corners) {
  TripleCorners<Real> all;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) all[k][i] = corners[k][i];
  return all;
}

Triple<double> of_length_1(const Triple<double>& n) {
  const double length = std::sqrt(dot(n, n));
  if (!(length > 0)) return {0, 0, 0};
  return {n[0] / length, n[1] / length, n[2] / length};
}

double sharpness(double size, double distance) {
  return std::min(0x1p-44 * size, 0x1p-24 * distance);
}

}  // namespace

MeasuredDistance measured_in_113_bits(const TripleCorners<double>& a,
                                      const TripleCorners<double>& b) {
  const double size = std::sqrt(squared_size(a, b));
  const TripleCorners<Quad> wide_a = with_more_digits<Quad>(a), wide_b = with_more_digits<Quad>(b);
  const NearestPoints<Quad> wide = nearest_points(wide_a, wide_b);
  const Gap<Quad> gap = largest_gap(wide_a, wide_b, wide);
  MeasuredDistance found;
  for (std::size_t k = 0; k < 3; ++k) {
    found.nearest.on_a[k] = static_cast<double>(wide.on_a[k]);
    found.nearest.on_b[k] = static_cast<double>(wide.on_b[k]);
    found.normal[k] = static_cast<double>(gap.normal[k]);
  }
  found.normal = of_length_1(found.normal);
  found.nearest.squared = static_cast<double>(wide.squared);
  found.distance = static_cast<double>(Quad(sqrt(wide.squared)));
  const double rounding = 0x1p-52 * found.distance + 0x1p-100 * (size + kUnderflow);
  found.lower = std::max(0.0, static_cast<double>(gap.along) - rounding);
  found.upper = found.distance + rounding;
  found.sharpness = sharpness(size, found.distance);
  return found;
}

double squared_size(const TripleCorners<double>& a, const TripleCorners<double>& b) {
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double high = std::max({a[0][i], a[1][i], a[2][i], b[0][i], b[1][i], b[2][i]});
    const double low = std::min({a[0][i], a[1][i], a[2][i], b[0][i], b[1][i], b[2][i]});
    squared += (high - low) * (high - low);
  }
  return squared;
}

// A gap is the difference of two scalar products of a vector and the normal over its length: each
// is rounded by less than 6 e of the size, e = 2^-53, the length and the quotient by 4 e of the
// gap. The points are on the triangles to 5 e of the size each. A square is off by 2^-1074 at most
// where it underflows, and a distance is a root of the sum of some.
MeasuredDistance measured_in_doubles(const TripleCorners<double>& a, const TripleCorners<double>& b,
                                     const NearestPoints<double>& nearest) {
  constexpr double kRounding = 0x1p-49;
  const double size = std::sqrt(squared_size(a, b));
  const double rounding = kRounding * size + kUnderflow;
  const Gap<double> gap = largest_gap(a, b, nearest);
  MeasuredDistance found;
  found.nearest = nearest;
  found.distance = std::sqrt(nearest.squared);
  found.lower = std::max(0.0, gap.along - rounding);
  found.upper = found.distance + rounding;
  found.sharpness = sharpness(size, found.distance);
  found.normal = of_length_1(gap.normal);
  return found;
}

MeasuredDistance measured(const TripleCorners<double>& a, const TripleCorners<double>& b,
                          const NearestPoints<double>& nearest) {
  const MeasuredDistance found = measured_in_doubles(a, b, nearest);
  return is_sharp(found) ? found : measured_in_113_bits(a, b);
}

}  // namespace plimsoll
