#include "spheres/medial_ball.h"

#include <algorithm>
#include <cmath>

#include "spheres/clearance.h"

namespace plimsoll {

std::optional<MedialBall> medial_ball(const UnitSolid& solid, const Vec3& center, double slack) {
  const TriangleTree& walls = solid.tree;
  const double size = 4 * walls.frame.reach;
  const Vec3 first = point_on_wall(walls, nearest_wall(walls, center, size, slack), center);
  const double known = (center - first).norm();
  if (!(known > 0)) return std::nullopt;
  const Vec3 up = (center - first) / known;
  constexpr int kMostTurns = 60;
  MedialBall ball{center, known, up};
  bool is_bounded = false;  // by another wall
  double radius = 1.25 * known;
  for (int turn = 0; turn < kMostTurns && radius < size; ++turn) {
    const Vec3 middle = first + radius * up;
    // The first wall is not to be found again, whose distance is rounded.
    const double limit = (1 - 1e-9 - slack) * radius - 0x1p-46 * size * size / radius;
    if (!(limit > 0)) break;
    const NearestWall wall = nearest_wall(walls, middle, limit, slack);
    if (!wall.found()) {
      ball.center = middle;
      ball.depth = radius;
      if (is_bounded) break;
      radius *= 2;
      continue;
    }
    const Vec3 inside = point_on_wall(walls, wall, middle);
    const Vec3 across = inside - first;
    // The ball that touches the first wall, and has this point on its surface.
    const double smaller = across.squaredNorm() / (2 * up.dot(across));
    if (!(smaller > ball.depth && smaller < radius)) break;
    radius = smaller;
    is_bounded = true;
    ball.slope = (up + (first + radius * up - inside) / radius) / 2;
  }
  return ball;
}

std::optional<MedialBall> medial_ball_below(const UnitSolid& solid, const Vec3& at,
                                            const Vec3& normal) {
  constexpr double kShallowest = 0x1p-24;  // of the size: thinner walls are not looked into
  for (double depth = 0x1p-12; depth >= kShallowest; depth /= 8)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 start = at + side * depth * solid.tree.frame.reach * normal;
      if (!solid.contains(start)) continue;
      if (const std::optional<MedialBall> ball = medial_ball(solid, start)) return ball;
    }
  return std::nullopt;
}

}  // namespace plimsoll
