// The spheres of a packing in a second tree, whose nodes are as wide as vectors are, for queries.
//
// The published tree [Weller2009, sec. 3.2] has few children to a node, and nodes of many sizes.
// Here a node is a block of sixteen spheres or of sixteen blocks side by side, in float. Leaf
// filling decides how fast it is: but for the last of a branch, blocks of spheres are full. The
// largest spheres of a branch are a block of their own next to its root: many subtrees of another
// body lie whole in one of them, and they would make blocks of small spheres large.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spheres/sphere_hierarchy.h"

namespace plimsoll {

/// Balls about common centers, by NodeBall (sphere_walk.h): primary, secondary, reach.
inline constexpr std::size_t kNodeBalls = 3;

/// Along the axes of the tree, about the origin of a block. Many blocks of small spheres are flat:
/// they lie under the surface of the solid, and a ball around them is mostly empty.
struct BlockBox {
  float center[3], half[3];
};

/// Lengths are in a unit of the tree. Those of absent children are 0.
struct alignas(64) SphereBlock {
  static constexpr std::size_t kWidth = 16;

  float center[3][kWidth];           ///< About the origin.
  float radius[kNodeBalls][kWidth];  ///< Of blocks rounded up: they enclose about that center.
  std::uint32_t child[kWidth];       ///< A block, or a leaf of the hierarchy.
  double origin[3];
  float reach[kNodeBalls];  ///< The balls about the origin that enclose all children.
  BlockBox box;             ///< Encloses all primary and secondary spheres below.
  std::uint16_t count;      ///< Of children.
  bool has_spheres;         ///< Or blocks.
  bool is_low;              ///< Has spheres, or blocks of spheres alone.

  [[nodiscard]] unsigned all() const { return (1U << count) - 1; }
};

/// What is below the children of a block of blocks; sums are of both kinds of spheres.
struct alignas(64) Subtrees {
  float box_center[3][SphereBlock::kWidth], box_half[3][SphereBlock::kWidth];
  float volume[2][SphereBlock::kWidth];     ///< Over pi / 12, as lenses are (lens.inc).
  float center[2][3][SphereBlock::kWidth];  ///< Centroids about the origin of the block.
};

/// The axis of the cone of normals of all spheres below a block; 0 where the cone is not narrow
/// (kNarrowCone, sphere_forces.h).
struct BlockAxis {
  float axis[3];
};

struct SphereBlocks {
  std::vector<SphereBlock> blocks;  ///< The root first; blocks of blocks before those of spheres.
  std::vector<Subtrees> below;      ///< Of each block of blocks.
  std::vector<BlockAxis> axes;      ///< Of each block.
  double unit = 1;                  ///< A power of two, about the size of the body [m].
  SphereBlock top;                  ///< A block of blocks whose only child is the root.
  Subtrees below_top;

  [[nodiscard]] std::size_t memory() const {
    return blocks.size() * sizeof(SphereBlock) + below.size() * sizeof(Subtrees) +
           axes.size() * sizeof(BlockAxis);
  }
};

/// The leaves of a hierarchy, cut at medians. O(n log n), in parallel; the same for any number of
/// threads.
[[nodiscard]] SphereBlocks make_sphere_blocks(const SphereHierarchy& hierarchy);

}  // namespace plimsoll
