// Two hierarchies of spheres walked together, without recursion. The memory belongs to the caller
// and is kept from one walk to the next.
#pragma once

#include <plimsoll/assert.h>
#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spheres/deadline.h"
#include "spheres/relative_pose.h"
#include "spheres/sphere_hierarchy.h"

namespace plimsoll {

/// Which balls of the nodes are compared.
enum class NodeBall { kPrimary, kSecondary, kReach };

inline double ball_radius(const SphereNode& node, NodeBall ball) {
  return ball == NodeBall::kPrimary     ? node.radius
         : ball == NodeBall::kSecondary ? node.secondary_radius
                                        : node.reach;
}

inline bool is_leaf(const SphereNode& node) { return node.children == 0; }

/// Numbers of nodes, one of each hierarchy.
struct SpherePair {
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const SpherePair&, const SpherePair&) = default;
  friend auto operator<=>(const SpherePair&, const SpherePair&) = default;
};

/// Two hierarchies in the frame of the first. Both have to outlive it.
class PosedHierarchies {
 public:
  /// Precondition: check_pose (shape.h) accepts the poses.
  PosedHierarchies(const SphereHierarchy& a, const SphereHierarchy& b, const RelativePose& pose);

  [[nodiscard]] const SphereNode& a(std::uint32_t node) const { return a_[node]; }
  /// In its own frame.
  [[nodiscard]] const SphereNode& b(std::uint32_t node) const { return b_[node]; }
  [[nodiscard]] Vec3 from_b(const Vec3& point) const { return linear_ * point + translation_; }
  /// The x for which x . p is the direction's product with p of `b` in the frame of `a`, but for a
  /// constant.
  [[nodiscard]] Vec3 direction_in_b(const Vec3& direction) const {
    return linear_.transpose() * direction;
  }
  [[nodiscard]] Vec3 b_center(std::uint32_t node) const { return from_b(b_[node].center); }
  [[nodiscard]] Vec3 b_axis(std::uint32_t node) const {
    return linear_ * b_[node].cone.axis / scale_;
  }
  /// Lengths in the frame of `a` over those in the frame of `b`.
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double volume_scale() const { return scale_ * scale_ * scale_; }
  /// Distances between balls are known to this [m]: rounding, and what the poses lack to
  /// similarities.
  [[nodiscard]] double rounding() const { return rounding_; }

  [[nodiscard]] double a_radius(std::uint32_t node, NodeBall ball) const {
    return ball_radius(a_[node], ball);
  }
  [[nodiscard]] double b_radius(std::uint32_t node, NodeBall ball) const {
    return scale_ * ball_radius(b_[node], ball);
  }
  [[nodiscard]] bool are_leaves(SpherePair pair) const {
    return is_leaf(a_[pair.a]) && is_leaf(b_[pair.b]);
  }
  [[nodiscard]] double squared_distance(SpherePair pair) const {
    return (b_center(pair.b) - a_[pair.a].center).squaredNorm();
  }

  /// Calls visit(pair, squared distance of the centers) for all pairs of children. A leaf stands
  /// for itself.
  template <class Visit>
  void for_each_child_pair(SpherePair pair, const Visit& visit) const {
    const auto [a_first, a_end] = opened(a_, pair.a);
    const auto [b_first, b_end] = opened(b_, pair.b);
    for (std::uint32_t j = b_first; j < b_end; ++j) {
      const Vec3 center = b_center(j);
      for (std::uint32_t i = a_first; i < a_end; ++i)
        visit(SpherePair{i, j}, (center - a_[i].center).squaredNorm());
    }
  }

 private:
  static std::array<std::uint32_t, 2> opened(const SphereNode* nodes, std::uint32_t number) {
    const SphereNode& node = nodes[number];
    if (is_leaf(node)) return {number, number + 1};
    return {node.first, node.first + node.children};
  }

  const SphereNode* a_;
  const SphereNode* b_;
  Mat3 linear_;
  Vec3 translation_;
  double scale_;
  double rounding_;
};

/// What a visitor of pairs that meet decides.
enum class WalkStep {
  kOpen,  ///< Go on with the children; two leaves have none.
  kSkip,  ///< Leave out what is below this pair.
  kStop,  ///< End the walk.
};

/// How far a walk came that took the nearest pairs first.
struct NearestFirst {
  double least;             ///< No pair of leaves has a smaller gap, as far as the limit goes.
  double least_left;        ///< No pair that was not visited has a smaller gap.
  bool is_complete = true;  ///< All pairs below the limit were visited.
};

