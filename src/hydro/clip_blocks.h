// Triangles in blocks of eight, each clipped whole: for bodies so small that a walk through a tree
// takes longer than the clip itself.
#pragma once

#include <plimsoll/submersion.h>

#include <array>
#include <cstddef>
#include <vector>

#include "hydro/moment_tree.h"

namespace plimsoll {

/// Coordinate i of corner k of eight triangles.
struct CornerBlock {
  alignas(64) double corner[3][3][kLanes];
};

/// Of the same triangles N = (b - a) x (c - a), and a . N.
struct NormalBlock {
  alignas(64) double normal[3][kLanes];
  double first[kLanes];
};

/// Balls around eight blocks. One that is not there has a radius far below zero, so that it is dry
/// for any plane.
struct BlockBalls {
  alignas(64) double center[3][kLanes];
  double radius[kLanes];
};

/// A body of few triangles, made ready for many planes.
struct SmallBody {
  /// Beyond, the tree is faster.
  static constexpr std::size_t kMaxTriangles = 512;

  BodyFrame frame;
  WholeBody whole;
  std::vector<CornerBlock> blocks;      ///< In units of the frame, relative to its center.
  std::vector<NormalBlock> normals;     ///< Of each block.
  std::vector<SurfaceMoments> moments;  ///< Of each block.
  std::vector<BlockBalls> balls;        ///< Of blocks 8 i to 8 i + 7 at i.
};

/// The leaves of the tree, two by two. Precondition: at most SmallBody::kMaxTriangles.
[[nodiscard]] SmallBody make_small_body(const MomentTree& tree);

/// As SubmersionTree::submersion. The same bits on every instruction set.
[[nodiscard]] Submersion submersion(const SmallBody& body, const WaterPlane& water,
                                    const SubmersionParts& parts);

/// As submersion(mesh, water), of triangles as given; they are left scaled. The same bits on every
/// instruction set.
[[nodiscard]] Submersion submersion(CornerBlock* blocks, std::size_t count,
                                    const WaterPlane& water);

/// The most additions to a sum, one after another.
inline constexpr std::size_t block_additions(std::size_t blocks) { return blocks + kLanes; }

}  // namespace plimsoll
