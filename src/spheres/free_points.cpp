#include "spheres/free_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "spheres/clearance.h"

namespace plimsoll {

std::optional<std::vector<Vec3>> free_points(const UnitSolid& solid, const BallTree& balls,
                                             double least, std::size_t max_cubes) {
  enum class Fate : char { kDropped, kHalved, kFree };
  std::vector<Vec3> points;
  std::vector<Vec3> centers{Vec3::Zero()};
  for (double half = solid.tree.frame.reach; !centers.empty() && half > least / 2; half /= 2) {
    if (centers.size() > max_cubes) return {};
    const double diagonal = std::sqrt(3) * half;
    std::vector<Fate> fates(centers.size());
    parallel_for_each_index(centers.size(), 256, [&](std::size_t i) {
      const double enough = std::max(diagonal, least);
      const double from_balls = balls.nearest(centers[i], 2 * enough).distance;
      fates[i] = Fate::kDropped;
      if (from_balls + diagonal < least) return;
      const NearestWall wall = nearest_wall(solid.tree, centers[i],
                                            std::min(2 * enough, std::max(from_balls, diagonal)));
      const double free = std::min(from_balls, wall.distance);
      if (free + diagonal < least) return;
      const bool is_cut = wall.found() && wall.distance <= diagonal;
      if (free < 0.5 * least && is_cut) {
        fates[i] = Fate::kHalved;
        return;
      }
      if (!solid.contains(centers[i])) {
        if (is_cut) fates[i] = Fate::kHalved;
        return;
      }
      const bool is_last = half <= least;
      fates[i] =
          free >= (is_last ? 0.5 : 1) * least && half <= 2 * least ? Fate::kFree : Fate::kHalved;
    });
    std::vector<Vec3> parts;
    for (std::size_t i = 0; i < centers.size(); ++i) {
      if (fates[i] == Fate::kFree) points.push_back(centers[i]);
      if (fates[i] != Fate::kHalved) continue;
      for (int corner = 0; corner < 8; ++corner) {
        Vec3 part = centers[i];
        for (int k = 0; k < 3; ++k) part[k] += corner >> k & 1 ? half / 2 : -half / 2;
        parts.push_back(part);
      }
    }
    centers = std::move(parts);
  }
  return points;
}

}  // namespace plimsoll
