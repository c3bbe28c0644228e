// The tree over the triangles of one body: build it once, and ask it everything.
//
//   const Result<CheckedMesh> mesh = CheckedMesh::from_triangles(triangles);  // may be an error
//   const MeshTree body(*mesh);  // for SolidTree, PairSearch, DistanceTree, ...
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <memory>

namespace [[gnu::visibility("default")]] plimsoll {

/// Two meshes of 75,000 triangles that deform get new trees and are asked for the pairs that touch
/// in 3.2 ms with kFast, in 13.7 with kBalanced; trees of kTight for both, with the moments of
/// SolidTree, take 51 ms. One thread, AMD EPYC, Zen 5.
enum class TreeQuality {
  kFast,      ///< Hilbert order: O(n), for surfaces that deform or break.
  kBalanced,  ///< Morton order of blocks, medians within them: O(n).
  kTight,     ///< Medians all the way up, along the best of three axes: O(n log n), in parallel. A
              ///< third to a half as many leaves meet those of another body as of kFast: for rigid
              ///< bodies.
};

struct TriangleTree;
class TreeBuilder;

/// What a caller builds for a body and hands to all who are asked about it: SolidTree adds the
/// moments that submerged volumes need, and shares the rest. Triangles need not bound a solid.
/// Copies share the tree; any number of threads may ask. About 40 bytes per triangle of an indexed
/// mesh.
class MeshTree {
 public:
  /// Copies what it needs of the mesh.
  explicit MeshTree(const CheckedMesh& mesh, TreeQuality quality = TreeQuality::kTight);

  /// Takes over moved vertices and keeps the order of the triangles, so that after large
  /// deformations a new tree is faster to ask. O(n). Copies, and what was made of the tree before,
  /// keep the old shape. Errors: `InvalidArgument` for other triangles than the tree was made of,
  /// or for fewer vertices than they name; the tree is then as before.
  [[nodiscard]] Result<void> refit(const CheckedMesh& mesh);

  /// The box of its triangles.
  [[nodiscard]] Box3 box() const;
  [[nodiscard]] std::size_t triangle_count() const;
  /// What the tree takes [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DistanceTree;
  friend class MeshTreeBuilder;
  friend class SolidTree;
  friend class SurfaceProbe;
  friend const TriangleTree& triangles_of(const MeshTree& mesh);

  MeshTree() = default;

  std::shared_ptr<TriangleTree> tree_;
};

/// Builds trees one after the other, for bodies that deform or break in every frame, and keeps the
/// memory that it needs in between, in proportion to the triangles of the largest. One thread at a
/// time, and none that was moved from; the trees are those that MeshTree makes.
class MeshTreeBuilder {
 public:
  MeshTreeBuilder();
  MeshTreeBuilder(MeshTreeBuilder&&) noexcept;
  MeshTreeBuilder& operator=(MeshTreeBuilder&&) noexcept;
  ~MeshTreeBuilder();

  [[nodiscard]] MeshTree build(const CheckedMesh& mesh, TreeQuality quality = TreeQuality::kFast);

  /// Makes of `tree` what build(mesh, quality) returns, in the memory that it had, unless copies or
  /// bodies made of it still need that: these keep the old shape. Where memory runs out on the way,
  /// it is left without triangles.
  void rebuild(const CheckedMesh& mesh, MeshTree& tree, TreeQuality quality = TreeQuality::kFast);

 private:
  std::unique_ptr<TreeBuilder> builder_;
};

}  // namespace plimsoll
