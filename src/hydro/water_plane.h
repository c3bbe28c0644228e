// Water planes: which are planes, and how a body sees one that is given in the world.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/submersion.h>

#include "shape/similarity_parts.h"

namespace plimsoll {

/// The error for what is no plane.
[[nodiscard]] Error no_plane();

/// The error for a pose and a plane whose distance is no number.
[[nodiscard]] Error too_far_apart();

/// What is found under no plane.
[[nodiscard]] Submersion unknown_submersion();

/// The same plane, its normal of unit length. Precondition: is_plane(water).
[[nodiscard]] WaterPlane with_unit_normal(const WaterPlane& water);

/// `water` in the frame of y, x = L (s R y + q) + p: L is `linear`, p `translation`, and s, R and q
/// are those of `own`, the pose of a solid in a body that is posed. The plane n . x = d, n of unit
/// length and m = L^T n, is
///
///   (R^T m) . y = (d - n . p - m . q) / s,
///
/// whatever L and R are: poses that are no rotations to the last place cost nothing. Of a normal of
/// length 1, and a scale of 1, the right side is good to a unit in its last place; else that is
/// rounded once more for each. With two poses it is as good only where m is exact, as of level
/// water; else off by the rounding of m times q besides. One that is too large for a number is
/// 1e299 or more, of its sign, and NaN if parts of it are so large. Precondition: is_plane(water).
[[nodiscard]] WaterPlane plane_in_body(const WaterPlane& water, const Mat3& linear,
                                       const Vec3& translation, const SimilarityParts& own = {});

}  // namespace plimsoll
