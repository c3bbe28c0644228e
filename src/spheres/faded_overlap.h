// The common volume within a budget, without jumps where the bodies move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spheres/block_opening.h"
#include "spheres/sphere_forces.h"
#include "spheres/timed_overlap.h"

namespace plimsoll {

/// Opens pairs of blocks in the order of what their expected volume may be off by, the largest
/// first, and keeps its memory from one question to the next; one thread at a time. Two blocks of
/// 256 spheres at most (SphereBlock::is_low), or with forces two of sixteen, are summed at once by
/// BlockOverlapSearch, so that a whole answer takes little longer than there.
///
/// In an order that is cut off, the pair that is opened last and the one that is not opened change
/// places as bodies move, and the volume jumps. Here the key of a pair (ExpectedPair) is no larger
/// than that of the pair it is in, so that the largest key t that is left is a continuous function
/// of the pose; and a pair of key k, which stands for its expected volume or for what came out when
/// it was opened, counts as opened with the weight
///
///   w(k) = clamp((k / t - 1) / kFadeOfKeys, 0, 1).
///
/// The sum over all pairs of (w(key of the parent) - w(key)) times the expected volume, and of
/// w(key) times what became known, is continuous: a pair that changes places with another has the
/// weight 0, and every key and expected volume is. No bound of the change per motion follows, since
/// w has the slope 1 / t, however small t is.
class FadedOverlapSearch {
 public:
  /// The volume that BlockOverlapSearch finds, to its rounding, when nothing is left; else with the
  /// expected volume of all pairs that were not opened. `forces`, unless it is null, gets those of
  /// primary spheres, and the expected ones of pairs that were not opened, along their narrow cones
  /// or lines of centers. `node_overlap` is 0. For a budget of expansions continuous in the pose,
  /// but for the rounding of floats, and the same bits for every instruction set; of a budget of
  /// 100 us 99 of 100 questions took 107 us or less (two torsos of 100,000 spheres). Preconditions:
  /// as BlockOverlapSearch; both kinds of trees are those of the same spheres.
  [[nodiscard]] TimedOverlap find(const PosedHierarchies& bodies, const PosedBlocks& blocks,
                                  NodeBall ball, const OverlapBudget& budget,
                                  ForceSum* forces = nullptr);

  static constexpr double kFadeOfKeys = 1;

 private:
  class Run;
  struct Pair {
    float parent_key;
    ExpectedPair expected;  // its key is no larger than the parent's
    BlockSums known;        // what came out when it was opened
  };

  std::vector<Pair> pairs_;
  std::vector<SphereForces> forces_;    // of pairs that were opened
  std::vector<std::uint32_t> free_;     // places in pairs_
  std::vector<std::uint64_t> waiting_;  // a heap: keys, then the earlier places
  std::vector<std::uint32_t> fading_;   // were opened; those opened first come first
  OpenedPair opened_;
  BlockOverlapSearch below_;
  std::vector<SpherePair> meeting_;
};

}  // namespace plimsoll
