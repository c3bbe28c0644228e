#include "spheres/sphere_distance.h"

#include <limits>

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

double sphere_gap(const PosedHierarchies& bodies, SpherePair pair) {
  return std::sqrt(bodies.squared_distance(pair)) - (bodies.a_radius(pair.a, NodeBall::kPrimary) +
                                                     bodies.b_radius(pair.b, NodeBall::kPrimary));
}

bool spheres_meet(const PosedHierarchies& bodies, SphereWalk& walk) {
  bool meet = false;
  walk.visit_near(bodies, NodeBall::kPrimary, -bodies.rounding(), [&](SpherePair, double) {
    meet = true;
    return -kInfinite;
  });
  return meet;
}

namespace {

template <class MayOpen>
SphereDistance find_distance(const PosedHierarchies& bodies, SphereWalk& walk,
                             std::optional<SpherePair> last, const MayOpen& may_open) {
  SphereDistance found;
  found.distance = kInfinite;
  const auto offer = [&](SpherePair pair, double gap) {
    found.distance = std::max(0.0, gap);
    found.nearest = pair;
    found.meet = gap < -bodies.rounding();
    return found.meet ? -kInfinite : gap;
  };
  double limit = kInfinite;
  if (last) {
    PLIMSOLL_ASSERT(bodies.are_leaves(*last), "the last answer names leaves of these hierarchies");
    limit = offer(*last, sphere_gap(bodies, *last));
  }
  found.tests = walk.visit_near(bodies, NodeBall::kPrimary, limit, offer,
                                [&] { return found.is_complete = may_open(found); });
  return found;
}

}  // namespace

SphereDistance sphere_distance(const PosedHierarchies& bodies, SphereWalk& walk,
                               std::optional<SpherePair> last) {
  return find_distance(bodies, walk, last, [](const SphereDistance&) { return true; });
}

SphereDistance sphere_distance(const PosedHierarchies& bodies, SphereWalk& walk,
                               std::optional<SpherePair> last, StepLimit& steps) {
  return find_distance(bodies, walk, last, [&](const SphereDistance& found) {
    return steps.take() || found.distance == kInfinite;
  });
}

double distance_lower_bound(const PosedHierarchies& bodies, SphereWalk& walk) {
  double least = kInfinite;
  walk.visit_near(bodies, NodeBall::kReach, kInfinite, [&](SpherePair, double gap) {
    least = gap;
    return gap > 0 ? gap : -kInfinite;
  });
  return std::max(0.0, least - bodies.rounding());
}

}  // namespace plimsoll
