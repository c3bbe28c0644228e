// What of the ten integrands depends on x and z; y joins when a row is done.
#pragma once

#include <array>

#include "image/ten_moments.h"

namespace plimsoll {

enum RowTerm { kZ, kXZ, kXXZ, kZZ, kXZZ, kZZZ, kRowTerms };

/// Integrals of z, xz, xxz, zz, xzz, zzz over the surface above a row, signed by sgn(n_z).
using RowSums = std::array<double, kRowTerms>;

/// Adds `weight` times the row at `y`: the factors 1/2 and 1/3 of [Kim2006, eq. (4), (6)] are here.
inline void add_row(double y, double weight, const RowSums& s, TenMoments& m) {
  m[0] += weight * s[kZ];
  m[1] += weight * s[kXZ];
  m[2] += weight * y * s[kZ];
  m[3] += weight * s[kZZ] / 2;
  m[4] += weight * s[kXXZ];
  m[5] += weight * y * y * s[kZ];
  m[6] += weight * s[kZZZ] / 3;
  m[7] += weight * y * s[kXZ];
  m[8] += weight * s[kXZZ] / 2;
  m[9] += weight * y * s[kZZ] / 2;
}

}  // namespace plimsoll
