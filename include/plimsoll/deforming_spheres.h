// Inner spheres of a body that deforms: the surface carries them along, radii are found anew in
// every frame, and the tree over them keeps its branches.
//
//   const Result<SpherePacking> packing = pack_spheres(at_rest, {.max_count = 5000});
//   Result<DeformingSpheres> spheres = DeformingSpheres::create(at_rest, packing->spheres);
//   for (...) {
//     const Result<void> followed = spheres->follow(*ClosedMesh::from_triangles(frame));
//     search.volume(spheres->tree(), world_from_body, *hand, world_from_hand);
//   }
//
// docs/theory/spheres.md tells how far that carries. Lengths are the mesh's.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>

#include <cstddef>
#include <memory>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// One thread at a time; the tree may be asked by any number.
class DeformingSpheres {
 public:
  /// Ties spheres to the surface around them; the tree is that of SphereTree::create. Errors: as
  /// SphereTree::create. In parallel; takes its time and that of 14 rays for each sphere.
  [[nodiscard]] static Result<DeformingSpheres> create(const ClosedMesh& at_rest,
                                                       std::span<const PlacedSphere> spheres,
                                                       const SphereTreeOptions& options = {});
  DeformingSpheres(DeformingSpheres&&) noexcept;
  DeformingSpheres& operator=(DeformingSpheres&&) noexcept;
  ~DeformingSpheres();

  /// Takes over another shape of the mesh: the triangles of the mesh at rest, their vertices moved.
  /// Shapes before do not count. Each center is a mean of points of the surface around it, with the
  /// weights that it had at rest: an affine map of the vertices takes it where it takes the solid,
  /// up to rounding. Radii are found in the order of packing, first up to those at rest, then as
  /// large as fits: spheres lie in the solid, which is where the surface winds around a point, and
  /// none overlaps another. At rest no radius is smaller than it was given, up to rounding. A
  /// sphere whose center left the solid, or that others leave no room, has the radius 0, until it
  /// has room in a later shape.
  ///
  /// Errors: `InvalidArgument` for other triangles than at rest, for coordinates beyond 1e300, and
  /// where no sphere has room; `NotClosed` where parts of the solid are turned inside out against
  /// the rest; as pack_spheres_on_lattice for the lattice of the parts. All is then as before.
  /// O(n log n) in spheres, cubes of the options' resolution and triangles, in parallel; the same
  /// for any number of threads. 5,000 spheres in a scan of 75,000 triangles take 0.10 to 0.24 s on
  /// one thread, with a resolution of 48 0.08 to 0.14 s; packing and a new tree 1.4 to 2.6 s.
  [[nodiscard]] Result<void> follow(const ClosedMesh& deformed);

  /// All that were given, in their order, those of radius 0 among them. Good until the next shape.
  [[nodiscard]] std::span<const PlacedSphere> spheres() const;

  /// The tree over the spheres that have a radius above 0, numbered in their order. All that
  /// SphereSearch finds of it is as right as of a tree made anew over the same spheres: the parts
  /// of the solid, volumes and bounds are found anew. Which triangles are nearest to a part is kept
  /// from rest: the cones of ForceDirection::kConesOrCenters are made of their normals, as they are
  /// now. Copies keep the shape that they had, and the mesh as SphereTree::create does.
  [[nodiscard]] const SphereTree& tree() const;

  /// What it takes beside the tree [bytes].
  [[nodiscard]] std::size_t memory() const;

 private:
  struct State;
  explicit DeformingSpheres(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
