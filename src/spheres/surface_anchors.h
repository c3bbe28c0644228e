// Points of a solid that its surface carries along.
//
// Each point c is tied to the surface by chords through it. A chord along a direction d has its
// ends at c + s d and c - t d, so that
//
//   c = sum_j w_j (t_j (c + s_j d_j) + s_j (c - t_j d_j)) / (s_j + t_j),   sum_j w_j = 1,
//
// whatever the weights w_j >= 0 of the chords are: a mean of points of triangles with weights that
// are not negative. So an affine map of the surface takes c where it takes the solid, and any other
// leaves it in the convex hull of the points that it is tied to. w_j is in proportion to
// (1 / s_j + 1 / t_j)^8: what is near counts. Of powers of 1 to 8, and of 7 and 13 chords, this
// kept most of a packing's volume in a bent beam, knot and bunny (docs/theory/spheres.md).
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

class SurfaceAnchors {
 public:
  /// Ties points in the solid to its surface. A point without chords, which is on the surface, is
  /// tied to where that is nearest. `triangles` is the tree of `solid`. Errors: as
  /// nearest_on_surface. O(log n) a point, in parallel.
  [[nodiscard]] static Result<SurfaceAnchors> of(const ClosedMesh& solid, const MeshTree& triangles,
                                                 std::span<const Vec3> points);

  /// Where the points are on a mesh of the same triangles: rounded by less than 2^-40 of the
  /// largest coordinate for affine maps that stretch little. In parallel.
  [[nodiscard]] std::vector<Vec3> carried(const MeshView& deformed) const;

  /// What they take [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Anchor {
    double weight;
    std::uint32_t vertex;
  };
  void add(const MeshView& mesh, std::uint32_t triangle, const Vec3& at, double weight);

  std::vector<std::size_t> first_{0};  // of each point, and the end
  std::vector<Anchor> anchors_;
};

}  // namespace plimsoll
