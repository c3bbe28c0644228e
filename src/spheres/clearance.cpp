// A walk down the tree, nearest boxes first, compiled once per instruction set.
#include "spheres/clearance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proximity/triangle_distance.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spheres/clearance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "proximity/box_distance.inc"
#include "proximity/nearest_candidates.inc"
#include "proximity/point_squares.inc"

constexpr std::size_t kTriangles = TriangleTree::kLeafTriangles;
using Doubles = WideNumber<hn::CappedTag<double, kTriangles>>;

/// Squares of the distances to the triangles of a leaf, less what rounding may have added.
HWY_INLINE void find_squares(const TriangleTree& tree, const TriangleTree::Leaf& leaf,
                             const Vec3& point, double (&squared)[kTriangles]) {
  alignas(32) double rows[3][3][kTriangles];
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t t = 0; t < kTriangles; ++t) {
      const double* x = tree.vertices[leaf.corner[k][t]].x;
      for (std::size_t i = 0; i < 3; ++i) rows[k][i][t] = x[i];
    }
  const Triple<Doubles> p{everywhere<Doubles>(point[0]), everywhere<Doubles>(point[1]),
                          everywhere<Doubles>(point[2])};
  for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
    TripleCorners<Doubles> corner;
    for (std::size_t k = 0; k < 3; ++k) corner[k] = load<Doubles>(rows[k], lane);
    const PointSquares<Doubles> found = point_squares<Doubles>(p, corner);
    const Doubles rounding = everywhere<Doubles>(kSquareRounding) * found.largest;
    hn::StoreU(max(found.squared - rounding, everywhere<Doubles>(0)).v, Doubles::kTag,
               squared + lane);
  }
}

/// Calls visit(leaf, t, squared) for triangles whose squared distance is at most `best`.
template <class Visit>
HWY_INLINE void visit_triangles(const TriangleTree& tree, const Vec3& point, const double& best,
                                const Visit& visit) {
  walk_boxes(
      point, box_room(point, tree.frame.reach), tree.levels(),
      [&](std::size_t level, std::uint32_t number) -> const ChildBoxes& {
        return tree.boxes[tree.first[level] + number];
      },
      [&](std::size_t level) { return tree.width(level); }, best,
      [&](std::uint32_t number) {
        alignas(32) double squared[kTriangles];
        find_squares(tree, tree.leaves[number], point, squared);
        const std::size_t count = tree.size_of(number);
        for (std::uint32_t t = 0; t < count; ++t)
          if (squared[t] <= best) visit(number, t, squared[t]);
      });
}

double root(double squared) { return std::sqrt(squared) * (1 - 0x1p-52); }

NearestWall find_nearest(const TriangleTree& tree, const Vec3& point, double limit, double slack) {
  NearestWall nearest;
  double best = limit * limit, nearest_squared = best;
  visit_triangles(tree, point, best, [&](std::uint32_t leaf, std::uint32_t t, double squared) {
    if (squared == best && nearest.found() &&
        std::pair(nearest.leaf, nearest.triangle) < std::pair(leaf, t))
      return;
    nearest_squared = squared;
    best = (1 - slack) * (1 - slack) * squared;
    nearest.leaf = leaf;
    nearest.triangle = t;
  });
  nearest.distance = nearest.found() ? root(nearest_squared) : limit;
  return nearest;
}

std::vector<NearestWall> find_near(const TriangleTree& tree, const Vec3& point, double distance,
                                   std::size_t most) {
  std::vector<NearestWall> near;
  double limit = distance * distance;
  visit_triangles(tree, point, limit, [&](std::uint32_t leaf, std::uint32_t t, double squared) {
    near.push_back({root(squared), leaf, t});
    if (near.size() > most) limit = -1;  // ends the walk
  });
  return near;
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_nearest);
HWY_EXPORT(find_near);
}  // namespace

NearestWall nearest_wall(const TriangleTree& tree, const Vec3& point, double limit, double slack) {
  return HWY_DYNAMIC_DISPATCH(find_nearest)(tree, point, limit, slack);
}

std::vector<NearestWall> walls_near(const TriangleTree& tree, const Vec3& point, double distance,
                                    std::size_t most) {
  return HWY_DYNAMIC_DISPATCH(find_near)(tree, point, distance, most);
}

Vec3 point_on_wall(const TriangleTree& tree, const NearestWall& wall, const Vec3& point) {
  const std::array<Vec3, 3> at = tree.unit_corners(tree.leaves[wall.leaf], wall.triangle);
  TripleCorners<double> corners;
  for (std::size_t k = 0; k < 3; ++k) corners[k] = {at[k][0], at[k][1], at[k][2]};
  const Triple<double> p{point[0], point[1], point[2]};
  const NearestPoints<double> nearest = nearest_points<double>({p, p, p}, corners);
  const Triple<double> on = point_of(corners, nearest.on_b);
  return {on[0], on[1], on[2]};
}

}  // namespace plimsoll
#endif  // HWY_ONCE
