// The walks, compiled once per instruction set.
#include "proximity/probe_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/probe_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "proximity/box_distance.inc"

using Floats = WideNumber<hn::CappedTag<float, 8>>;
constexpr float kBeside = std::numeric_limits<float>::infinity();

void find_near(const TriangleTree& tree, const Vec3& point, double room, double farthest,
               LeafVisitor& visitor) {
  double best = farthest * farthest;
  walk_boxes(
      point, box_room(point, tree.frame.reach) + static_cast<float>(room * (1 + 0x1p-20)),
      tree.levels(),
      [&](std::size_t level, std::uint32_t number) -> const ChildBoxes& {
        return tree.boxes[tree.first[level] + number];
      },
      [&](std::size_t level) { return tree.width(level); }, best,
      [&](std::uint32_t leaf) {
        const double limit = visitor.visit(leaf);
        best = limit * limit;
      });
}

/// A ray in float.
struct FloatRay {
  float from[3], along[3];
  float room;
};

/// Where along the ray each box begins, no later; kBeside for those that it misses or has passed.
/// A box is missed where its shadow across the ray does not hold the ray: along the cross product
/// of the ray and an axis, the box reaches no farther than the sums below. Each product of a
/// difference and a part of the direction is rounded by 2^-22 of coordinates times that part, for
/// which `room` stands in the sum.
void find_beginnings(const ChildBoxes& boxes, const FloatRay& ray, float (&first)[8]) {
  const Floats zero = everywhere<Floats>(0), room = everywhere<Floats>(ray.room);
  for (std::size_t lane = 0; lane < 8; lane += Floats::kWidth) {
    Floats off[3], reach[3], along[3], size[3];
    Floats middle = zero, depth = room;
    for (std::size_t i = 0; i < 3; ++i) {
      off[i] = load<Floats>(boxes.center[i] + lane) - everywhere<Floats>(ray.from[i]);
      reach[i] = load<Floats>(boxes.half[i] + lane) + room;
      along[i] = everywhere<Floats>(ray.along[i]);
      size[i] = absolute(along[i]);
      middle = middle + along[i] * off[i];
      depth = depth + size[i] * reach[i];
    }
    Floats begins = max(zero, middle - depth);
    begins = select(middle + depth < zero, everywhere<Floats>(kBeside), begins);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      const Floats beside = absolute(along[j] * off[k] - along[k] * off[j]);
      const Floats limit = reach[j] * size[k] + reach[k] * size[j];
      begins = select(beside > limit, everywhere<Floats>(kBeside), begins);
    }
    hn::StoreU(begins.v, Floats::kTag, first + lane);
  }
}

void find_on_ray(const TriangleTree& tree, const Vec3& from, const Vec3& direction, double room,
                 double farthest, LeafVisitor& visitor) {
  struct Waiting {
    float first;
    std::uint32_t level, number;
  };
  constexpr std::size_t kDeepest = 16;
  Waiting waiting[8 * kDeepest];
  std::size_t count = 0;
  FloatRay ray;
  for (int i = 0; i < 3; ++i) {
    ray.from[i] = static_cast<float>(from[i]);
    ray.along[i] = static_cast<float>(direction[i]);
  }
  ray.room = 4 * box_room(from, tree.frame.reach) + static_cast<float>(room * (1 + 0x1p-20));
  waiting[count++] = {0, 0, 0};
  while (count > 0) {
    const Waiting next = waiting[--count];
    if (next.first > farthest) continue;
    if (next.level == tree.levels()) {
      farthest = visitor.visit(next.number);
      continue;
    }
    alignas(32) float first[8];
    find_beginnings(tree.boxes[tree.first[next.level] + next.number], ray, first);
    const std::uint32_t begin = 8 * next.number;
    const std::size_t children = std::min<std::size_t>(8, tree.width(next.level + 1) - begin),
                      before = count;
    for (std::uint32_t k = 0; k < children; ++k) {
      if (!(first[k] <= farthest) || first[k] == kBeside) continue;
      std::size_t at = count++;
      for (; at > before && waiting[at - 1].first < first[k]; --at) waiting[at] = waiting[at - 1];
      waiting[at] = {first[k], next.level + 1, begin + k};
    }
  }
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_near);
HWY_EXPORT(find_on_ray);
}  // namespace

bool fits_float_walk(const TriangleTree& tree, const Vec3& point) {
  constexpr double kFar = 0x1p10, kLeast = 0x1p-60, kMost = 0x1p60;
  const double reach = tree.frame.reach;
  return reach > kLeast && reach < kMost && point.cwiseAbs().maxCoeff() <= kFar * reach;
}

void walk_near(const TriangleTree& tree, const Vec3& point, double room, double farthest,
               LeafVisitor& visitor) {
  HWY_DYNAMIC_DISPATCH(find_near)(tree, point, room, farthest, visitor);
}

void walk_on_ray(const TriangleTree& tree, const Vec3& from, const Vec3& direction, double room,
                 double farthest, LeafVisitor& visitor) {
  HWY_DYNAMIC_DISPATCH(find_on_ray)(tree, from, direction, room, farthest, visitor);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
