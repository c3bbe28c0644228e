// How deep a point lies in a primitive.
//
// The distance to the surface, positive inside and negative outside, in the frame of the primitive;
// exact up to rounding, which is below 2^-48 of the primitive's size and the point's coordinates.
// So no depth exceeds the true distance by more than that, and depths of two points differ by no
// more than the points are apart.
#pragma once

#include <plimsoll/shape.h>

namespace plimsoll {

[[nodiscard]] double depth_in(const BoxSolid& box, const Vec3& p);
[[nodiscard]] double depth_in(const Sphere& sphere, const Vec3& p);
/// Newton's method in one unknown, some five rounds; where it ends early the depth is too small in
/// magnitude, never too large.
[[nodiscard]] double depth_in(const Ellipsoid& ellipsoid, const Vec3& p);
[[nodiscard]] double depth_in(const Torus& torus, const Vec3& p);
[[nodiscard]] double depth_in(const Cylinder& cylinder, const Vec3& p);
[[nodiscard]] double depth_in(const Capsule& capsule, const Vec3& p);
[[nodiscard]] double depth_in(const Cone& cone, const Vec3& p);

}  // namespace plimsoll
