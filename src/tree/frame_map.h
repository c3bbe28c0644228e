// From the frame of one posed tree to that of another.
//
// Points of `from` go to the frame of `to` by y = L x + t, both relative to the centers of their
// frames and in their units. What rounding may do, in units of the second frame: with m a bound of
// the posed coordinates, posed() moves each coordinate by less than 4 x 2^-53 m [Higham2002,
// sec. 3.1], for both trees, and computing L and t costs less than 2^-48 of their terms. Floats
// hold what is mapped to 2^-24. kDoubleRoom and kFloatRoom are more than that together.
#pragma once

#include <plimsoll/types.h>

#include "tree/tree_pairs.h"

namespace plimsoll {

struct FrameMap {
  FrameMap(const PosedTree& from, const PosedTree& to);

  Mat3 linear;      ///< L
  Vec3 offset;      ///< t
  double scale;     ///< Lengths of the first frame are that many of the second.
  double room = 0;  ///< No posed vertex is farther from where it is mapped to, along each axis.
};

/// What a unit of the frame is in the world.
[[nodiscard]] double unit_of(const PosedTree& posed);

}  // namespace plimsoll
