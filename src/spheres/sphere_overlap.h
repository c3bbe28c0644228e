// The volume that two packings have in common [Weller2009, sec. 4.2].
#pragma once

#include "spheres/sphere_distance.h"
#include "spheres/sphere_walk.h"

namespace plimsoll {

/// A sum over pairs of spheres, in the frame of `a`.
struct SphereOverlap {
  double volume = 0;           ///< Sum of the lenses [m^3].
  Vec3 moment = Vec3::Zero();  ///< Sum of the lenses times their centroids [m^4].
  double area = 0;             ///< Sum of the disks in which surfaces cross [m^2].
  std::size_t lenses = 0;      ///< Pairs of leaves in the sum.
  std::size_t subtrees = 0;    ///< Subtrees that lie in a sphere of the other body, added whole.
  std::size_t tests = 0;       ///< How many pairs of nodes were compared.

  /// Precondition: a volume above 0.
  [[nodiscard]] Vec3 center() const { return moment / volume; }
};

/// Adds the lens of two nodes' balls times `share`.
void add_lens(const PosedHierarchies& bodies, SpherePair pair, double distance, NodeBall ball,
              double share, SphereOverlap& sum);

/// Adds all that is below a node which lies in a leaf of the other body; whether one of the two
/// does.
bool add_subtree(const PosedHierarchies& bodies, SpherePair pair, double distance, NodeBall ball,
                 SphereOverlap& sum);

/// Sums the lenses of the primary or the secondary spheres. A node that lies in a leaf of the other
/// body counts with the volume of its leaves [Weller2009, alg. 2, sec. 4.2.2].
/// Precondition: not NodeBall::kReach.
[[nodiscard]] SphereOverlap sphere_overlap(const PosedHierarchies& bodies, SphereWalk& walk,
                                           NodeBall ball);

/// Calls visit(leaf pair, distance of the centers) for all primary spheres that meet.
template <class Visit>
void visit_meeting_spheres(const PosedHierarchies& bodies, SphereWalk& walk, const Visit& visit) {
  walk.visit_meeting(bodies, NodeBall::kPrimary, [&](SpherePair pair, double distance) {
    if (bodies.are_leaves(pair)) visit(pair, distance);
    return WalkStep::kOpen;
  });
}

/// The distance of spheres that are apart, the volume of those that meet.
struct SphereProximity {
  SphereDistance distance;
  SphereOverlap overlap;  ///< All 0 where no two primary spheres meet.
};

/// Looks for the distance until two primary spheres meet, then for the volume
/// [Weller2009, sec. 4.3]. The published algorithm goes on where the first search stood, since
/// pairs that it left behind do not overlap. That is true of primary radii only: the second search
/// begins anew, and its volume is that of sphere_overlap().
[[nodiscard]] SphereProximity sphere_proximity(const PosedHierarchies& bodies, SphereWalk& walk,
                                               NodeBall ball,
                                               std::optional<SpherePair> last = std::nullopt);

/// Encloses the volume that the two solids have in common.
struct OverlapBounds {
  double lower = 0, upper = 0;  ///< [m^3]
};

/// Looks for bounds, and keeps its memory from one question to the next; one thread at a time.
///
/// The solids A and B consist of spheres P and of what these leave uncovered, U. So the common
/// volume is at least that of P_A and P_B, and at most that, and U_A within B, and U_B within A. A
/// part of U_A counts, once, where the ball around it meets the ball around some part of B. Spheres
/// that overlap or leave their solid by rounding are the business of who packed them.
class OverlapBoundsSearch {
 public:
  /// In the volume of the frame of `a`.
  [[nodiscard]] OverlapBounds find(const SphereHierarchy& a, const SphereHierarchy& b,
                                   const RelativePose& pose);

 private:
  struct Waiting {
    std::uint32_t node;
    std::uint32_t witness;  // a leaf of the other body which the parent's ball met
  };

  [[nodiscard]] double uncovered(const PosedHierarchies& bodies);
  [[nodiscard]] std::uint32_t meeting_leaf(const PosedHierarchies& bodies, std::uint32_t node);

  SphereWalk walk_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> others_;
};

}  // namespace plimsoll
