// Where the scene is seen from: a point that is looked at, and the eye turning about it.
#pragma once

#include <plimsoll/types.h>

#include <numbers>

namespace plimsoll::viewer {

struct Ray {
  Vec3 origin = Vec3::Zero();
  Vec3 direction = Vec3::UnitX();  ///< Of length 1.
};

/// World coordinates, z up; pixels count from the upper left corner.
struct Camera {
  static constexpr double kOverview = 1.0;  ///< Distance over size where all is seen.

  Vec3 target = Vec3::Zero();
  double distance = 10;
  double heading = std::numbers::pi / 2;  ///< Where it looks, from x towards y [rad].
  double fall = 0.45;                     ///< How far down it looks [rad].
  double size = 10;                       ///< Of the scene [m].
  double aside = 0;  ///< The target is seen so far right of the middle, in halves of the width.

  [[nodiscard]] Vec3 forward() const;
  [[nodiscard]] Vec3 right() const;
  [[nodiscard]] Vec3 up() const { return right().cross(forward()); }
  [[nodiscard]] Vec3 eye() const { return target - distance * forward(); }

  [[nodiscard]] double near_plane() const { return 0.02 * distance; }
  [[nodiscard]] double far_plane() const { return distance + 12 * size; }
  /// Clip coordinates from the world's axes about the eye. `aspect` is width over height.
  [[nodiscard]] Eigen::Matrix4d clip_from_near(double aspect) const;
  /// Through the middle of a pixel of a window.
  [[nodiscard]] Ray ray(double x, double y, double width, double height) const;

  void orbit(double x, double y);               ///< By pixels of the mouse.
  void zoom(double clicks);                     ///< Towards the target.
  void pan(double x, double y, double height);  ///< By pixels, of a window so high.
};

/// Sees all of `box`, a little from above.
[[nodiscard]] Camera overview(const Box3& box);

}  // namespace plimsoll::viewer
