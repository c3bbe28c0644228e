// From the frame of one posed tree to that of another.
//
// Points go over by y = L x + t, both relative to the centers of their frames and in their units.
// What rounding may do, in units of the second frame: with m a bound of the posed coordinates,
// posed() moves each coordinate by less than 4 x 2^-53 m [Higham2002, sec. 3.1], for both trees,
// and computing L and t costs less than 2^-48 of their terms: kDoubleRoom is more than that.
#pragma once

#include <plimsoll/types.h>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// A tree and where its mesh is. The tree is neither copied nor moved.
struct PosedTree {
  const TriangleTree* tree = nullptr;
  Similarity world_from_mesh = Similarity::Identity();
};

/// What no coordinate of the posed body exceeds; infinite or not a number where one may overflow.
/// No less than the least normal number: what rounding does to smaller ones is relative to that.
[[nodiscard]] double largest_coordinate(const PosedTree& posed);

/// What a unit of the frame is in the world [m].
[[nodiscard]] double unit_of(const PosedTree& posed);

/// The center of the frame in the world, rounded there alone [m].
[[nodiscard]] Vec3 posed_center(const PosedTree& posed);

struct FrameMap {
  FrameMap(const PosedTree& from, const PosedTree& to);

  Mat3 linear;          ///< L
  Vec3 offset;          ///< t
  double scale;         ///< What a unit of the first frame is in the second.
  double target_reach;  ///< r'
  double reach;         ///< |L| r + r'
  double room;          ///< What rounding may move a point by, along each axis.
};

}  // namespace plimsoll
