// What every answer about an overlap has to hold, beside the volume in whole numbers.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>

#include "support/checked.h"
#include "support/exact_overlap.h"

namespace plimsoll::test {

inline SolidTree solid(const TriangleMesh& mesh) { return SolidTree(MeshTree(checked(mesh))); }

inline double posed_volume(const SolidTree& tree, const Similarity& pose) {
  return std::fabs(tree.signed_volume() * pose.linear().determinant());
}

/// `small` is the volume of the smaller body. The volume is off by its error at most, that by a few
/// hundred roundings of volumes no larger than `small`; the center by what that makes of the first
/// moment, over the volume.
inline void check_overlap(const Overlap& found, const ExactOverlap& exact, double small) {
  const double off = std::fabs(found.volume - exact.volume);
  CHECK(off <= found.volume_error + 0x1p-53 * exact.volume);
  CHECK(off <= 1e-12 * small);
  CHECK(found.force_b == -found.force_a);
  CHECK(found.overlaps == (exact.volume > 0));
  if (exact.volume > 0) {
    CHECK(found.center.has_value() == (found.volume > found.volume_error));
    if (found.center)
      CHECK((*found.center - exact.center).norm() <=
            1e-9 * std::pow(small, 4 / 3.0) / exact.volume + 1e-15 * exact.center.norm());
  } else {
    CHECK(found.volume == 0);
    CHECK(!found.center);
    for (const Vec3& x : {found.force_a, found.force_b, found.torque_a, found.torque_b})
      CHECK(x.isZero(0));
    CHECK(found.patch_areas[0] == 0);
    CHECK(found.patch_areas[1] == 0);
    CHECK(found.curve_length == 0);
  }
}

}  // namespace plimsoll::test
