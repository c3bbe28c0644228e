// Submersion of a body that is asked for many water planes: a floating body, a search for
// equilibria.
#pragma once

#include <plimsoll/mesh_tree.h>
#include <plimsoll/submersion.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace [[gnu::visibility("default")]] plimsoll {

/// All planes that lean from a water plane by a slope, and meet it near a point: over p, with s =
/// axes (p - center), they have the height y . s + |y| e, |y| <= slope, |e| <= offset.
struct LeaningPlanes {
  Vec3 center = Vec3::Zero();
  /// Rows are square to each other and lie in the plane; of any length, to weigh directions.
  Mat23 axes = Mat23::Identity();
  double slope = 0;   ///< Above 0.
  double offset = 0;  ///< [m], if the axes have unit length.
};

/// Integrals of 1, d and d d over surface, its area projected onto a plane, d = |axes (p -
/// center)|.
struct ProjectedSurface {
  double area = 0;    ///< [m^2]
  double first = 0;   ///< [m^3]
  double second = 0;  ///< [m^4]
};

struct MomentTree;
struct SmallBody;
struct TriangleTree;

/// A tree of boxes over the triangles of a mesh that keeps for every subtree the integrals over its
/// surface from which the share of any apex follows. Wholly wet subtrees are added in O(1), dry
/// ones skipped, the few triangles at the waterline clipped: the cost grows about as the number of
/// these, which is the square root of that of all (docs/theory/hydrostatics.md; bench/README.md).
/// A body of up to 512 triangles is clipped in blocks of eight instead, which has no cost of its
/// own: a box takes a quarter of the time. Copies share the tree. About 74 bytes per triangle of an
/// indexed mesh, up to 163 for small bodies.
class SolidTree {
 public:
  /// Copies what it needs of the mesh. O(n).
  explicit SolidTree(const CheckedMesh& mesh);
  /// Shares the triangles with whatever else is asked of the body, and adds their moments. O(n).
  explicit SolidTree(const MeshTree& triangles);

  /// The same answer as submersion(mesh, water), up to rounding; one thread, no allocation. May be
  /// asked by several threads at once. The same bits for any instruction set.
  [[nodiscard]] Submersion submersion(const WaterPlane& water,
                                      const SubmersionParts& parts = {}) const;

  /// The most, over all `planes`, of the surface between the plane and `water`: upper bounds. Stops
  /// where the second moment exceeds `enough` [m^4]. Infinite where a plane is none (is_plane) or a
  /// number of `planes` is not finite. O(triangles near the water).
  [[nodiscard]] ProjectedSurface surface_between(
      const WaterPlane& water, const LeaningPlanes& planes,
      double enough = std::numeric_limits<double>::infinity()) const;

  /// Takes over moved vertices: `mesh` has the triangles that the tree was made of, and at least
  /// the vertices that they name. The order of the triangles stays, so that after large
  /// deformations a new tree is faster to ask. O(n): 29 ns per triangle of a mesh of 75,000. For a
  /// body whose overlaps were asked for it finds what they need too, in place of the next question.
  /// Copies made before, and the MeshTree, keep the old shape. Errors: as MeshTree::refit; the tree
  /// is then as before.
  [[nodiscard]] Result<void> refit(const CheckedMesh& mesh);

  /// The same body in units of 2^exponent m. O(n).
  [[nodiscard]] SolidTree in_units_of(int exponent) const;

  /// That of a mesh of about `triangles`, whose vertices are means of this one's; nothing where
  /// that would have another volume, by more than a quarter, or for 0 triangles. O(n).
  [[nodiscard]] std::optional<SolidTree> coarse(std::size_t triangles) const;

  /// Of the whole body: signed volume about the center of its box [m^3].
  [[nodiscard]] double signed_volume() const;
  /// The box of its triangles.
  [[nodiscard]] Box3 box() const;
  [[nodiscard]] std::size_t triangle_count() const;
  /// What the tree takes [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class ContactSearch;
  friend class OverlapSearch;
  friend const TriangleTree& triangles_of(const SolidTree& solid);
  friend class SubmersionTracker;
  friend Submersion counted_submersion(const SolidTree& tree, const WaterPlane& water,
                                       const SubmersionParts& parts, std::uint64_t& triangles);
  friend ProjectedSurface counted_surface(const SolidTree& body, const WaterPlane& water,
                                          const LeaningPlanes& planes, double enough,
                                          std::uint64_t& triangles);

  std::shared_ptr<MomentTree> tree_;
  std::shared_ptr<const SmallBody> small_;  // of few triangles; it is asked in place of the tree
};

}  // namespace plimsoll
