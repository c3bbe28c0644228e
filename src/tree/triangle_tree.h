// The tree over the triangles of a mesh: eight children to a node, four triangles to a leaf.
//
// It is one for all questions: what a plane leaves wet, which triangles of two bodies meet, how far
// they are apart. Boxes are floats, rounded outward; leaves keep their triangles' numbers and
// corners. What only some questions need stands in arrays of its own beside them.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/no_index.h"
#include "tree/body_frame.h"

namespace plimsoll {

/// The boxes of a node's children, relative to the center of the frame, rounded outward. One that
/// is not there has a size far below zero, so that nothing meets it.
struct ChildBoxes {
  alignas(64) float center[3][8];
  float half[3][8];
};

/// Integrals over the surface below a child. With a, b, c relative to the center of the frame, N =
/// (b - a) x (c - a), D = a . N and s = a + b + c, the sums over the triangles of these.
enum PatchSum : std::size_t {
  kPatchNormal = 9,  // N, after s_i N_j, rows first
  kPatchFirst = 12,  // D s
  kPatchArea = 15,   // |N|
  kPatchSums
};
struct SurfaceMoments {
  alignas(64) double sum[kPatchSums] = {};
};

enum class TreeQuality {
  kFast,   ///< Morton order, medians within blocks of 256 triangles: O(n), for what deforms.
  kTight,  ///< Medians of the longer sides all the way up: O(n log n), for rigid bodies.
};

struct TriangleTree {
  static constexpr std::size_t kChildren = 8;
  static constexpr std::size_t kLeafTriangles = 4;

  struct Vertex {
    alignas(32) double x[4];  // the fourth is there to be loaded
  };
  struct Leaf {
    std::uint32_t corner[3][kLeafTriangles];
  };

  BodyFrame frame;
  Box3 box;
  std::size_t triangles = 0;
  std::size_t vertex_count = 0;    ///< Above all `sources`.
  std::vector<std::size_t> first;  ///< Of each level, the root's first: its number of node 0.
  std::vector<ChildBoxes> boxes;   ///< Of each node, level after level.
  /// Of child k of node i at 8 i + k; empty where they were not asked for.
  std::vector<SurfaceMoments> moments;
  /// Child k of node i of the last level is leaf 8 (i - first.back()) + k. Those without triangles,
  /// and one more behind them, have equal corners.
  std::vector<Leaf> leaves;
  std::vector<std::uint32_t> numbers;  ///< Of triangle t of leaf i at 4 i + t; else kNoIndex.
  std::vector<Vertex> vertices;        ///< In units of the frame, relative to its center.
  std::vector<std::uint32_t> sources;  ///< Which vertex of the mesh each was.

  [[nodiscard]] std::size_t levels() const { return first.size(); }
  [[nodiscard]] std::size_t leaf_count() const { return leaves.empty() ? 0 : leaves.size() - 1; }

  /// The corners of triangle t of a leaf, as the mesh has them, to the last bit (unless the frame
  /// has an exponent and a coordinate is below 2^-1022 of its unit).
  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t leaf, std::size_t t) const {
    std::array<Vec3, 3> corner;
    for (std::size_t k = 0; k < 3; ++k)
      corner[k] = frame.to_meters(Eigen::Map<const Vec3>(vertices[leaves[leaf].corner[k][t]].x));
    return corner;
  }
};

/// Precondition: check_mesh.
[[nodiscard]] TriangleTree make_triangle_tree(const MeshView& mesh,
                                              TreeQuality quality = TreeQuality::kFast,
                                              bool has_moments = false);

/// Fills everything that depends on where the vertices are: boxes, and moments if it has any.
/// `mesh` has the triangles that the tree was made of. O(n), in parallel.
void fit(TriangleTree& tree, const MeshView& mesh);

}  // namespace plimsoll
