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

/// On which side of the line of a ray others are. Edges that meet in a point next to it, as all
/// slivers of a cone do in its apex, are told apart by one moment, that of the point: with d =
/// through - from,
///
///   det(d, p - from, q - from) = (q - from) . c,  c = d x (p - from),
///
/// in which only c cancels. It is found without rounding, once for a point.
class RaySides {
 public:
  explicit RaySides(const RayPoints& ray) : ray_(ray) {}

  [[nodiscard]] const RayPoints& ray() const { return ray_; }
  /// orient3d(from, through, p, q).
  [[nodiscard]] int of_edge(const Vec3& p, const Vec3& q);
  /// How often neither doubles nor a moment told.
  [[nodiscard]] std::size_t exact_decisions() const { return exact_decisions_; }

 private:
  /// The sign of (q - from) . c, p next to the line; 0 where that is not known.
  [[nodiscard]] int side_about(const Vec3& p, const Vec3& q);
  [[nodiscard]] bool is_next_to_line(const Vec3& p) const;
  void find_moment(const Vec3& p);

  RayPoints ray_;
  std::optional<Vec3> point_;  // of the moment
  Vec3 moment_;
  std::size_t exact_decisions_ = 0;
};

struct RayMeeting {
  double along;         ///< from + along (through - from), rounded; not below 0.
  bool is_from_behind;  ///< Not where the ray runs within the plane.
};

/// The first point that a ray and a triangle, a closed set, have in common. A triangle without area
/// is the segment or the point that its corners span. Whether there is one is decided by signs of
/// determinants that no rounding changes; where, in 113 bits. In the triangle's plane where these
/// leave it open, and of triangles without area, quotients of whole numbers decide, which takes
/// long: `quotients` counts how often.
[[nodiscard]] std::optional<RayMeeting> first_meeting(RaySides& sides,
                                                      const std::array<Vec3, 3>& triangle,
                                                      std::size_t* quotients = nullptr);
[[nodiscard]] inline std::optional<RayMeeting> first_meeting(const RayPoints& ray,
                                                             const std::array<Vec3, 3>& triangle,
                                                             std::size_t* quotients = nullptr) {
  RaySides sides(ray);
  return first_meeting(sides, triangle, quotients);
}

}  // namespace plimsoll
