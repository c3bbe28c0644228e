#include "spheres/protrusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "spheres/clearance.h"

namespace plimsoll {
namespace {

struct Cube {
  Vec3 center;
  double half, bound;
  bool is_inside;  // all of it
};

class Search {
 public:
  Search(const UnitSolid& solid, const BallTree& balls) : solid_(solid), balls_(balls) {}

  [[nodiscard]] Protrusion run(std::size_t max_cubes) {
    offer({Vec3::Zero(), solid_.tree.frame.reach * (1 + 0x1p-20), 0, false});
    std::size_t cubes = 0;
    while (!waiting_.empty()) {
      const Cube cube = waiting_.front();
      found_.bound = cube.bound;
      if (cube.bound <= kSharp * found_.found || cubes >= max_cubes) return found_;
      std::pop_heap(waiting_.begin(), waiting_.end(), is_less);
      waiting_.pop_back();
      for (int corner = 0; corner < 8; ++corner) {
        Cube part{cube.center, cube.half / 2, 0, cube.is_inside};
        for (int i = 0; i < 3; ++i) part.center[i] += corner >> i & 1 ? part.half : -part.half;
        offer(part);
      }
      cubes += 8;
    }
    found_.bound = found_.found;
    return found_;
  }

 private:
  static constexpr double kSharp = 1.02;

  static bool is_less(const Cube& a, const Cube& b) { return a.bound < b.bound; }

  [[nodiscard]] double from_balls(const Vec3& point) const {
    return std::max(0.0, balls_.nearest(point, std::numeric_limits<double>::infinity()).distance);
  }

  void consider(const Vec3& point) {
    const double distance = from_balls(point);
    if (distance <= found_.found) return;
    found_.found = distance;
    found_.at = point;
  }

  void offer(Cube cube) {
    const double diagonal = std::sqrt(3) * cube.half * (1 + 0x1p-40);
    if (!cube.is_inside) {
      const NearestWall wall = nearest_wall(solid_.tree, cube.center, diagonal);
      if (wall.found()) {
        consider(point_on_wall(solid_.tree, wall, cube.center));
      } else if (solid_.contains(cube.center)) {
        cube.is_inside = true;
      } else {
        return;
      }
    }
    if (cube.is_inside) consider(cube.center);
    cube.bound = (from_balls(cube.center) + diagonal) * (1 + 0x1p-40);
    if (cube.bound <= found_.found) return;
    waiting_.push_back(cube);
    std::push_heap(waiting_.begin(), waiting_.end(), is_less);
  }

  const UnitSolid& solid_;
  const BallTree& balls_;
  Protrusion found_;
  std::vector<Cube> waiting_;
};

}  // namespace

Protrusion largest_protrusion(const UnitSolid& solid, const BallTree& balls,
                              std::size_t max_cubes) {
  return Search(solid, balls).run(max_cubes);
}

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
