#include "spheres/protrusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

  [[nodiscard]] double run(std::size_t max_cubes) {
    offer({Vec3::Zero(), solid_.tree.frame.reach * (1 + 0x1p-20), 0, false});
    std::size_t cubes = 0;
    while (!waiting_.empty()) {
      const Cube cube = waiting_.front();
      if (cube.bound <= kSharp * farthest_ || cubes >= max_cubes) return cube.bound;
      std::pop_heap(waiting_.begin(), waiting_.end(), is_less);
      waiting_.pop_back();
      for (int corner = 0; corner < 8; ++corner) {
        Cube part{cube.center, cube.half / 2, 0, cube.is_inside};
        for (int i = 0; i < 3; ++i) part.center[i] += corner >> i & 1 ? part.half : -part.half;
        offer(part);
      }
      cubes += 8;
    }
    return farthest_;
  }

 private:
  static constexpr double kSharp = 1.02;

  static bool is_less(const Cube& a, const Cube& b) { return a.bound < b.bound; }

  [[nodiscard]] double from_balls(const Vec3& point) const {
    return std::max(0.0, balls_.nearest(point, std::numeric_limits<double>::infinity()).distance);
  }

  void offer(Cube cube) {
    const double diagonal = std::sqrt(3) * cube.half * (1 + 0x1p-40);
    if (!cube.is_inside) {
      const NearestWall wall = nearest_wall(solid_.tree, cube.center, diagonal);
      if (wall.found()) {
        farthest_ = std::max(farthest_, from_balls(point_on_wall(solid_.tree, wall, cube.center)));
      } else if (solid_.contains(cube.center)) {
        cube.is_inside = true;
      } else {
        return;
      }
    }
    const double distance = from_balls(cube.center);
    if (cube.is_inside) farthest_ = std::max(farthest_, distance);
    cube.bound = (distance + diagonal) * (1 + 0x1p-40);
    if (cube.bound <= farthest_) return;
    waiting_.push_back(cube);
    std::push_heap(waiting_.begin(), waiting_.end(), is_less);
  }

  const UnitSolid& solid_;
  const BallTree& balls_;
  double farthest_ = 0;  // of the points of the solid that were measured
  std::vector<Cube> waiting_;
};

}  // namespace

double largest_protrusion(const UnitSolid& solid, const BallTree& balls, std::size_t max_cubes) {
  return Search(solid, balls).run(max_cubes);
}

}  // namespace plimsoll
