// The integrals over pieces of a surface from which volumes and centers follow for any apex.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Integrals over a piece of surface. With a, b, c relative to the center of the frame, in its
/// units, N = (b - a) x (c - a), D = a . N and s = a + b + c, the sums over the triangles of these.
enum PatchSum : std::size_t {
  kPatchNormal = 9,  // N, after s_i N_j, rows first
  kPatchFirst = 12,  // D s
  kPatchArea = 15,   // |N|
  kPatchSums
};
struct SurfaceMoments {
  alignas(64) double sum[kPatchSums] = {};
};

/// Adds those of a triangle, its corners relative to the center of the frame.
void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, SurfaceMoments& moments);

/// Finds those of the triangles below each node: of child k of node i of the tree at 8 i + k. O(n),
/// in parallel.
void find_surface_moments(const TriangleTree& tree, std::vector<SurfaceMoments>& moments);

}  // namespace plimsoll
