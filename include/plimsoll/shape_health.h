// What is wrong with a shape: with the meshes and patches that it is made of.
#pragma once

#include <plimsoll/mesh_health.h>
#include <plimsoll/shape.h>

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// A mesh in a shape, or patches as one.
struct SurfaceHealth {
  std::string place;  ///< "of[1].of[0]"; empty where it is the shape itself.
  MeshHealth health;  ///< In the world of the shape; within a Boolean in the surface's own frame.
};

struct ShapeHealth {
  MeshFindings findings;                ///< In any of the surfaces.
  MeshStatus status = MeshStatus::kOk;  ///< The worst of them.
  std::vector<SurfaceHealth> surfaces;  ///< None in primitives and formulas, which are sound.
};

/// Examines every mesh and all patches in `shape`, patches in triangles, 16 x 16 squares each.
/// Within a Boolean a surface may be turned inward as a whole, for it is what it winds around, and
/// may have no volume: neither is a finding there. Surfaces that several parts share are examined
/// once. Errors: as check_shape and tessellate_uniform; `InvalidArgument` where the pose moves
/// vertices beyond the doubles.
[[nodiscard]] Result<ShapeHealth> examine(const Shape& shape, const HealthOptions& options = {});

}  // namespace plimsoll
