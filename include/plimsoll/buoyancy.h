// What a fluid with any free surface does to a solid. World coordinates, z up.
#pragma once

#include <plimsoll/fluid_surface.h>
#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// Integrals over the part V of a solid that is under the surface z = h(x, y); all zero when it is
/// dry. The pressure p = rho g (h - z) pushes it with -integral p n dA = rho g integral
/// (-dh/dx, -dh/dy, 1) dV: `lift`, which on still water is (0, 0, volume).
struct Buoyancy {
  double volume = 0;                ///< [m^3]
  Vec3 center = Vec3::Zero();       ///< Of buoyancy: the centroid of V [m].
  Vec3 lift = Vec3::Zero();         ///< Force of the pressure over rho g [m^3].
  Vec3 lift_moment = Vec3::Zero();  ///< Its torque about `center` over rho g [m^4].
};

/// Integrates the wet part of the solid that `mesh` bounds, placed by `world_from_mesh`. Each
/// triangle is cut into pieces over which the surface is within `tolerance` [m] of the linear
/// interpolation between their corners, and these are clipped at it. Exact up to rounding for
/// planes; else the volume is off by at most `tolerance` times the area of the surface's horizontal
/// projection, counted per fold. A mesh turned inward is measured as if turned outward. The same
/// bits for any number of threads. O(pieces); for planes O(triangles), where SubmersionTree is
/// faster. Errors: `InvalidArgument` for a tolerance that is not positive and finite, and as
/// nearest_similarity; `ResourceLimit` for more than 20 million pieces.
[[nodiscard]] Result<Buoyancy> buoyancy(const CheckedMesh& mesh, const Similarity& world_from_mesh,
                                        const SurfaceNow& surface, double tolerance);

}  // namespace plimsoll
