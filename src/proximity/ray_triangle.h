// Where a line meets a triangle, decided exactly.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <optional>

namespace plimsoll {

/// Two points of a ray, not equal: where it begins, and another.
struct RayPoints {
  Vec3 from, through;
};

struct RayMeeting {
  double along;         ///< from + along (through - from), rounded; not below 0.
  bool is_from_behind;  ///< Not where the ray runs within the plane.
};

/// The first point that a ray and a triangle, a closed set, have in common. A triangle without area
/// is the segment or the point that its corners span. Whether there is one is decided by signs of
/// determinants that no rounding changes; where, in 113 bits. In the triangle's plane where these
/// leave it open, and of triangles without area, quotients of whole numbers decide, some 20 us:
/// `quotients` counts how often.
[[nodiscard]] std::optional<RayMeeting> first_meeting(const RayPoints& ray,
                                                      const std::array<Vec3, 3>& triangle,
                                                      std::size_t* quotients = nullptr);

}  // namespace plimsoll
