#include "spheres/free_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "spheres/clearance.h"

namespace plimsoll {

std::optional<std::vector<Vec3>> free_points(const UnitSolid& solid, const BallTree& balls,
                                             double least, std::size_t max_cubes) {
  struct Cube {
    Vec3 center;
    bool is_inside;  // all of it
  };
  enum class Fate : char { kDropped, kHalved, kHalvedInside, kFree };
  std::vector<Vec3> points;
  std::vector<Cube> cubes{{Vec3::Zero(), false}};
  for (double half = solid.tree.frame.reach; !cubes.empty() && half > least / 2; half /= 2) {
    if (cubes.size() > max_cubes) return {};
    const double diagonal = std::sqrt(3) * half;
    std::vector<Fate> fates(cubes.size());
    parallel_for_each_index(cubes.size(), 256, [&](std::size_t i) {
      const Vec3& center = cubes[i].center;
      const double enough = std::max(diagonal, least);
      const double from_balls = balls.nearest(center, 2 * enough).distance;
      const double kept = solid.kept_depth(center);
      fates[i] = Fate::kDropped;
      if (std::min(from_balls, kept) + diagonal < least) return;
      const NearestWall wall =
          nearest_wall(solid.tree, center, std::min(2 * enough, std::max(from_balls, diagonal)));
      const double free = std::min({from_balls, kept, wall.distance});
      if (free + diagonal < least) return;
      const bool is_cut = wall.found() && wall.distance <= diagonal;
      if (free < 0.5 * least && is_cut) {
        fates[i] = Fate::kHalved;
        return;
      }
      const bool is_inside = cubes[i].is_inside || solid.contains(center);
      if (!is_inside) {
        if (is_cut) fates[i] = Fate::kHalved;
        return;
      }
      const bool is_last = half <= least;
      fates[i] = free >= (is_last ? 0.5 : 1) * least && half <= 2 * least ? Fate::kFree
                 : is_cut                                                 ? Fate::kHalved
                                                                          : Fate::kHalvedInside;
    });
    std::vector<Cube> parts;
    for (std::size_t i = 0; i < cubes.size(); ++i) {
      if (fates[i] == Fate::kFree) points.push_back(cubes[i].center);
      if (fates[i] != Fate::kHalved && fates[i] != Fate::kHalvedInside) continue;
      for (int corner = 0; corner < 8; ++corner) {
        Cube part{cubes[i].center, fates[i] == Fate::kHalvedInside};
        for (int k = 0; k < 3; ++k) part.center[k] += corner >> k & 1 ? half / 2 : -half / 2;
        parts.push_back(part);
      }
    }
    cubes = std::move(parts);
  }
  return points;
}

}  // namespace plimsoll
