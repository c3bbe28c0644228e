#include <plimsoll/rotation.h>

namespace plimsoll {

// A half-turn about a and one about the direction h midway to b are together a rotation about
// a x h by twice the angle from a to h, so by that from a to b. A half-turn about a unit vector u
// is 2 u u^T - I.
Mat3 rotation_between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.stableNormalized(), b = to.stableNormalized();
  if (a.isZero(0) || b.isZero(0)) return Mat3::Identity();
  Vec3 midway = a + b;
  if (a.dot(b) < 0) {  // of nearly opposite directions the sum is rounding, the difference is not
    const Vec3 axis = a.cross(b);
    midway = (axis.isZero(0) ? a.unitOrthogonal() : axis.stableNormalized()).cross(a - b);
  }
  const Vec3 h = midway.normalized();
  return 4 * h.dot(a) * h * a.transpose() - 2 * h * h.transpose() - 2 * a * a.transpose() +
         Mat3::Identity();
}

Vec3 rotation_vector(const Mat3& rotation) {
  const Eigen::AngleAxisd turn(rotation);
  return turn.angle() * turn.axis();
}

}  // namespace plimsoll
