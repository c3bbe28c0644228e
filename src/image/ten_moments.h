// The ten integrals in view coordinates, in the order that the image engine sums them.
#pragma once

#include <array>

#include "core/volume_moments.h"

namespace plimsoll {

/// 1 x y z xx yy zz xy xz yz.
using TenMoments = std::array<double, 10>;

inline VolumeMoments to_volume_moments(const TenMoments& m) {
  VolumeMoments v;
  v.volume = m[0];
  v.first = {m[1], m[2], m[3]};
  v.second << m[4], m[7], m[8], m[7], m[5], m[9], m[8], m[9], m[6];
  return v;
}

}  // namespace plimsoll
