// The volume that two packings have in common, sixteen pairs of spheres at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "spheres/block_pose.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {

/// Sums in the frames of `a` and `b`, in the units of their trees; volumes are over pi / 12.
struct BlockSums {
  double volume[2] = {};
  double moment[2][3] = {};
};

/// In the frame of `a`, in meters.
[[nodiscard]] SphereOverlap overlap_of(const BlockSums& sums, const PosedBlocks& bodies);

/// Looks for volumes, and keeps its memory from one question to the next; one thread at a time.
///
/// Pairs of blocks are opened as pairs of nodes are in sphere_overlap(): the children of one, in
/// the frame of the other, are compared with sixteen at a time. A block of spheres that meets a
/// block of blocks keeps its own place and remembers which of its spheres still matter.
class BlockOverlapSearch {
 public:
  /// The sum that sphere_overlap() finds, but for rounding: lengths and lenses are floats, sums are
  /// doubles. With S the sizes of both bodies together, lens areas A and the volume V it is below
  /// 2^-20 S A + 2^-20 V. `area` is 0. The same bits for every instruction set.
  /// Preconditions: not NodeBall::kReach; bodies.are_alike().
  [[nodiscard]] SphereOverlap find(const PosedBlocks& bodies, NodeBall ball);

  /// Calls visit(leaf pair) for all primary spheres that meet, and for some that are apart by less
  /// than 2^-19 of the sizes of both bodies, each once, in an order that depends on nothing else.
  /// Precondition: bodies.are_alike().
  template <class Visit>
  void visit_meeting(const PosedBlocks& bodies, const Visit& visit) {
    find_meeting(bodies);
    for (const SpherePair& pair : meeting_) visit(pair);
  }

  /// Adds what is below one pair of blocks: the lenses of `ball` to `sums`, or the pairs that
  /// visit_meeting() visits to `meeting`. Preconditions: as find().
  void add_below(const PosedBlocks& bodies, NodeBall ball, const BlockPair& pair, BlockSums& sums);
  void add_meeting_below(const PosedBlocks& bodies, const BlockPair& pair,
                         std::vector<SpherePair>& meeting);

  /// What all pairs have in common, lane by lane.
  struct Lanes {
    /// In the unit of a tree, over pi / 12.
    struct Sums {
      double volume[SphereBlock::kWidth] = {};
      double moment[3][SphereBlock::kWidth] = {};
    };
    Sums sums[2];  ///< In the frames of both trees.
    std::size_t lenses = 0, subtrees = 0, tests = 0;
  };

 private:
  void find_meeting(const PosedBlocks& bodies);

  std::vector<BlockPair> waiting_;
  Lanes lanes_;  // empty between questions, but for the number of tests
  std::vector<SpherePair> meeting_;
};

}  // namespace plimsoll
