// Adaptive integration in long double of slices z = const and of chords of the section: what
// submersion_oracle.h is made of.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace plimsoll::test {

using Real = long double;
using RealVec3 = Eigen::Matrix<Real, 3, 1>;
using RealMat3 = Eigen::Matrix<Real, 3, 3>;

inline constexpr Real kPi = std::numbers::pi_v<Real>;

/// What the library should find: `first` is volume times center, `section_first` area times center,
/// `section_second` the integral of (p - center) (p - center)^T over the section.
struct TrueSubmersion {
  Real volume = 0, wetted_area = 0, section_area = 0;
  RealVec3 first = RealVec3::Zero(), section_first = RealVec3::Zero();
  RealMat3 section_second = RealMat3::Zero();
};

/// By halves until Lobatto's rule with 4 points and Kronrod's extension of it to 7 agree
/// [GanderGautschi2000]. Both have points at the ends, so that an integrand that starts within a
/// part is not missed, however near to its end.
template <class Function>
Real bisected(const Function& f, Real a, Real b, Real at_a, Real at_b, Real tolerance, int depth) {
  const Real middle = (a + b) / 2, half = (b - a) / 2;
  const Real outer = half * std::sqrt(2 / Real(3)), inner = half / std::sqrt(Real(5));
  const Real ends = at_a + at_b, at_middle = f(middle);
  const Real at_inner = f(middle - inner) + f(middle + inner);
  const Real at_outer = f(middle - outer) + f(middle + outer);
  const Real coarse = half / 6 * (ends + 5 * at_inner);
  const Real fine = half / 1470 * (77 * ends + 432 * at_outer + 625 * at_inner + 672 * at_middle);
  if (depth == 0 || std::abs(fine - coarse) <= tolerance) return fine;
  return bisected(f, a, middle, at_a, at_middle, tolerance, depth - 1) +
         bisected(f, middle, b, at_middle, at_b, tolerance, depth - 1);
}

/// To 1e-17 of `size`. `breaks` are where the plane touches the solid when it first does: a small
/// part starts there, and would else be missed. 60 halvings are enough for a jump. The parts are
/// unequal, for a moment has no value to see in the middle of a part if it is weighted with 0.
template <class Function>
Real integral(const Function& f, Real a, Real b, Real size, std::vector<Real> breaks = {}) {
  constexpr int kParts = 16;
  if (!(a < b)) return 0;
  for (int i = 0; i <= kParts; ++i)
    breaks.push_back(a + (b - a) * std::pow(static_cast<Real>(i) / kParts, 1.1L));
  for (Real& x : breaks) x = std::clamp(x, a, b);
  std::sort(breaks.begin(), breaks.end());
  Real sum = 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const Real from = breaks[i], to = breaks[i + 1];
    if (from < to) sum += bisected(f, from, to, f(from), f(to), 1e-17L * size, 60);
  }
  return sum;
}

/// Of { |(x, y)| <= rho, x <= at }: its area, the integral of x, and the arc of its rim.
struct Segment {
  Real area, first, arc;
};
inline Segment segment(Real rho, Real at) {
  if (!(rho > 0)) return {0, 0, 0};
  const Real half = std::acos(std::clamp<Real>(-at / rho, -1, 1));
  const Real sine = std::sin(half);
  return {rho * rho * (half - sine * std::cos(half)), -2 * rho * rho * rho * sine * sine * sine / 3,
          2 * half * rho};
}

/// Plane s x + c z = d in the frame of the horizontal direction that the normal leans to.
struct Leaning {
  RealVec3 n, lean, side;
  Real s, c, d;
  explicit Leaning(const WaterPlane& water) : n(water.normal.cast<Real>()), d(water.offset) {
    s = std::hypot(n.x(), n.y());
    c = n.z();
    lean = s > 0 ? RealVec3(n.x() / s, n.y() / s, 0) : RealVec3(1, 0, 0);
    side = RealVec3(-lean.y(), lean.x(), 0);
  }
  /// Adds the heights between which slices of radius `reach` are cut, and their middle.
  [[nodiscard]] std::vector<Real> with_levels(std::vector<Real> breaks, Real reach) const {
    if (std::abs(c) > 1e-25L)
      for (const int sign : {-1, 0, 1}) breaks.push_back((d + sign * s * reach) / c);
    return breaks;
  }
  /// Where the slice at z ends to be wet; infinite for a level plane.
  [[nodiscard]] Real reach(Real z) const { return edge(d - c * z, s); }
  static Real edge(Real level, Real slope) {
    constexpr Real kFar = 1e30L;
    return slope > 0 ? std::clamp(level / slope, -kFar, kFar) : level >= 0 ? kFar : -kFar;
  }
};

using Chords = std::vector<std::pair<Real, Real>>;

/// Adds what `chords(x, z)`, intervals of y, make over the section within |x| <= width, |y| <=
/// side, z in low..high; `breaks` are values of t = c x - s z.
template <class Function>
void add_section(const Leaning& w, Real width, Real side, Real low, Real high,
                 const std::vector<Real>& breaks, const Function& chords, TrueSubmersion& sum) {
  // Points d n + t u, u = (c, 0, -s): x = d s + t c, z = d c - t s.
  Real begin = -1e30L, end = 1e30L;
  const auto within = [&](Real a, Real b) {
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  };
  if (std::abs(w.c) > 1e-25L)
    within((-width - w.d * w.s) / w.c, (width - w.d * w.s) / w.c);
  else if (std::abs(w.d * w.s) > width)
    return;
  if (w.s > 1e-25L)
    within((w.d * w.c - low) / w.s, (w.d * w.c - high) / w.s);
  else if (w.d * w.c < low || w.d * w.c > high)
    return;
  if (!(begin < end)) return;
  const Real half = (end - begin) / 2, origin = begin - half;  // no weight is 0
  const auto power = [](Real x, int n) {
    return n == 0 ? 1 : n == 1 ? x : n == 2 ? x * x : x * x * x;
  };
  const auto moment = [&](int of_t, int of_y) {
    const auto of_chords = [&](Real t) {
      Real value = 0;
      for (const auto& [a, b] : chords(w.d * w.s + t * w.c, w.d * w.c - t * w.s))
        value += (power(b, of_y + 1) - power(a, of_y + 1)) / (of_y + 1);
      return value * power(t - origin, of_t);
    };
    return integral(of_chords, begin, end, half * side * power(half, of_t) * power(side, of_y),
                    breaks);
  };
  const Real area = moment(0, 0);
  if (!(area > 0)) return;
  const RealVec3 u = w.c * w.lean - RealVec3(0, 0, w.s);
  const Real t = moment(1, 0) / area, y = moment(0, 1) / area;
  const Real tt = moment(2, 0) - area * t * t, ty = moment(1, 1) - area * t * y,
             yy = moment(0, 2) - area * y * y;
  sum.section_area = area;
  sum.section_first = area * (w.d * w.n + (origin + t) * u + y * w.side);
  sum.section_second = tt * u * u.transpose() +
                       ty * (u * w.side.transpose() + w.side * u.transpose()) +
                       yy * w.side * w.side.transpose();
}

/// The chord of y^2 <= square.
inline Chords chord(Real square) {
  if (!(square > 0)) return {};
  return {{-std::sqrt(square), std::sqrt(square)}};
}

}  // namespace plimsoll::test
