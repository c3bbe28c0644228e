// Segments of disks and of other conics: areas and moments of what lies beyond a chord.
#pragma once

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plimsoll {

/// The part x >= c = 1 - e = cos t of the unit disk, 0 <= e <= 2. All follow from I_n, the
/// integral of sin^n from 0 to t, n even:
///   I_0 = t,   n I_n = (n - 1) I_(n-2) - cos t sin^(n-1) t,   area = 2 I_2,
///   first = int (x - c) = 2/3 sin^3 t - 2 cos t I_2 = int_c^1 area dx,
///   half_second = int (x - c)^2 / 2 = 5/3 I_4 - sin^2 t I_2 = int_c^1 first dx,
///   across = int y^2 = 2/3 I_4,    arcs = int_c^1 t dx = sin t - t cos t.
struct DiskSegment {
  double cosine, sine, angle;
  double area, first, half_second, across, arcs;
};

/// The same integrals of any conic's segment whose chord is 2 y long. With e the depth over the
/// half axis, negative for a hyperbola and 0 for a parabola, and q = depth (2 - e),
///   area = y q area(e),   int (x - c) = y q^2 first(e),   int (x - c)^2 / 2 = y q^3
///   half_second(e), int y^2 = y^3 q across(e),
/// where the functions of e are those of the disk over the same powers of y = sin t, q = sin^2 t.
struct ReducedSegment {
  double c, square;  // cos t, sin^2 t
  double angle, area, first, half_second, across, arcs;
};

/// Up to this |e| the sums over I_n cancel, and are taken from the other end.
inline constexpr double kShallow = 0.15;

/// Backward, i_n = I_n / sin^(n+1) t = (1, ...) by i_(n-2) = (n sin^2 t i_n + cos t) / (n - 1) has
/// only positive terms for e > 0, and no term is larger than the result for e < 0. It begins at
///   i_8 = F(1, 9; 11/2; e / 2) / 9
/// [DLMF, eq. 8.17.8], whose 16th term is below 1e-15; and the powers that cancel in `first` and
/// `half_second` are taken out by hand.
[[nodiscard]] inline ReducedSegment shallow_segment(double e) {
  static constexpr auto kSeries = [] {
    std::array<double, 16> factors{};
    double factor = 1.0 / 9;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      factors[k] = factor;
      factor *= (9.0 + static_cast<double>(k)) / (11.0 + 2 * static_cast<double>(k));
    }
    return factors;  // of e^k: the powers of 2 are in them
  }();
  const double e2 = e * e, e4 = e2 * e2;
  std::array<double, 4> quarters{};
  for (std::size_t i = 0; i < 4; ++i)
    quarters[i] = (kSeries[4 * i] + kSeries[4 * i + 1] * e) +
                  (kSeries[4 * i + 2] + kSeries[4 * i + 3] * e) * e2;
  const double i8 = (quarters[0] + quarters[1] * e4) + (quarters[2] + quarters[3] * e4) * (e4 * e4);
  ReducedSegment segment{};
  const double c = 1 - e, x = e * (2 - e);
  const double i6 = (8 * x * i8 + c) / 7, i4 = (6 * x * i6 + c) / 5, i2 = (4 * x * i4 + c) / 3;
  segment.c = c;
  segment.square = x;
  segment.angle = 2 * x * i2 + c;
  segment.area = 2 * i2;
  segment.first = 2.0 / 15 + x * (8.0 / 15 - 16.0 / 5 * c * i6);
  segment.half_second = 2.0 / 105 * c + x * (16.0 / 7 * i8 - 8.0 / 5 * i6);
  segment.across = 2.0 / 3 * i4;
  segment.arcs = 1.0 / 3 + x * (2.0 / 3 - 8.0 / 3 * c * i4);
  return segment;
}

