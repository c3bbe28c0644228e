#include "spheres/cube_corners.h"

#include <cmath>

#include "spheres/clearance.h"
#include "spheres/cut_polygon.h"

namespace plimsoll {

std::optional<std::vector<Vec3>> surface_corners(const TriangleTree& walls, const Vec3& center,
                                                 double half) {
  constexpr std::size_t kMostWalls = 16;
  const double diagonal = std::sqrt(3) * half * (1 + 0x1p-40);
  const std::vector<NearestWall> near = walls_near(walls, center, diagonal, kMostWalls);
  if (near.size() > kMostWalls) return std::nullopt;
  std::vector<Vec3> corners;
  for (const NearestWall& wall : near) {
    CutPolygon part(walls.unit_corners(walls.leaves[wall.leaf], wall.triangle));
    for (int i = 0; i < 3; ++i)
      for (const double side : {1.0, -1.0})
        part.cut([&](const Vec3& x) { return half + side * (center[i] - x[i]); });
    corners.insert(corners.end(), part.corner.begin(),
                   part.corner.begin() + static_cast<std::ptrdiff_t>(part.count));
  }
  return corners;
}

Vec3 cube_corner(const Vec3& center, double half, int number) {
  Vec3 corner = center;
  for (int i = 0; i < 3; ++i) corner[i] += number >> i & 1 ? half : -half;
  return corner;
}

}  // namespace plimsoll