class SphereWalk {
 public:
  /// Calls visit(pair, distance of the centers) for pairs of nodes whose balls meet, parents before
  /// children, in an order that depends on nothing else. Balls of two leaves meet where they have
  /// volume in common; others also where rounding leaves it open. Returns how many pairs were
  /// compared.
  template <class Visit>
  std::size_t visit_meeting(const PosedHierarchies& bodies, NodeBall ball, const Visit& visit) {
    waiting_.clear();
    std::size_t tests = 0;
    const auto compare = [&](SpherePair pair, double squared) {
      ++tests;
      double reach = bodies.a_radius(pair.a, ball) + bodies.b_radius(pair.b, ball);
      if (!bodies.are_leaves(pair)) reach += bodies.rounding();
      if (squared < reach * reach) waiting_.push_back({pair, squared});
    };
    compare({0, 0}, bodies.squared_distance({0, 0}));
    while (!waiting_.empty()) {
      const auto [pair, squared] = waiting_.back();
      waiting_.pop_back();
      const WalkStep step = visit(pair, std::sqrt(squared));
      if (step == WalkStep::kStop) break;
      if (step == WalkStep::kOpen && !bodies.are_leaves(pair))
        bodies.for_each_child_pair(pair, compare);
    }
    return tests;
  }

  /// Calls limit = visit(leaf pair, gap) for pairs of leaves whose gap, the distance of the centers
  /// less both radii, is below the limit. Near pairs come first, so that a limit that shrinks
  /// spares the rest. No pair below the last limit is left out. Returns how many pairs were
  /// compared.
  template <class Visit>
  std::size_t visit_near(const PosedHierarchies& bodies, NodeBall ball, double limit,
                         const Visit& visit) {
    return visit_near(bodies, ball, limit, visit, [] { return true; });
  }
  /// Ends where may_open(), which is asked before each pair of nodes that is opened, says so.
  template <class Visit, class MayOpen>
  std::size_t visit_near(const PosedHierarchies& bodies, NodeBall ball, double limit,
                         const Visit& visit, const MayOpen& may_open) {
    waiting_.clear();
    std::size_t tests = 0;
    const auto compare = [&](SpherePair pair, double squared) {
      ++tests;
      double reach = bodies.a_radius(pair.a, ball) + bodies.b_radius(pair.b, ball);
      if (!bodies.are_leaves(pair)) reach += bodies.rounding();
      // The square is rounded: a little more is let through, and the gap decides later.
      const double farthest = (limit + reach) * (1 + 0x1p-50);
      if (farthest > 0 && squared < farthest * farthest)
        waiting_.push_back({pair, std::sqrt(squared) - reach});
    };
    compare({0, 0}, bodies.squared_distance({0, 0}));
    while (!waiting_.empty()) {
      const auto [pair, gap] = waiting_.back();
      waiting_.pop_back();
      if (!(gap < limit)) continue;
      if (bodies.are_leaves(pair)) {
        limit = visit(pair, gap);
        continue;
      }
      if (!may_open()) break;
      const auto begin = static_cast<std::ptrdiff_t>(waiting_.size());
      bodies.for_each_child_pair(pair, compare);
      std::sort(waiting_.begin() + begin, waiting_.end(), comes_later);
    }
    return tests;
  }

  /// Calls limit = visit(leaf pair, gap) as visit_near() does, the pair with the least gap of all
  /// that wait first, so that the walk knows at any time how near is what it has not seen. It ends
  /// early where no more steps may be taken, one for each pair that is opened; a visit during which
  /// that happens counts as not made.
  template <class Visit>
  NearestFirst visit_nearest_first(const PosedHierarchies& bodies, NodeBall ball, double limit,
                                   StepLimit& steps, const Visit& visit) {
    waiting_.clear();
    NearestFirst walk{.least = limit, .least_left = limit};
    const auto compare = [&](SpherePair pair, double squared) {
      double reach = bodies.a_radius(pair.a, ball) + bodies.b_radius(pair.b, ball);
      if (!bodies.are_leaves(pair)) reach += bodies.rounding();
      const double gap = std::sqrt(squared) - reach;
      if (!(gap < limit)) return;
      waiting_.push_back({pair, gap});
      std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
    };
    compare({0, 0}, bodies.squared_distance({0, 0}));
    while (!waiting_.empty() && waiting_.front().number < limit) {
      const auto [pair, gap] = waiting_.front();
      const bool are_leaves = bodies.are_leaves(pair);
      if (are_leaves) {
        walk.least = std::min(walk.least, gap);
        limit = visit(pair, gap);
      }
      if (waiting_.size() >= kMostWaiting || (are_leaves ? steps.is_spent() : !steps.take())) {
        walk.least_left = std::min(limit, gap);
        walk.is_complete = !(gap < limit);
        break;
      }
      std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
      waiting_.pop_back();
      if (!are_leaves) bodies.for_each_child_pair(pair, compare);
    }
    if (walk.is_complete) walk.least_left = limit;
    walk.least = std::min(walk.least, walk.least_left);
    return walk;
  }

 private:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 22;
  struct Waiting {
    SpherePair pair;
    double number;  // the squared distance of the centers, or the gap
  };
  static bool comes_later(const Waiting& x, const Waiting& y) {
    return x.number != y.number ? x.number > y.number : x.pair > y.pair;
  }

  std::vector<Waiting> waiting_;
};

}  // namespace plimsoll
