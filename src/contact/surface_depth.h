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

class SurfaceDepth {
 public:
  /// Keeps a reference to the tree. `sign` is 1 where triangles are turned outward, else -1.
  /// Precondition: check_posed, and it has triangles.
  SurfaceDepth(const PosedTree& posed, double sign);

  /// The distance [m] of a point of the world. Off by some roundings of the body's size. O(log n)
  /// near the surface, and less where the point before was near this one.
  [[nodiscard]] double at(const Vec3& x);
  /// The same, and which triangle that is: any of those that are.
  [[nodiscard]] NearestFace face_at(const Vec3& x);

 private:
  [[nodiscard]] Vec3 in_frame(const Vec3& world) const;
  [[nodiscard]] NearestTriangle nearest(const Vec3& x);

  const TriangleTree& tree_;
  Mat3 turn_;    // frame from world, but for the frame's exponent
  Vec3 center_;  // of the frame, in the world [m]
  double unit_;  // of the frame [m]
  double sign_;
  std::uint32_t last_ = 0;  // leaf of the nearest point before
  std::vector<PartAhead> ahead_;
};

}  // namespace plimsoll
