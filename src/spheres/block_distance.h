// How far the spheres of two packings are apart, sixteen pairs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spheres/block_pose.h"
#include "spheres/sphere_distance.h"

namespace plimsoll {

/// Looks for near pairs, and keeps its memory from one question to the next; one thread at a time.
/// Floats decide which pairs cannot be near enough, less what they are rounded by; of others the
/// gap is that of the hierarchies. Precondition of all: blocks are those of the hierarchies in
/// `bodies`, at the same pose; blocks.are_alike().
class BlockDistanceSearch {
 public:
  /// As spheres_meet().
  [[nodiscard]] bool meet(const PosedBlocks& blocks, const PosedHierarchies& bodies);

  /// As sphere_distance(): the same distance, of the same pair but for ties.
  [[nodiscard]] SphereDistance find(const PosedBlocks& blocks, const PosedHierarchies& bodies,
                                    std::optional<SpherePair> last = std::nullopt);

  /// As distance_lower_bound().
  [[nodiscard]] double lower_bound(const PosedBlocks& blocks, const PosedHierarchies& bodies);

  /// As SphereWalk::visit_near().
  template <class Visit>
  std::size_t visit_near(const PosedBlocks& blocks, const PosedHierarchies& bodies, NodeBall ball,
                         double limit, const Visit& visit) {
    const auto call = [](const void* on, SpherePair pair, double gap) {
      return (*static_cast<const Visit*>(on))(pair, gap);
    };
    return visit_near(blocks, bodies, ball, limit, &visit, call);
  }

  struct Waiting {
    double gap;  ///< A lower bound, in the frame of `a` [m].
    std::uint32_t from, to;
    std::uint16_t rows;
    bool is_from_b;
  };
  using Offer = double (*)(const void* on, SpherePair pair, double gap);

 private:
  std::size_t visit_near(const PosedBlocks& blocks, const PosedHierarchies& bodies, NodeBall ball,
                         double limit, const void* on, Offer offer);

  std::vector<Waiting> waiting_;
};

}  // namespace plimsoll
