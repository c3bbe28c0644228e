// The lens: what two balls of radii r and s, whose centers are d apart, have in common.
//
//   V = pi/12 (r + s - d)^2 (d + 2 (r + s) - 3 (r - s)^2 / d),   |r - s| < d < r + s.
//
// With m the smaller radius, D = |r - s|, depth = r + s - d and inside = d - D = 2 m - depth this
// is
//
//   V = pi/12 depth^2 (4 m + inside (1 + 3 D / d)),
//
// a product of sums without a difference. Depth and inside come from differences that are exact
// wherever they are small: of d and the larger radius, or of the radii where d is below half of the
// larger. Clamped to [0, 2 m], they cover nested and separate balls too.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simd/kernel.h"
#include "simd/plain_number.h"

namespace plimsoll {

#include "spheres/lens.inc"

inline LensTerms<double> lens_terms(double r, double s, double d) {
  return lens_terms<double>(r, s, d, 1e-300);
}

inline LensMoments<double> lens_moments(double r, double s, double d) {
  return lens_moments<double>(r, s, d, 1e-300);
}

/// The volume, accurate to some 1e-15 of itself, but for what rounding the distance costs near a
/// tangency.
inline double lens_volume(double r, double s, double d) {
  return std::numbers::pi / 12 * lens_moments(r, s, d).volume;
}

/// The area of the disk in which the two surfaces cross, and so -dV/dd; 0 where they do not cross.
/// Its squared radius is (r + s - d) (r + s + d) (d - D) (d + D) / (2 d)^2, by Heron's formula.
inline double lens_area(double r, double s, double d) {
  const auto [radius, difference, distance, depth, inside] = lens_terms(r, s, d);
  return std::numbers::pi / 4 * depth * (r + s + distance) * (inside / distance) *
         ((distance + difference) / distance);
}

/// How far the centroid is from the center of the ball of radius r, toward the other center. The
/// plane of the disk cuts the lens into two caps; the moments of the caps about the centers of
/// their balls are pi/4 times the fourth power of the disk's radius, and opposite. What is left is
/// d C, so that the centroid is at d C / V, where C is the volume of the cap of the second ball:
///
///   C = pi/3 h^2 (3 s - h),   h = depth (d + r - s) / (2 d).
///
/// Precondition: a volume above 0.
inline double lens_centroid(double r, double s, double d) {
  const auto [volume, toward] = lens_moments(r, s, d);
  return d * (toward / volume);
}

/// The integral of the lens volume over the distance, from d to r + s: the work of pushing the
/// balls apart with the force V [m^4].
[[nodiscard]] double lens_potential(double r, double s, double d);

/// Closer than this share of the smaller radius the push along the line of centers fades: that line
/// has no direction where the centers coincide.
inline constexpr double kFade = 0.5;

/// The push of two balls, in multiples of the vector between their centers: V / max(d, f), where
/// f = kFade m. The force is 0 at coincident centers and moves by less than lens_push_bound() times
/// what the centers move: across the line of centers its derivative is the push itself, V / f at
/// most, and along it V / f - A d / f or -A, with the area A of the disk, pi m^2 at most.
inline double lens_push(double r, double s, double d) {
  return lens_volume(r, s, d) / std::fmax(d, kFade * std::fmin(r, s));
}

/// 4/3 pi m^3 / f, a bound of the change of force per motion [m^2].
inline double lens_push_bound(double r, double s) {
  const double small = std::fmin(r, s);
  return 4 * std::numbers::pi / 3 * small * small / kFade;
}

/// The potential of the faded push: its derivative over d is -d lens_push [m^4].
[[nodiscard]] double lens_push_potential(double r, double s, double d);

}  // namespace plimsoll
