#include "spheres/protrusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "spheres/clearance.h"
#include "spheres/cube_corners.h"

namespace plimsoll {
namespace {

struct Cube {
  Vec3 center;
  double half;
  bool is_inside;  // all of it
  /// Of the distance of its points that are in the solid, 0 if there are none; before it is
  /// measured, that of the cube which it is a part of.
  double bound;
  double farthest = 0;  // distance of a point of the solid in it
};

class Search {
 public:
  Search(const UnitSolid& solid, const BallTree& balls) : solid_(solid), balls_(balls) {}

  [[nodiscard]] double run(std::size_t max_cubes) {
    parts_ = {{Vec3::Zero(), solid_.tree.frame.reach * (1 + 0x1p-20), false,
               std::numeric_limits<double>::infinity()}};
    measure_parts();
    std::size_t cubes = 0;
    while (!waiting_.empty()) {
      const double bound = waiting_.front().bound;
      if (bound <= kSharp * farthest_ || cubes >= max_cubes) return bound;
      parts_.clear();
      while (!waiting_.empty() && parts_.size() < kTogether) {
        halve(waiting_.front());
        std::pop_heap(waiting_.begin(), waiting_.end(), is_less);
        waiting_.pop_back();
      }
      cubes += parts_.size();
      measure_parts();
    }
    return farthest_;
  }

 private:
  static constexpr double kSharp = 1.02;
  static constexpr std::size_t kTogether = 512;  // cubes that are measured in parallel

  static bool is_less(const Cube& a, const Cube& b) { return a.bound < b.bound; }

  void halve(const Cube& cube) {
    for (int corner = 0; corner < 8; ++corner) {
      const double half = cube.half / 2;
      parts_.push_back({cube_corner(cube.center, half, corner), half, cube.is_inside, cube.bound});
    }
  }

  void measure_parts() {
    parallel_for_each_index(parts_.size(), 64, [&](std::size_t i) { measure(parts_[i]); });
    for (const Cube& part : parts_) farthest_ = std::max(farthest_, part.farthest);
    for (const Cube& part : parts_) {
      if (part.bound <= farthest_) continue;
      waiting_.push_back(part);
      std::push_heap(waiting_.begin(), waiting_.end(), is_less);
    }
  }

  [[nodiscard]] NearestBall nearest_ball(const Vec3& point) const {
    return balls_.nearest(point, std::numeric_limits<double>::infinity());
  }

  /// Of a point of the solid; 0 where it is not kept.
  [[nodiscard]] double protrusion_of(const Vec3& point) const {
    return solid_.kept_depth(point) >= 0 ? std::max(0.0, nearest_ball(point).distance) : 0;
  }

  void measure(Cube& cube) const {
    const double diagonal = std::sqrt(3) * cube.half * (1 + 0x1p-40);
    const double known = std::exchange(cube.bound, 0);
    if (solid_.kept && solid_.kept->depth(cube.center) < -diagonal - 2 * solid_.kept->rounding)
      return;
    if (!cube.is_inside) {
      const NearestWall wall = nearest_wall(solid_.tree, cube.center, diagonal);
      if (wall.found()) {
        cube.farthest = protrusion_of(point_on_wall(solid_.tree, wall, cube.center));
      } else if (solid_.contains(cube.center)) {
        cube.is_inside = true;
      } else {
        return;
      }
    }
    const NearestBall nearest = nearest_ball(cube.center);
    const double distance = std::max(0.0, nearest.distance);
    if (cube.is_inside && solid_.kept_depth(cube.center) >= 0) cube.farthest = distance;
    cube.bound = std::min(known, (distance + diagonal) * (1 + 0x1p-40));
    if (cube.bound > farthest_) sharpen(cube, balls_.ball(nearest.ball));
  }

  /// The distance from one ball is a convex function, so that of all points of a polyhedron a
  /// corner is the farthest. The solid's part of a cube has corners of the surface's part, and the
  /// cube's that are in the solid.
  void sharpen(Cube& cube, const PlacedSphere& ball) const {
    double most = 0;
    Vec3 farthest = cube.center;
    const auto distance = [&](const Vec3& x) { return (x - ball.center).norm() - ball.radius; };
    const auto look = [&](const Vec3& corner) {
      if (const double there = distance(corner); there > most) {
        most = there;
        farthest = corner;
      }
    };
    if (!cube.is_inside) {
      const std::optional<std::vector<Vec3>> corners =
          surface_corners(solid_.tree, cube.center, cube.half);
      if (!corners) return;
      std::for_each(corners->begin(), corners->end(), look);
    }
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner = cube_corner(cube.center, cube.half, k);
      if (distance(corner) > most && (cube.is_inside || solid_.contains(corner))) look(corner);
    }
    cube.bound = std::min(cube.bound, most + kCornerRounding * solid_.tree.frame.reach);
    if (most > 0) cube.farthest = std::max(cube.farthest, protrusion_of(farthest));
  }

  const UnitSolid& solid_;
  const BallTree& balls_;
  double farthest_ = 0;        // of the points of the solid that were measured
  std::vector<Cube> waiting_;  // a heap
  std::vector<Cube> parts_;
};

}  // namespace

double largest_protrusion(const UnitSolid& solid, const BallTree& balls, std::size_t max_cubes) {
  return Search(solid, balls).run(max_cubes);
}

}  // namespace plimsoll
