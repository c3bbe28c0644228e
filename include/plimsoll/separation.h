// How far a solid has to be moved out of another: the depth to which they penetrate, from above.
#pragma once

#include <plimsoll/overlap.h>

namespace [[gnu::visibility("default")]] plimsoll {

/// A translation of A after which it shares no volume with B.
struct Separation {
  Vec3 translation = Vec3::Zero();  ///< [m]
  double length = 0;                ///< Its length: the penetration depth is not larger [m].
  std::size_t queries = 0;          ///< Overlaps that were asked for.
};

/// A short translation that parts the solids, zero where they share no volume. That the bodies
/// share none after it is decided exactly, with A's pose moved by it as written; that no shorter
/// one does is not: the depth of meshes that are not convex has no fast exact algorithm. From
/// several directions the shared volume is descended along its gradient, what was found is drawn
/// back along its ray until the bodies touch, and then turned toward the normal of what touches, as
/// long as it gets shorter by a millionth. It starts where the bodies' convex hulls come apart
/// soonest (of 200 directions, four are followed), from the bodies as they are, along the forces on
/// the longest six closed parts of the curve, and from what they share to A's middle; last, from
/// those of the 200 directions in which the bodies are apart nearer than after the best way so far.
/// bench/README.md has how near to the least that comes. Errors: as OverlapSearch::overlap, and
/// `InvalidArgument` where the pose is rounded so far that no translation found parts them. Takes
/// hundreds of overlaps and O(n) for each direction.
[[nodiscard]] Result<Separation> separation(OverlapSearch& search, const SolidTree& a,
                                            const Similarity& world_from_a, const SolidTree& b,
                                            const Similarity& world_from_b);

}  // namespace plimsoll
