// How a pose moves a vertex, to the last bit.
#pragma once

#include <plimsoll/types.h>

namespace plimsoll {

/// ((m00 x + m01 y) + m02 z) + m03, and so on for y and z, each operation rounded: what posed()
/// does with every vertex.
inline Vec3 posed_vertex(const Vec3& x, const Similarity& pose) {
  Vec3 there;
  for (int i = 0; i < 3; ++i)
    there[i] = ((pose(i, 0) * x[0] + pose(i, 1) * x[1]) + pose(i, 2) * x[2]) + pose(i, 3);
  return there;
}

}  // namespace plimsoll
