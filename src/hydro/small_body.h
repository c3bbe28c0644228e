// Triangles in blocks of eight, each clipped whole: for bodies so small that a walk through a tree
// takes longer than the clip itself.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

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
  /// From here on the tree takes about as long, and grows slower.
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

/// As SolidTree::submersion. The same bits on every instruction set.
[[nodiscard]] Submersion small_body_submersion(const SmallBody& body, const WaterPlane& water,
                                               const SubmersionParts& parts);

/// As submersion(mesh, water), of triangles in blocks, which are left scaled. The same bits on
/// every instruction set.
[[nodiscard]] Submersion blocks_submersion(CornerBlock* blocks, std::size_t count,
                                           const WaterPlane& water);

/// As submersion(shape, water, parts), of a box about the origin. The same bits on every
/// instruction set. Precondition: its edges are positive.
[[nodiscard]] Submersion box_submersion(const BoxSolid& box, const WaterPlane& water,
                                        const SubmersionParts& parts);

/// The twelve triangles of the cube of edges 2 about the origin, of which those of any box follow;
/// points fill the second block, at a corner, since planes go through the middle more often.
struct CubeBlocks {
  CornerBlock corners[2] = {};
  NormalBlock normals[2] = {};

  constexpr CubeBlocks() {
    for (auto& corner : corners[1].corner)
      for (auto& lanes : corner)
        for (double& x : lanes) x = 1;
    for (std::size_t t = 0; t < 12; ++t) {
      const std::size_t axis = t / 4, i = (axis + 1) % 3, j = (axis + 2) % 3;
      const double side = t % 4 < 2 ? -1 : 1;
      for (std::size_t k = 0; k < 3; ++k) {
        auto& corner = corners[t / kLanes].corner[k];
        // (-, -), (+, -), (+, +) and (-, -), (+, +), (-, +), seen from outside.
        const bool is_far = t % 2 == 0 ? k > 0 : k == 1, is_high = t % 2 == 0 ? k == 2 : k > 0;
        corner[axis][t % kLanes] = side;
        corner[i][t % kLanes] = (side > 0 ? is_far : is_high) ? 1 : -1;
        corner[j][t % kLanes] = (side > 0 ? is_high : is_far) ? 1 : -1;
      }
      normals[t / kLanes].normal[axis][t % kLanes] = 4 * side;
      normals[t / kLanes].first[t % kLanes] = 4;
    }
  }
};
inline constexpr CubeBlocks kCube;

/// The most additions to a sum, one after another: of blocks, in them and their moments, and of
/// lanes.
constexpr std::size_t block_additions(std::size_t blocks) { return blocks + 2 * kLanes; }

}  // namespace plimsoll
