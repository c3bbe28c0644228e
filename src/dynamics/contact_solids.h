// Bodies as contact sees them: solids of triangles.
#pragma once

#include <plimsoll/patches.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/solid_tree.h>

#include <map>
#include <memory>

#include "dynamics/shared_made.h"

namespace plimsoll {

struct ContactSolid {
  std::shared_ptr<const SolidTree> solid;
  Similarity body_from_solid = Similarity::Identity();
  Box3 box;              ///< Of the solid, in the frame of the body.
  double thickness = 0;  ///< The least side of its box in its own frame, scaled [m].
};

/// Makes solids, one for all bodies of a mesh, of a surface of patches, or of equal primitives.
class ContactSolids {
 public:
  /// Meshes as they are; patches as triangles no farther from them than 1e-4 of their size,
  /// primitives than 1e-3 of the cube root of their volume. Errors: as to_triangles; `Unavailable`
  /// for formulas and Booleans, which have no triangles. O(n log n) for what was not met before.
  [[nodiscard]] Result<ContactSolid> of(const Shape& shape);

 private:
  SharedMade<TriangleMesh, SolidTree> trees_;
  SharedMade<PatchSurface, SolidTree> patches_;
  std::map<PrimitiveKey, std::weak_ptr<const SolidTree>> primitives_;
};

}  // namespace plimsoll
