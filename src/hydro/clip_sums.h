// What the wet part of a surface adds up to, and the integrals that it stands for.
#pragma once

#include <plimsoll/submersion.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hydro/clip_plane.h"
#include "mesh/triangle_groups.h"

namespace plimsoll {

/// Sums over the wet parts of triangles (a, b, c), with a, b, c relative to the center of the frame
/// and p the apex of the plane: N = (b - a) x (c - a), D = (a - p) . N, g the share of the
/// triangle's area that is wet, and S three times the centroid of that part times g.
enum WetSum : std::size_t {
  kWetVolume,     // 3 D g: 18 times the volume
  kWetFirst,      // D S
  kWetArea = 4,   // 3 |N| g: six times the area
  kSectionArea,   // the section's integrals of 1, s, t, s s, t t, s t in the two coordinates that
  kSectionFirst,  // are left when that of the plane's axis is dropped: times 2, 6, 6, 12, 12, 24
  kSectionSecond = 8,
  kWholeVolume = 11,  // D, of all triangles
  kWholeNormal,       // N, of all triangles
  kMagnitude = 15,    // |e_j f_k| of the edges e, f from a, j != k, of all triangles
  kWetSums
};

/// The sums lane by lane, as the kernels keep them.
struct WetLanes {
  alignas(64) double sum[kWetSums][kLanes] = {};
};

using WetTotals = std::array<double, kWetSums>;

/// Adds the lanes of `lanes` to `totals`, in order.
void add_lanes(const WetLanes& lanes, WetTotals& totals);

/// What is known of a body as a whole.
struct WholeBody {
  double volume = 0;     ///< Six times, signed: answers are turned with its sign.
  double magnitude = 0;  ///< The sum of |e_j f_k| over the edges e, f of all triangles, j != k.
};

/// From sums over the whole body.
inline WholeBody whole_body(const WetTotals& totals, const ClipPlane& plane) {
  // Six times the volume about the center of the frame: D there is (apex + a) . N.
  const Vec3 normal(totals[kWholeNormal], totals[kWholeNormal + 1], totals[kWholeNormal + 2]);
  return {totals[kWholeVolume] + plane.apex.dot(normal), totals[kMagnitude]};
}

inline double sign_of(const WholeBody& whole) { return whole.volume < 0 ? -1 : 1; }

/// The first of the sums, which say how much is wet and where.
struct WetVolume {
  double volume = 0;  // kWetVolume
  Vec3 first;         // kWetFirst
};

// Error of the volume, in units of u r M / 6 with u = 2^-53, r = reach + |level| and M the sum of
// |e_j f_k|: a term of D takes 8 roundings and its wet share 6, and every addition one. Rounding a
// vertex relative to the apex moves it by at most 3 u r, hence the volume by 3 u r times the area,
// which is at most M / 2; a height wrong by 24 u r (clip_plane.h; the normal is longer than 1/2)
// moves the water there by 48 u r. 14 + 6 (1.5 + 24) < 192, and additions come on top. Where N and
// a . N are kept and D = a . N - p . N, a term takes 10 roundings, and 169 is below 192 as well.
inline constexpr double kVolumeRoundings = 192;

/// Sets volume, its error and center, in meters. No part of a solid has a volume below zero: where
/// a body just touches the water, such a sum is rounding. The error then grows by what is cut off,
/// for the sake of surfaces that bound no solid.
inline void set_volume(const WetVolume& sums, const BodyFrame& frame, const ClipPlane& plane,
                       const WholeBody& whole, std::size_t additions, Submersion& wet) {
  const double roundings = kVolumeRoundings + static_cast<double>(additions);
  double error = roundings * 0x1p-53 / 6 * (frame.reach + std::fabs(plane.level)) * whole.magnitude;
  double volume = sign_of(whole) * (sums.volume / 18);
  if (volume < 0 && -volume <= error) {
    error -= volume;
    volume = 0;
  }
  const int e = frame.exponent;
  wet.volume = times_power_of_two(volume, 3 * e);
  wet.volume_error = times_power_of_two(error, 3 * e);
  // Of the smallest bodies both underflow.
  if (e < 0 && error > 0) wet.volume_error += std::numeric_limits<double>::denorm_min();
  if (volume != 0)
    wet.center_of_buoyancy = frame.to_meters(plane.apex / 4 + sums.first * (0.75 / sums.volume));
}

/// What the totals mean, in meters; `additions` is how many were made to each at most, one after
/// another. Parts that are not selected need no sums.
[[nodiscard]] Submersion submersion_of(const WetTotals& totals, const BodyFrame& frame,
                                       const ClipPlane& plane, const WholeBody& whole,
                                       std::size_t additions, const SubmersionParts& parts = {});

}  // namespace plimsoll
