// The unit ball where X >= x, Y >= y, Z >= z, all of them at least 0, is bounded by a part of the
// sphere, of area S, and by flat faces. The divergence theorem, of the vector from the center, says
//
//   3 V = S - x A_x - y A_y - z A_z,   A_x the area of the face in the plane X = x,
//
// and the theorem of Gauss and Bonnet gives S of the arcs and of the angles between them:
//
//   S = 2 pi - sum of outer angles - x a_x - y a_y - z a_z,   a_x the angle of the arc in X = x.
//
// Two planes meet the sphere where its normal turns by the outer angle atan2(h, -x y), h^2 = 1 -
// x^2 - y^2. What lies beyond a plane at x < 0 is all, less what lies beyond the mirrored plane.
#include "spheres/ball_box.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

/// sqrt(1 - x^2 - y^2), 0 where that is none.
double height_over(double x, double y) {
  return std::sqrt(std::max((1 - x) * (1 + x) - y * y, 0.0));
}

double ball_beyond(double x) {
  if (x >= 1) return 0;
  const double u = std::max(x, -1.0);
  return kPi / 3 * (1 - u) * (1 - u) * (2 + u);
}

double ball_beyond(double x, double y) {
  if (x >= 1 || y >= 1) return 0;
  if (x <= -1) return ball_beyond(y);
  if (y <= -1) return ball_beyond(x);
  if (x < 0) return ball_beyond(y) - ball_beyond(-x, y);
  if (y < 0) return ball_beyond(x) - ball_beyond(x, -y);
  const double h = height_over(x, y);
  if (h == 0) return 0;
  const double arc_x = elementary::atan2(h, y), arc_y = elementary::atan2(h, x);  // half of them
  const double face_x = (1 - x) * (1 + x) * arc_x - y * h;
  const double face_y = (1 - y) * (1 + y) * arc_y - x * h;
  const double sphere = 2 * (kPi - elementary::atan2(h, -x * y) - x * arc_x - y * arc_y);
  return (sphere - x * face_x - y * face_y) / 3;
}

/// The face in the plane X = x, and its arc. `hy`: height_over(x, y), `hz` that over (x, z).
struct Face {
  double arc, area;
};
Face face_at(double x, double y, double z, double hy, double hz) {
  const double arc = elementary::atan2(hy, y) - elementary::atan2(z, hz);
  return {arc, ((1 - x) * (1 + x) * arc - y * (hy - z) - z * (hz - y)) / 2};
}

}  // namespace

double unit_ball_beyond(double x, double y, double z) {
  if (x >= 1 || y >= 1 || z >= 1) return 0;
  if (x <= -1) return ball_beyond(y, z);
  if (y <= -1) return ball_beyond(x, z);
  if (z <= -1) return ball_beyond(x, y);
  if (x < 0) return ball_beyond(y, z) - unit_ball_beyond(-x, y, z);
  if (y < 0) return ball_beyond(x, z) - unit_ball_beyond(x, -y, z);
  if (z < 0) return ball_beyond(x, y) - unit_ball_beyond(x, y, -z);
  if (!(x * x + y * y + z * z < 1)) return 0;
  const double xy = height_over(x, y), yz = height_over(y, z), zx = height_over(z, x);
  const Face in_x = face_at(x, y, z, xy, zx);
  const Face in_y = face_at(y, z, x, yz, xy);
  const Face in_z = face_at(z, x, y, zx, yz);
  const double sphere = 2 * kPi - elementary::atan2(xy, -x * y) - elementary::atan2(yz, -y * z) -
                        elementary::atan2(zx, -z * x) - x * in_x.arc - y * in_y.arc - z * in_z.arc;
  return (sphere - x * in_x.area - y * in_y.area - z * in_z.area) / 3;
}

double ball_box_volume(const PlacedSphere& ball, const Box3& box) {
  if (!(ball.radius > 0) || box.isEmpty()) return 0;
  const Vec3 low = (box.min() - ball.center) / ball.radius;
  const Vec3 high = (box.max() - ball.center) / ball.radius;
  const Vec3 nearest = low.cwiseMax(-high).cwiseMax(0);
  if (nearest.squaredNorm() >= 1) return 0;
  const double of_box = (box.max() - box.min()).prod();
  if (high.cwiseMax(-low).squaredNorm() <= 1) return of_box;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const bool x = (corner & 1) != 0, y = (corner & 2) != 0, z = (corner & 4) != 0;
    const double beyond =
        unit_ball_beyond((x ? high : low).x(), (y ? high : low).y(), (z ? high : low).z());
    sum += ((x != y) != z) ? -beyond : beyond;
  }
  const double volume = ball.radius * ball.radius * ball.radius * sum;
  return std::clamp(volume, 0.0, of_box);
}

}  // namespace plimsoll
