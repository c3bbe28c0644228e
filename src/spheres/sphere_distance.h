// How far apart the spheres of two hierarchies are [Weller2009, sec. 4.1].
#pragma once

#include <optional>

#include "spheres/sphere_walk.h"

namespace plimsoll {

/// Whether a primary sphere of `a` and one of `b` have volume in common, beyond what rounding
/// leaves open. Ends with the first pair.
[[nodiscard]] bool spheres_meet(const PosedHierarchies& bodies, SphereWalk& walk);

/// The distance of the centers of two leaves less both primary radii.
[[nodiscard]] double sphere_gap(const PosedHierarchies& bodies, SpherePair leaves);

struct SphereDistance {
  double distance = 0;      ///< In the frame of `a`; 0 where spheres touch or meet [m].
  bool meet = false;        ///< Two have volume in common, beyond what rounding leaves open.
  SpherePair nearest;       ///< Two leaves at that distance, or the first two found that meet.
  std::size_t tests = 0;    ///< How many pairs of nodes were compared.
  bool is_complete = true;  ///< Else a nearer pair may have been left out.
};

/// The least distance of the primary spheres: an upper bound of that of the solids. The search
/// begins with the distance of the leaves `last`, those of an earlier answer, which decides only
/// how long it takes and which of several nearest pairs is named [Weller2009, alg. 1, sec. 4.1.1].
[[nodiscard]] SphereDistance sphere_distance(const PosedHierarchies& bodies, SphereWalk& walk,
                                             std::optional<SpherePair> last = std::nullopt);
/// Ends where no more steps may be taken, one for each pair of nodes that is opened, but not before
/// it has a pair of leaves.
[[nodiscard]] SphereDistance sphere_distance(const PosedHierarchies& bodies, SphereWalk& walk,
                                             std::optional<SpherePair> last, StepLimit& steps);

/// A lower bound of the distance of the solids: the least distance of the balls that enclose the
/// parts of the leaves, less rounding, at least 0.
[[nodiscard]] double distance_lower_bound(const PosedHierarchies& bodies, SphereWalk& walk);

/// Calls limit = visit(leaf pair, lower bound of the distance of their parts) for all pairs of
/// leaves whose parts may be nearer than the limit, near ones first: for the refinement by the
/// triangles of the leaves, where the published one takes the nearest pair of spheres only
/// [Weller2009, sec. 4.1.2].
template <class Visit>
void visit_near_parts(const PosedHierarchies& bodies, SphereWalk& walk, double limit,
                      const Visit& visit) {
  const double room = bodies.rounding();
  walk.visit_near(bodies, NodeBall::kReach, limit + room,
                  [&](SpherePair pair, double gap) { return visit(pair, gap - room) + room; });
}

}  // namespace plimsoll
