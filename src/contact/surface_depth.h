// How far points are from the surface of a posed body: right to rounding, without the bounds and
// places of surface_queries.h, and faster.
#pragma once

#include <plimsoll/types.h>

#include <cstdint>
#include <vector>

#include "contact/nearest_triangle.h"
#include "tree/frame_map.h"

namespace plimsoll {

/// The triangle that is nearest to a point.
struct NearestFace {
  double depth = 0;            ///< How far it is [m].
  Vec3 inward = Vec3::Zero();  ///< Square to it, into the solid: of length 1, in the world.
  bool is_below = false;       ///< Its nearest point is the foot on its plane.
};

/// The point of the surface that is nearest to another.
struct NearestPlace {
  Vec3 at = Vec3::Zero();  ///< In the world.
  double distance = 0;     ///< [m]
  /// Square to a triangle that it is of, out of the solid: of length 1, in the world.
  Vec3 outward = Vec3::Zero();
  bool is_below = false;  ///< It is the foot on that triangle's plane:
  double height = 0;      ///< so far outside of it, or below 0 inside [m].
};

class SurfaceDepth {
 public:
  /// Keeps a reference to the tree. `sign` is 1 where triangles are turned outward, else -1.
  /// Precondition: check_posed, and it has triangles.
  SurfaceDepth(const PosedTree& posed, double sign);

  /// The distance [m] of a point of the world. Off by some roundings of the body's size. O(log n)
  /// near the surface, and less where the point before was near this one.
  [[nodiscard]] double at(const Vec3& world);
  /// The same, and which triangle that is: any of those that are.
  [[nodiscard]] NearestFace face_at(const Vec3& world);
  /// By how much answers near the body may be off [m].
  [[nodiscard]] double rounding() const { return 0x1p-50 * unit_; }
  /// Where it is.
  [[nodiscard]] NearestPlace place_at(const Vec3& world);

 private:
  [[nodiscard]] Vec3 in_frame(const Vec3& world) const;
  [[nodiscard]] Vec3 in_world(const Vec3& frame) const;
  [[nodiscard]] NearestTriangle nearest(const Vec3& x);

  const TriangleTree& tree_;
  Mat3 linear_;  // world from frame, but for the frame's exponent
  Mat3 turn_;    // its inverse
  Vec3 center_;  // of the frame, in the world [m]
  double unit_;  // of the frame [m]
  double sign_;
  std::uint32_t last_ = 0;  // leaf of the nearest point before
  std::vector<PartAhead> ahead_;
};

}  // namespace plimsoll
