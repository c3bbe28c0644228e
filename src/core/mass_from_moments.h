// From integrals over a solid to its volume, center of mass and inertia, in double.
#pragma once

#include <plimsoll/mass.h>

#include "core/volume_moments.h"

namespace plimsoll {

/// The moments about the center of mass: first is 0 then. Precondition: volume != 0.
[[nodiscard]] VolumeMoments central(const VolumeMoments& m);

/// I = tr(S) 1 - S, S the second moments [Goldstein, ch. 5].
[[nodiscard]] Mat3 inertia_of(const Mat3& second);

/// The mass properties of a solid whose moments are `m` in a frame of its own; `world_from_frame`
/// is a rotation times a positive scale, and a translation. A negative volume is turned outward.
/// `mass` holds instead of `density` if positive. The center keeps its accuracy however far away
/// the frame lies. Volume exactly 0: center and inertia NaN.
[[nodiscard]] MassProperties mass_from_moments(const VolumeMoments& m,
                                               const Similarity& world_from_frame, double density,
                                               double mass);

}  // namespace plimsoll
