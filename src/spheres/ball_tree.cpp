#include "spheres/ball_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spheres/ball_tree.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "proximity/box_distance.inc"

/// Calls visit(ball, distance) for balls in leaves whose boxes are within the root of `best`. Roots
/// and differences are rounded by 2^-51 of the coordinates, which is taken off.
template <class Visit>
HWY_INLINE void visit_balls(const BallTree& tree, const Vec3& point, const double& best,
                            const Visit& visit) {
  using Doubles = WideNumber<hn::CappedTag<double, BallTree::kLeaf>>;
  const double rounding = 0x1p-50 * (tree.reach() + point.cwiseAbs().maxCoeff());
  const Triple<Doubles> p{everywhere<Doubles>(point[0]), everywhere<Doubles>(point[1]),
                          everywhere<Doubles>(point[2])};
  walk_boxes(
      point, box_room(point, tree.reach()), tree.levels(),
      [&](std::size_t level, std::uint32_t number) -> const FloatBoxes<8>& {
        return tree.boxes(level, number);
      },
      [&](std::size_t level) { return tree.width(level); }, best,
      [&](std::uint32_t number) {
        const BallTree::Leaf& leaf = tree.leaf(number);
        alignas(64) double distance[BallTree::kLeaf];
        for (std::size_t lane = 0; lane < BallTree::kLeaf; lane += Doubles::kWidth) {
          const Triple<Doubles> off = load<Doubles>(leaf.center, lane) - p;
          store((square_root(dot(off, off)) - load<Doubles>(leaf.radius + lane)) -
                    everywhere<Doubles>(rounding),
                distance + lane);
        }
        for (std::size_t k = 0; k < BallTree::kLeaf; ++k)
          if (leaf.number[k] != kNoIndex) visit(leaf.number[k], distance[k]);
      });
}

NearestBall find_nearest(const BallTree& tree, const Vec3& point, double limit) {
  NearestBall nearest{limit, kNoIndex};
  double best = std::max(limit, 0.0) * std::max(limit, 0.0);
  visit_balls(tree, point, best, [&](std::uint32_t ball, double distance) {
    if (distance > nearest.distance || (distance == nearest.distance && ball >= nearest.ball))
      return;
    nearest = {distance, ball};
    best = distance > 0 ? distance * distance : -1;
  });
  return nearest;
}

std::vector<NearestBall> find_near(const BallTree& tree, const Vec3& point, double distance,
                                   std::size_t most) {
  std::vector<NearestBall> near;
  double limit = distance * distance;
  visit_balls(tree, point, limit, [&](std::uint32_t ball, double there) {
    if (there <= distance) near.push_back({there, ball});
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

/// The bits of a number below 2^21, two zeros before each.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1F00000000FFFFu;
  x = (x | x << 16) & 0x1F0000FF0000FFu;
  x = (x | x << 8) & 0x100F00F00F00F00Fu;
  x = (x | x << 4) & 0x10C30C30C30C30C3u;
  return (x | x << 2) & 0x1249249249249249u;
}

std::uint64_t morton_code(const Vec3& p, double reach) {
  std::uint64_t code = 0;
  for (int i = 0; i < 3; ++i) {
    const double place = std::clamp((p[i] / reach + 1) * 0x1p20, 0.0, 0x1p21 - 1);
    code |= spread(static_cast<std::uint64_t>(place)) << i;
  }
  return code;
}

/// Rounded outward.
void set_box(FloatBoxes<8>& boxes, std::size_t k, const Box3& box) {
  const Vec3 center = box.center();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = static_cast<Eigen::Index>(i);
    boxes.center[i][k] = static_cast<float>(center[axis]);
    const double half =
        std::max(box.max()[axis] - boxes.center[i][k], boxes.center[i][k] - box.min()[axis]);
    boxes.half[i][k] = std::nextafter(static_cast<float>(half), std::numeric_limits<float>::max());
  }
}

}  // namespace

BallTree::BallTree(std::span<const PlacedSphere> balls, double reach)
    : balls_(balls), reach_(reach) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    order[i] = {morton_code(balls[i].center, reach), static_cast<std::uint32_t>(i)};
  std::sort(order.begin(), order.end());
  leaves_.resize((balls.size() + kLeaf - 1) / kLeaf);
  std::vector<Box3> below(leaves_.size());
  for (std::size_t i = 0; i < kLeaf * leaves_.size(); ++i) {
    Leaf& leaf = leaves_[i / kLeaf];
    const std::size_t k = i % kLeaf;
    const bool is_there = i < balls.size();
    const PlacedSphere ball = is_there ? balls[order[i].second] : PlacedSphere{};
    for (int axis = 0; axis < 3; ++axis) leaf.center[axis][k] = ball.center[axis];
    leaf.radius[k] = is_there ? ball.radius : -std::numeric_limits<double>::infinity();
    leaf.number[k] = is_there ? order[i].second : kNoIndex;
    if (is_there)
      below[i / kLeaf].extend(
          Box3(ball.center.array() - ball.radius, ball.center.array() + ball.radius));
  }
  std::vector<std::vector<FloatBoxes<8>>> levels;
  while (!below.empty() && (levels.empty() || below.size() > 1)) {
    std::vector<FloatBoxes<8>> level((below.size() + 7) / 8);
    std::vector<Box3> above(level.size());
    for (std::size_t i = 0; i < 8 * level.size(); ++i) {
      if (i >= below.size()) {
        level[i / 8].set_absent(i % 8);
        continue;
      }
      set_box(level[i / 8], i % 8, below[i]);
      above[i / 8].extend(below[i]);
    }
    levels.push_back(std::move(level));
    below = std::move(above);
  }
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    first_.push_back(boxes_.size());
    boxes_.insert(boxes_.end(), level->begin(), level->end());
  }
}

NearestBall BallTree::nearest(const Vec3& point, double limit) const {
  if (leaves_.empty()) return {limit, kNoIndex};
  return HWY_DYNAMIC_DISPATCH(find_nearest)(*this, point, limit);
}

std::vector<NearestBall> BallTree::near(const Vec3& point, double distance,
                                        std::size_t most) const {
  if (leaves_.empty()) return {};
  return HWY_DYNAMIC_DISPATCH(find_near)(*this, point, distance, most);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
