// Bodies as contact sees them: solids of triangles, or of spheres.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/overlap.h>
#include <plimsoll/patches.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/sphere_tree.h>

#include <cstddef>
#include <memory>

#include "contact/spheres_in_solid.h"
#include "dynamics/shared_made.h"

namespace plimsoll {

struct ContactSolid {
  std::shared_ptr<const TriangleMesh> mesh;  ///< That they are made of.
  std::shared_ptr<const SolidTree> solid;
  std::shared_ptr<const SphereTree> spheres;  ///< Where it is met by them.
  Similarity body_from_solid = Similarity::Identity();
  Box3 box;              ///< Of the solid, in the frame of the body.
  double thickness = 0;  ///< The least side of its box in its own frame, scaled [m].
};

/// Makes solids, one for all bodies of a mesh, of a surface of patches, or of equal primitives.
class ContactSolids {
 public:
  /// Meshes as they are; patches as triangles no farther from them than 1e-4 of their size,
  /// primitives than 1e-3 of the cube root of their volume. Errors: as to_triangles; `Unavailable`
  /// for formulas and Booleans, which have no triangles; with spheres those of ClosedMesh,
  /// pack_spheres and SphereTree::create. O(n log n) for what was not met before, and a packing.
  [[nodiscard]] Result<ContactSolid> of(const Shape& shape, bool is_kinematic,
                                        const ContactLaw& law);
  /// Forgets what no body has any more.
  void drop_unused();

 private:
  [[nodiscard]] Result<std::shared_ptr<const TriangleMesh>> mesh_of(const Shape& shape);

  SharedMade<PatchSurface, TriangleMesh> patches_;
  SharedOfPrimitives<TriangleMesh> primitives_;
  SharedMade<TriangleMesh, SolidTree> trees_;
  SharedMade<TriangleMesh, SphereTree> spheres_;  // of so many:
  std::size_t count_ = 0;
};

/// Asks for the volume that two bodies share, and keeps its memory. One thread at a time.
class SharedVolumes {
 public:
  /// Of solids in these bodies: of the spheres where one has them, in `max_time` [s], else exact
  /// [m^3]. Errors: as OverlapSearch::overlap, SphereSearch::volume.
  [[nodiscard]] Result<double> shared(const ContactSolid& a, const Similarity& world_from_a,
                                      const ContactSolid& b, const Similarity& world_from_b,
                                      double max_time);

 private:
  OverlapSearch exact_;
  SphereSearch spheres_;
  SpheresInSolidSearch surfaces_;
};

}  // namespace plimsoll
