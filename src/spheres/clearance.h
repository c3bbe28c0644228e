// How far a point is from the surface of a mesh, millions of times.
//
// Lengths are in units of the tree's frame, points relative to its center. SurfaceProbe answers the
// same question for any pose and to the last bits, at five times the cost.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/no_index.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// The point of a surface that is nearest to another.
struct NearestWall {
  double distance = 0;                          ///< The true one is no less: rounding is taken off.
  std::uint32_t leaf = kNoIndex, triangle = 0;  ///< Of the tree; kNoIndex: none within the limit.
  [[nodiscard]] bool found() const { return leaf != kNoIndex; }
};

/// The nearest triangle within `limit`. `distance` is the distance of the true one less 2^-46 M^2 /
/// (2 distance) at most, M the larger of its size and the distance (proximity/triangle_distance.h);
/// where nothing is found it is `limit`. Equal ones are told apart by their order in the tree.
/// With a slack others may be nearer, by less than that share of the distance: where all is about
/// as near, as in the middle of a ball, a walk with one is faster. Precondition: a tree
/// with triangles.
[[nodiscard]] NearestWall nearest_wall(const TriangleTree& tree, const Vec3& point, double limit,
                                       double slack = 0);

/// All triangles within `distance`, in any order, which is the same each time; where there are more
/// than `most`, some of them, more than `most`.
[[nodiscard]] std::vector<NearestWall> walls_near(
    const TriangleTree& tree, const Vec3& point, double distance,
    std::size_t most = std::numeric_limits<std::size_t>::max());

/// The point of that triangle which is nearest to `point`.
[[nodiscard]] Vec3 point_on_wall(const TriangleTree& tree, const NearestWall& wall,
                                 const Vec3& point);

}  // namespace plimsoll
