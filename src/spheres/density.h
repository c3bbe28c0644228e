// How much of a node's ball its leaves fill.
#pragma once

#include <numbers>

#include "spheres/sphere_walk.h"

namespace plimsoll {

/// Volume of the leaves below.
inline double volume_below(const SphereNode& node, NodeBall ball) {
  return ball == NodeBall::kPrimary ? node.volume : node.secondary_volume;
}

/// p(S), the probability that a point of the ball lies in a leaf below, at most 1: secondary
/// spheres overlap each other [Weller2009, eq. (3)].
inline double density(const SphereNode& node, NodeBall ball) {
  if (is_leaf(node)) return 1;
  const double radius = ball_radius(node, ball);
  const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  return std::min(1.0, volume_below(node, ball) / volume);
}

/// Which of two nodes lies whole in a leaf of the other body.
enum class WithinLeaf { kNone, kA, kB };

inline WithinLeaf within_leaf(const PosedHierarchies& bodies, SpherePair pair, double distance,
                              NodeBall ball) {
  const double r = bodies.a_radius(pair.a, ball), s = bodies.b_radius(pair.b, ball);
  const double room = distance + bodies.rounding();
  if (is_leaf(bodies.a(pair.a)) && room + s <= r) return WithinLeaf::kB;
  if (is_leaf(bodies.b(pair.b)) && room + r <= s) return WithinLeaf::kA;
  return WithinLeaf::kNone;
}

/// Volume of the leaves below the node that lies in a leaf, in the frame of `a`.
inline double volume_within(const PosedHierarchies& bodies, SpherePair pair, WithinLeaf within,
                            NodeBall ball) {
  return within == WithinLeaf::kA ? volume_below(bodies.a(pair.a), ball)
                                  : bodies.volume_scale() * volume_below(bodies.b(pair.b), ball);
}

}  // namespace plimsoll
