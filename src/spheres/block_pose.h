// Two trees of blocks in each other's frames.
#pragma once

#include <plimsoll/types.h>

#include <cmath>
#include <cstdint>

#include "spheres/relative_pose.h"
#include "spheres/sphere_blocks.h"

namespace plimsoll {

/// From the frame of one tree to that of another, each in its own unit.
struct BlockMap {
  Mat3 linear;
  Vec3 offset;
  float turn[3][3];  ///< `linear` in float.
  float scale;

  BlockMap(const Similarity& to_from, double to_unit, double from_unit)
      : linear(to_from.linear() * (from_unit / to_unit)), offset(to_from.translation() / to_unit) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turn[i][j] = static_cast<float>(linear(i, j));
    scale = static_cast<float>(scale_of(linear));
  }
};

/// Both have to outlive it.
struct PosedBlocks {
  const SphereBlocks& a;
  const SphereBlocks& b;
  BlockMap a_from_b, b_from_a;

  /// Precondition: check_pose (shape.h) accepts the pose.
  PosedBlocks(const SphereBlocks& a_blocks, const SphereBlocks& b_blocks, const Similarity& pose)
      : a(a_blocks),
        b(b_blocks),
        a_from_b(pose, a_blocks.unit, b_blocks.unit),
        b_from_a(inverse_of(pose), b_blocks.unit, a_blocks.unit) {}

  /// Whether floats hold the squares and cubes of all lengths, in either frame.
  [[nodiscard]] bool are_alike() const {
    return a_from_b.scale >= 0x1p-24F && a_from_b.scale <= 0x1p24F;
  }
};

/// Two blocks that are to be compared.
struct BlockPair {
  std::uint32_t from, to;  ///< Blocks; rows are children of the first.
  std::uint16_t rows;      ///< A bit for each child that is to be compared.
  bool is_from_b;
};

/// The pair with a block of spheres first if there is one, so that its spheres are compared with
/// whole subtrees. Blocks `from`, of `b` or not, and `to` of the other tree.
inline BlockPair spheres_first(const PosedBlocks& bodies, std::uint32_t from, std::uint32_t to,
                               bool is_from_b) {
  const SphereBlock& x = (is_from_b ? bodies.b : bodies.a).blocks[from];
  const SphereBlock& y = (is_from_b ? bodies.a : bodies.b).blocks[to];
  if (x.has_spheres || !y.has_spheres)
    return {from, to, static_cast<std::uint16_t>(x.all()), is_from_b};
  return {to, from, static_cast<std::uint16_t>(y.all()), !is_from_b};
}

}  // namespace plimsoll
