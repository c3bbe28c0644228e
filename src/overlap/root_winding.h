// How often one posed surface winds around the vertices of another, from the edges that pass it and
// one vertex whose winding number is known.
#pragma once

#include <span>

#include "overlap/solid_sums.h"
#include "overlap/tie_breaker.h"
#include "tree/frame_map.h"

namespace plimsoll {

struct PosedSolid {
  PosedTree posed;
  const SpanningMoments* spanning;
  const TieBreaker* ties;
};

/// Winding numbers around vertices of `inner`, of the surface of `outer`. Keeps references.
class RootWindings {
 public:
  RootWindings(const PosedSolid& inner, const PosedSolid& outer);

  /// That of the component's root. `steps` are all edges of the spanning tree of `inner` that pass
  /// the other surface. O(steps), where an extreme vertex of the component is outside the other
  /// body's box, else O(log n) more as a rule.
  [[nodiscard]] int of_root(const SpanningMoments::Component& component,
                            std::span<const WindingStep> steps) const;

 private:
  /// A vertex, and the way out of the other body's box that is the shortest from there.
  struct Witness {
    std::uint32_t vertex = 0;
    bool is_outside = false;
    double distance = 0;
    int axis = 0;
    double end = 0;  ///< Coordinate along the axis, beyond the box.
  };
  [[nodiscard]] Vec3 in_outer(std::uint32_t vertex) const;
  [[nodiscard]] Witness witness_of(const SpanningMoments::Component& component) const;
  [[nodiscard]] int around(const Witness& witness) const;

  const PosedSolid &inner_, &outer_;
  FrameMap map_;
  Vec3 low_, high_;  // the box of `outer` in its frame, with room
};

}  // namespace plimsoll
