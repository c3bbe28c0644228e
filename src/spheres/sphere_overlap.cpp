#include "spheres/sphere_overlap.h"

#include "core/no_index.h"
#include "spheres/density.h"
#include "spheres/lens.h"

namespace plimsoll {
namespace {

const Vec3& center_below(const SphereNode& node, NodeBall ball) {
  return ball == NodeBall::kPrimary ? node.volume_center : node.secondary_center;
}

}  // namespace

void add_lens(const PosedHierarchies& bodies, SpherePair pair, double distance, NodeBall ball,
              double share, SphereOverlap& sum) {
  const double r = bodies.a_radius(pair.a, ball), s = bodies.b_radius(pair.b, ball);
  const double volume = share * lens_volume(r, s, distance);
  if (!(volume > 0)) return;
  const Vec3 center = bodies.a(pair.a).center;
  const Vec3 toward = bodies.b_center(pair.b) - center;
  const double along = distance > 0 ? lens_centroid(r, s, distance) / distance : 0;
  sum.volume += volume;
  sum.moment += volume * (center + along * toward);
  sum.area += share * lens_area(r, s, distance);
  ++sum.lenses;
}

bool add_subtree(const PosedHierarchies& bodies, SpherePair pair, double distance, NodeBall ball,
                 SphereOverlap& sum) {
  const WithinLeaf within = within_leaf(bodies, pair, distance, ball);
  if (within == WithinLeaf::kNone) return false;
  const double volume = volume_within(bodies, pair, within, ball);
  const Vec3 center = within == WithinLeaf::kA
                          ? center_below(bodies.a(pair.a), ball)
                          : bodies.from_b(center_below(bodies.b(pair.b), ball));
  sum.volume += volume;
  sum.moment += volume * center;
  ++sum.subtrees;
  return true;
}

SphereOverlap sphere_overlap(const PosedHierarchies& bodies, SphereWalk& walk, NodeBall ball) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  SphereOverlap sum;
  sum.tests = walk.visit_meeting(bodies, ball, [&](SpherePair pair, double distance) {
    if (bodies.are_leaves(pair)) {
      add_lens(bodies, pair, distance, ball, 1, sum);
      return WalkStep::kSkip;
    }
    return add_subtree(bodies, pair, distance, ball, sum) ? WalkStep::kSkip : WalkStep::kOpen;
  });
  return sum;
}

SphereProximity sphere_proximity(const PosedHierarchies& bodies, SphereWalk& walk, NodeBall ball,
                                 std::optional<SpherePair> last) {
  SphereProximity found{.distance = sphere_distance(bodies, walk, last), .overlap = {}};
  if (found.distance.distance == 0) found.overlap = sphere_overlap(bodies, walk, ball);
  return found;
}

/// A leaf of `b` whose reach ball meets that of the node of `a`, or kNoIndex.
std::uint32_t OverlapBoundsSearch::meeting_leaf(const PosedHierarchies& bodies,
                                                std::uint32_t node) {
  const double reach = bodies.a(node).reach + bodies.rounding();
  const auto gap = [&](std::uint32_t other) {
    const double both = reach + bodies.b_radius(other, NodeBall::kReach);
    return bodies.squared_distance({node, other}) - both * both;
  };
  others_.clear();
  if (gap(0) <= 0) others_.push_back(0);
  while (!others_.empty()) {
    const std::uint32_t number = others_.back();
    others_.pop_back();
    const SphereNode& other = bodies.b(number);
    if (is_leaf(other)) return number;
    double least = 0;
    for (std::uint32_t child = other.first; child < other.first + other.children; ++child) {
      const double at = gap(child);
      if (!(at <= 0)) continue;
      others_.push_back(child);
      if (at <= least)
        least = at;  // the deepest is looked at first
      else
        std::swap(others_.back(), others_[others_.size() - 2]);
    }
  }
  return kNoIndex;
}

/// Uncovered volume of the leaves of `a` whose reach ball meets that of any leaf of `b`.
double OverlapBoundsSearch::uncovered(const PosedHierarchies& bodies) {
  double sum = 0;
  const auto is_near = [&](std::uint32_t node, std::uint32_t leaf, double sign) {
    const double farthest =
        bodies.b_radius(leaf, NodeBall::kReach) + sign * (bodies.a(node).reach + bodies.rounding());
    return farthest >= 0 && bodies.squared_distance({node, leaf}) <= farthest * farthest;
  };
  waiting_.assign(1, {0, kNoIndex});
  while (!waiting_.empty()) {
    const auto [number, parents] = waiting_.back();
    waiting_.pop_back();
    const bool is_known = parents != kNoIndex && is_near(number, parents, 1);
    const std::uint32_t witness = is_known ? parents : meeting_leaf(bodies, number);
    if (witness == kNoIndex) continue;
    const SphereNode& node = bodies.a(number);
    if (is_leaf(node) || is_near(number, witness, -1)) {  // within one ball all leaves meet it
      sum += node.uncovered;
    } else {
      for (std::uint32_t child = node.first; child < node.first + node.children; ++child)
        waiting_.push_back({child, witness});
    }
  }
  return sum;
}

OverlapBounds OverlapBoundsSearch::find(const SphereHierarchy& a, const SphereHierarchy& b,
                                        const RelativePose& pose) {
  // A sum of n numbers that are not below 0 is rounded by n units in the last place at most.
  const double share = 0x1p-51 * static_cast<double>(a.nodes.size() + b.nodes.size()) + 0x1p-47;
  const PosedHierarchies bodies(a, b, pose);
  const SphereOverlap primary = sphere_overlap(bodies, walk_, NodeBall::kPrimary);
  // No lens changes by more than its disk times the error of the distance, but for its square.
  const double rounding = primary.volume * share + 2 * primary.area * bodies.rounding();
  const double scale3 = bodies.volume_scale();
  const double rest =
      uncovered(bodies) + scale3 * uncovered(PosedHierarchies(b, a, pose.inverse()));
  const auto whole = [](const SphereNode& root) { return root.volume + root.uncovered; };
  const double upper = primary.volume + rest * (1 + share) + rounding;
  return {
      std::max(0.0, primary.volume - rounding),
      std::min({upper, whole(a.nodes[0]) * (1 + share), scale3 * whole(b.nodes[0]) * (1 + share)})};
}

}  // namespace plimsoll
