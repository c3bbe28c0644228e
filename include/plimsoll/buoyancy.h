// What a fluid with any free surface does to a solid. World coordinates, z up.
#pragma once

#include <plimsoll/fluid_surface.h>
#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/types.h>

#include <optional>

namespace [[gnu::visibility("default")]] plimsoll {

/// Integrals over the part V of a solid that is under the surface z = h(x, y); all zero when it is
/// dry. The pressure p = rho g (h - z) pushes it with -integral p n dA = rho g integral
/// (-dh/dx, -dh/dy, 1) dV: `lift`, which on still water is (0, 0, volume), without a moment.
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
/// bits for any number of threads. O(pieces); for planes O(triangles), where SolidTree is
/// faster. Errors: `InvalidArgument` for a tolerance that is not positive and finite, and as
/// nearest_similarity; `ResourceLimit` for more than 20 million pieces, and where a result does not
/// fit a number.
[[nodiscard]] Result<Buoyancy> buoyancy(const CheckedMesh& mesh, const Similarity& world_from_mesh,
                                        const SurfaceNow& surface, double tolerance);

/// What the fluid is, and what is asked about it.
struct BuoyancyOptions {
  double fluid_density = kSeawaterDensity;  ///< Not negative [kg/m^3].
  double gravity = 9.80665;                 ///< Not negative [m/s^2].
  /// The point of the body that the torque is about, in the frame of the body: its center of mass,
  /// say [m].
  Vec3 about = Vec3::Zero();
  /// As above, for meshes under a surface that is no plane; a thousandth of the diagonal of the
  /// mesh's box, posed, where absent [m].
  std::optional<double> tolerance = std::nullopt;
};

/// What the pressure of a fluid does to a body. World coordinates.
struct BuoyantForce {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< About BuoyancyOptions::about [N m].
  Buoyancy wet;                ///< The part under water that they come from.
  /// The true force and torque are no farther off, each as a vector, if the mesh bounds a solid,
  /// which is not looked at: examine() tells. Of an open one any cap over the hole would count.
  double force_error = 0;   ///< [N]
  double torque_error = 0;  ///< [N m]
};

/// The force and torque on the solid that `body` bounds, where `world_from_body` places it: move
/// the pose, or the water, and leave the mesh alone. The integrals are those of buoyancy() above.
/// The bounds are for the vertices and the surface's heights as they are, for a pose as
/// nearest_similarity makes it: on a plane they allow for rounding alone, else also for the
/// tolerance, over all of the body's surface. Errors: as above; `InvalidArgument` for options out
/// of range. O(pieces); for planes O(triangles).
[[nodiscard]] Result<BuoyantForce> buoyancy(const CheckedMesh& body,
                                            const Similarity& world_from_body,
                                            const SurfaceNow& surface,
                                            const BuoyancyOptions& options = {});

/// The same under a plane of any direction, against which gravity pulls, of a body that is asked
/// again and again: the plane is brought into the body, and the tree asked for volume and center.
/// The lift is along the plane's normal. Errors: as nearest_similarity; `InvalidArgument` for a
/// plane without direction, and for options out of range. Cost: as SolidTree::submersion, and
/// some hundred nanoseconds. Several threads may ask at once.
[[nodiscard]] Result<BuoyantForce> buoyancy(const SolidTree& body,
                                            const Similarity& world_from_body,
                                            const WaterPlane& water,
                                            const BuoyancyOptions& options = {});

}  // namespace plimsoll
