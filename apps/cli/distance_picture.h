// Two bodies and where they are nearest, as a picture.
#pragma once

#include "distance_report.h"
#include "picture.h"

namespace plimsoll::cli {

/// The bodies, the line between their nearest points, A and B, dashed where a body hides it, and
/// what was measured, in words; seen from where most of that line is seen. Where it is too short to
/// be seen there is a circle around it; where the surfaces cross there is none. A body lets another
/// one that it hides shine through, the more so where the other lies in it.
[[nodiscard]] Picture draw_distance(const DistanceReport& report, PixelSize size);

}  // namespace plimsoll::cli
