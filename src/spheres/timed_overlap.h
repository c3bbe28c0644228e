// The common volume within a budget: pairs of nodes are opened in the order of what that is
// expected to tell [Weller2009, sec. 4.2.3].
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "spheres/sphere_forces.h"
#include "spheres/sphere_walk.h"

namespace plimsoll {

/// By which number pairs (R, S) are ordered, the largest first. V is the volume that the balls have
/// in common, p the share of a ball that its leaves fill.
enum class PairOrder {
  kUncertainty,   ///< (1 - p(R) p(S)) V: what the expected volume leaves open.
  kOverlap,       ///< V.
  kChildOverlap,  ///< The sum of V over the pairs of their children [Weller2009, eq. (2)].
};

struct OverlapBudget {
  std::size_t max_expansions = std::numeric_limits<std::size_t>::max();
  double max_time = std::numeric_limits<double>::infinity();  ///< [s]
  /// So many pairs wait at most; others are not opened and count with their expected volume.
  std::size_t max_waiting = std::size_t{1} << 22;
};

struct TimedOverlap {
  /// Of lenses that were reached, and the expected volume of all other pairs [m^3].
  double volume = 0;
  /// The volume times its centroid: each lens counts with its own, a pair of nodes with that of the
  /// lens of their balls, in the frame of `a` [m^4].
  Vec3 moment = Vec3::Zero();
  /// Of lenses that were reached, and the whole V of all other pairs: not below `volume` [m^3].
  double node_overlap = 0;
  /// The same with eq. (2) in place of V; 0 unless that is the order [m^3].
  double child_overlap = 0;
  std::size_t expansions = 0;  ///< Pairs that were opened.
  bool is_complete = false;    ///< No pair is left: the volume is that of sphere_overlap().
};

/// Looks for volumes, and keeps its memory from one question to the next; one thread at a time.
class TimedOverlapSearch {
 public:
  TimedOverlapSearch() { waiting_.reserve(kFirstCapacity); }

  /// Sums the lenses of the primary or the secondary spheres within the budget. What a budget of
  /// time finds depends on the machine; all else does not. Adds to `forces`, unless it is null,
  /// those of leaf pairs that were reached and the expected ones of all other pairs. Precondition:
  /// not NodeBall::kReach.
  [[nodiscard]] TimedOverlap find(const PosedHierarchies& bodies, NodeBall ball, PairOrder order,
                                  const OverlapBudget& budget, ForceSum* forces = nullptr);

 private:
  static constexpr std::size_t kFirstCapacity = std::size_t{1} << 14;

  struct Waiting {
    double key;
    double expected;
    double overlap;
    double children;  // eq. (2), for that order only
    double distance;
    SpherePair pair;
  };
  class Run;

  std::vector<Waiting> waiting_;  // a heap
};

}  // namespace plimsoll
