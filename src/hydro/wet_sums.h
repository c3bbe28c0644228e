// What the wet part of a surface adds up to, and the integrals that it stands for.
#pragma once

#include <plimsoll/submersion.h>

#include <array>
#include <cstddef>

#include "hydro/clip_plane.h"
#include "solid/triangle_groups.h"

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

/// What the totals mean, in meters; `additions` is how many were made to each at most, one after
/// another.
[[nodiscard]] Submersion submersion_of(const WetTotals& totals, const BodyFrame& frame,
                                       const ClipPlane& plane, const WholeBody& whole,
                                       std::size_t additions);

}  // namespace plimsoll
