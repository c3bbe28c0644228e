// The tree behind SolidTree: a tree over triangles with their moments.
//
// From the integrals that it keeps of the surface below each child the sums of clip_sums.h for any
// apex p follow. With a, b, c relative to the center of the frame, N = (b - a) x (c - a), D
// = a . N and s = a + b + c, of a wholly wet triangle
//
//   3 (a - p) . N = 3 D - 3 p . N,   3 D = s . N,   ((a - p) . N) s = D s - s N^T p.
#pragma once

#include <plimsoll/solid_tree.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "core/lazy.h"
#include "hydro/clip_sums.h"
#include "tree/area_parts.h"
#include "tree/spanning_moments.h"
#include "tree/surface_moments.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

struct MomentTree {
  std::shared_ptr<TriangleTree> triangles;  ///< Shared with all who ask the body.
  std::vector<SurfaceMoments> moments;      ///< Of child k of node i at 8 i + k.
  WholeBody whole;
  /// What overlaps are asked of.
  std::shared_ptr<Lazy<SpanningMoments>> spanning;
  std::shared_ptr<Lazy<std::vector<AreaParts>>> areas;
};

/// What a solid's tree shares.
[[nodiscard]] const TriangleTree& triangles_of(const SolidTree& solid);

/// How the wet part of the tree adds up, as the kernel finds it.
struct TreeTotals {
  WetTotals clipped{};  ///< Of the leaves at the waterline.
  SurfaceMoments wet;   ///< Of what is wholly wet.
  std::size_t additions = 0;
  std::size_t leaves = 0;  ///< That were clipped.
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

[[nodiscard]] MomentTree moment_tree_of(std::shared_ptr<TriangleTree> triangles);

/// Finds anew what follows from the triangles; what overlaps are asked of, if one was asked before.
/// O(n), in parallel.
void find_moments(MomentTree& tree);

}  // namespace plimsoll