/// The angle t of the unit vector (x, y), y >= 0, to 7e-16: 0 <= t <= pi. It is pi / 16 at most
/// from one of eight directions at odd multiples of that, and asin of the cross product with it is
/// a short sum. Without a branch, for which way planes lean cannot be predicted, and equal on every
/// machine, as acos of the C library need not be.
[[nodiscard]] inline double angle_of(double x, double y) {
  struct Direction {
    double x, y, angle;
  };
  constexpr double kCos1 = 0.98078528040323044913, kSin1 = 0.19509032201612826785;  // of pi / 16
  constexpr double kCos3 = 0.83146961230254523708, kSin3 = 0.55557023301960222474;  // of 3 pi / 16
  constexpr double kTan2 = 0.41421356237309504880, kPart = std::numbers::pi / 16;
  static constexpr Direction kDirections[8] = {
      {kCos1, kSin1, kPart},      {kCos3, kSin3, 3 * kPart},   {kSin1, kCos1, 7 * kPart},
      {kSin3, kCos3, 5 * kPart},  {-kCos1, kSin1, 15 * kPart}, {-kCos3, kSin3, 13 * kPart},
      {-kSin1, kCos1, 9 * kPart}, {-kSin3, kCos3, 11 * kPart},
  };
  static constexpr auto kSeries = [] {  // asin v = sum v^(2 k + 1) (2 k)! / (4^k k!^2 (2 k + 1))
    std::array<double, 11> factors{};
    double binomial = 1;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const double odd = 2 * static_cast<double>(k) + 1;
      factors[k] = binomial / odd;
      binomial *= odd / (odd + 1);
    }
    return factors;
  }();
  const double across = std::abs(x);
  const int is_steep = y > across ? 1 : 0, is_back = x < 0 ? 1 : 0;
  const int is_between = std::min(across, y) > kTan2 * std::max(across, y) ? 1 : 0;
  const Direction& near = kDirections[4 * is_back + 2 * is_steep + is_between];
  const double v = y * near.x - x * near.y, v2 = v * v, v4 = v2 * v2;
  const double low = (kSeries[0] + kSeries[1] * v2) + (kSeries[2] + kSeries[3] * v2) * v4;
  const double middle = (kSeries[4] + kSeries[5] * v2) + (kSeries[6] + kSeries[7] * v2) * v4;
  const double high = (kSeries[8] + kSeries[9] * v2) + kSeries[10] * v4;
  return near.angle + v * (low + v4 * v4 * (middle + v4 * v4 * high));
}

/// Of a unit vector and its angle, what follows from them.
[[nodiscard]] inline DiskSegment deep_segment(double cosine, double sine, double angle) {
  const double square = sine * sine, cube = sine * square;
  const double i2 = (angle - cosine * sine) / 2, i4 = (3 * i2 - cosine * cube) / 4;
  return {cosine,
          sine,
          angle,
          2 * i2,
          2.0 / 3 * cube - 2 * cosine * i2,
          5.0 / 3 * i4 - square * i2,
          2.0 / 3 * i4,
          sine - angle * cosine};
}

/// To 1e-13 of each number; of those of the whole disk, to a few roundings.
[[nodiscard]] inline DiskSegment disk_segment(double e) {
  const double sine = std::sqrt(e * (2 - e));
  if (e > kShallow) return deep_segment(1 - e, sine, angle_of(1 - e, sine));
  const ReducedSegment of = shallow_segment(e);
  const double q = of.square, cube = sine * q;
  return {of.c,
          sine,
          sine * of.angle,
          cube * of.area,
          cube * q * of.first,
          cube * q * q * of.half_second,
          cube * q * of.across,
          cube * of.arcs};
}

/// Of the hyperbola x^2 - y^2 = 1 within its vertex and x = c = 1 - e, e < 0: cos t and sin t
/// become cosh and sinh.
[[nodiscard]] inline DiskSegment hyperbola_segment(double e) {
  const double c = 1 - e, square = -e * (2 - e), sine = std::sqrt(square);
  const double angle = elementary::log(c + sine), cube = sine * square;
  const double i2 = (c * sine - angle) / 2, i4 = (c * cube - 3 * i2) / 4;
  return {
      c, sine, angle, 2 * i2, 2 * c * i2 - 2.0 / 3 * cube, square * i2 - 5.0 / 3 * i4, 2.0 / 3 * i4,
      0};
}

}  // namespace plimsoll
