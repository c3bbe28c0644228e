// The tree behind SubmersionTree: eight children to a node, four triangles to a leaf.
//
// A node keeps the integrals over the surface below each child from which the sums of wet_sums.h
// for any apex p follow. With a, b, c relative to the center of the frame, N = (b - a) x (c - a), D
// = a . N and s = a + b + c, of a wholly wet triangle
//
//   3 (a - p) . N = 3 D - 3 p . N,   3 D = s . N,   ((a - p) . N) s = D s - s N^T p.
#pragma once

#include <plimsoll/submersion_tree.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hydro/wet_sums.h"

namespace plimsoll {

/// The boxes of a node's children, relative to the center of the frame, rounded outward. One that
/// is not there has a size far below zero, so that it is dry for any plane.
struct ChildBoxes {
  alignas(64) float center[3][8];
  float half[3][8];
};

enum PatchSum : std::size_t {
  kPatchNormal = 9,  // N, after s_i N_j, rows first
  kPatchFirst = 12,  // D s
  kPatchArea = 15,   // |N|
  kPatchSums
};
struct SurfaceMoments {
  alignas(64) double sum[kPatchSums] = {};
};

struct MomentTree {
  static constexpr std::size_t kChildren = 8;
  static constexpr std::size_t kLeafTriangles = 4;

  struct Vertex {
    alignas(32) double x[4];  // the fourth is there to be loaded
  };
  struct Leaf {
    std::uint32_t corner[3][kLeafTriangles];
  };

  BodyFrame frame;
  WholeBody whole;
  Box3 box;
  std::size_t triangles = 0;
  std::size_t vertex_count = 0;         ///< Above all `sources`.
  std::vector<std::size_t> first;       ///< Of each level, the root's first: its number of node 0.
  std::vector<ChildBoxes> boxes;        ///< Of each node, level after level.
  std::vector<SurfaceMoments> moments;  ///< Of child k of node i at 8 i + k.
  /// Child k of node i of the last level is leaf 8 (i - first.back()) + k. Those without triangles,
  /// and one more behind them, have equal corners.
  std::vector<Leaf> leaves;
  std::vector<Vertex> vertices;        ///< In units of the frame, relative to its center.
  std::vector<std::uint32_t> sources;  ///< Which vertex of the mesh each was.

  [[nodiscard]] std::size_t levels() const { return first.size(); }
};

/// How the wet part of the tree adds up, as the kernel finds it.
struct TreeTotals {
  WetTotals clipped{};  ///< Of the leaves at the waterline.
  SurfaceMoments wet;   ///< Of what is wholly wet.
  std::size_t additions = 0;
};

/// Precondition: the tree has triangles.
void sum_wet_parts(const MomentTree& tree, const ClipPlane& plane, bool area, bool section,
                   TreeTotals& totals);

/// Adds what a wholly wet patch, whose tetrahedra have their apex at the center of the frame, adds
/// to the sums for another apex.
inline void add_wet_patch(const SurfaceMoments& patch, const Vec3& apex, WetVolume& sums) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> s_normal(patch.sum);
  const Eigen::Map<const Vec3> normal(patch.sum + kPatchNormal);
  const Eigen::Map<const Vec3> first(patch.sum + kPatchFirst);
  const Vec3 ds = first - s_normal * apex;
  sums.volume += s_normal.trace() - 3 * apex.dot(normal);
  sums.first += ds;
}
void add_wet_patch(const SurfaceMoments& patch, const Vec3& apex, WetTotals& totals);

/// What the totals mean; adds those of whole subtrees to the clipped.
[[nodiscard]] Submersion submersion_of(const MomentTree& tree, const ClipPlane& plane,
                                       const SubmersionParts& parts, TreeTotals& totals);

/// Precondition: check_mesh.
[[nodiscard]] MomentTree make_moment_tree(const MeshView& mesh);

/// Fills everything that depends on where the vertices are.
void fit(MomentTree& tree, const MeshView& mesh);

}  // namespace plimsoll
