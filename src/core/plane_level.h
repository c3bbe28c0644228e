// How high a plane is over a point: what brings it into a frame there.
#pragma once

#include <plimsoll/types.h>

namespace plimsoll {

/// offset - normal . p, to a unit in the last place, although it cancels where p is far from the
/// origin and the plane is near p. In lengths of the normal. Of points beyond 2^900 each operation
/// is rounded, and what overflows is not finite.
[[nodiscard]] double level_over(const Vec3& p, const Vec3& normal, double offset);

/// offset - normal . p - turned . q, likewise: over the point q of a frame at p, in which the
/// normal is `turned`.
[[nodiscard]] double level_over(const Vec3& p, const Vec3& normal, const Vec3& q,
                                const Vec3& turned, double offset);

}  // namespace plimsoll
