#pragma once

#include <plimsoll/types.h>

namespace [[gnu::visibility("default")]] plimsoll {

/// The rotation that takes the direction of `from` to that of `to` the shortest way, orthogonal to
/// rounding; opposite directions turn about an axis that is not said, and what is zero is not
/// turned. Both are finite.
Mat3 rotation_between(const Vec3& from, const Vec3& to);

/// The axis of a rotation, of the length of its angle, from 0 to pi [rad].
Vec3 rotation_vector(const Mat3& rotation);

}  // namespace plimsoll
