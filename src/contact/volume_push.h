// The push of two solids in proportion to the volume that they share, along its mean normal
// [Hasegawa2004].
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/overlap.h>

#include <vector>

namespace plimsoll {

/// The force V n at the center of what two solids share, as a pressure on the patch that the curve
/// spans; n is minus the direction of the volume's gradient with respect to A. Seen along n the
/// area of the patch is the size of the gradient. Of the pressures that are linear in the plane
/// this one has the sum V and the center: a flat face of area S that is pressed in by h, straight
/// or tilted, has its bed of springs. There are up to 16 points, the centroids of the patch's
/// sectors about the center. A sector where that pressure would pull does not push, and the others
/// push as much more; the middle of all is then not the center. Where the patch lies over itself,
/// seen along n, there is one point. `pressed` adds up to V times the center's depth below the
/// curve: the potential of one plane face. No points where the volume is not above its error or has
/// no gradient, as of bodies of which one lies in the other. Needs Overlap::curve. O(curve).
[[nodiscard]] std::vector<ContactPoint> volume_push(const Overlap& shared);

}  // namespace plimsoll
