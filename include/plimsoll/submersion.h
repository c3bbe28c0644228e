// Floating solids: the part of a solid that is under a water plane. Still, incompressible water.
// Points are in the frame of the solid; callers move the water, not the hull.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

struct Shape;  // shape.h

/// The water is { p : dot(normal, p) <= offset }.
struct WaterPlane {
  Vec3 normal{0, 0, 1};  ///< Out of the water; finite, of any length but 0.
  double offset = 0;     ///< [m] times the length of the normal; finite.
};

/// Whether the normal has a direction and all numbers are finite. Nothing is under another plane or
/// above it: what functions find there is NaN, each number, and its error infinite, unless they
/// return a Result.
[[nodiscard]] bool is_plane(const WaterPlane& water);

/// Selects which optional results to compute. Fields that are not selected are zero. Volume, its
/// error and center always are computed.
struct SubmersionParts {
  bool wetted_area = true;
  bool waterplane = true;
};

/// What closes the wetted surface: where the plane cuts the solid, and whatever of its surface lies
/// in the plane with the solid above. All zero where there is none.
struct WaterSection {
  double area = 0;             ///< [m^2]
  Vec3 center = Vec3::Zero();  ///< Centroid [m].
  /// Integrals of u u, u v; u v, v v about the center [m^4].
  Mat2 second_moments = Mat2::Zero();
  /// Rows are the unit axes u and v; u x v points out of the water.
  Mat23 axes = Mat23::Zero();
};

/// Integrals over the wet part of a solid; all zero when it is dry.
struct Submersion {
  double volume = 0;                       ///< [m^3]; of a solid never below 0.
  Vec3 center_of_buoyancy = Vec3::Zero();  ///< Centroid of the wet volume [m].
  double wetted_area = 0;                  ///< Of the surface under the plane or in it [m^2].
  WaterSection waterplane;
  double volume_error = 0;  ///< The true volume, of the given vertices, is no farther off [m^3].
};

/// Integrates the wet part of the solid that `mesh` bounds, exact up to rounding. Faces in the
/// plane are wet; whether a vertex is in the plane is decided exactly. A mesh turned inward (its
/// signed volume about the center of its box is negative) is measured as if turned outward; an open
/// one is right as long as its rim is dry. Method: divergence theorem with its apex on the plane,
/// where the section contributes nothing and needs no triangulation; docs/theory/hydrostatics.md.
/// Error: below 1e-14 of the sum of the absolute terms. The same bits for any number of threads and
/// instruction set. O(triangles), parallel for large meshes.
[[nodiscard]] Submersion submersion(const CheckedMesh& mesh, const WaterPlane& water);

/// The rim of an open mesh: the vertices of edges whose triangles do not balance, each once.
/// Corners count as equal by index: weld first.
[[nodiscard]] std::vector<Vec3> rim_points(const CheckedMesh& mesh);

/// The height over the plane of the lowest of rim_points. Above 0 the wet part is bounded although
/// the mesh is open. Nothing where all edges balance.
[[nodiscard]] std::optional<double> rim_height(const CheckedMesh& mesh, const WaterPlane& water);

/// The submersion of any shape that has exact integrals: meshes as above, primitives in closed form
/// or, where there is none (tori; areas of ellipsoids) or it cancels, by quadrature, all to 1e-12
/// of the whole body's volume, area and moments; tori thinner than 1e-4 of their size, whose terms
/// cancel, to 1e-16 over that share. Errors: as check_shape; `InvalidArgument` for a plane without
/// direction; `Unavailable` for patches, formulas and Booleans, which the image method serves.
[[nodiscard]] Result<Submersion> submersion(const Shape& shape, const WaterPlane& water,
                                            const SubmersionParts& parts = {});

}  // namespace plimsoll
