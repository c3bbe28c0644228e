// Mirtich's method for the mass properties of polyhedra: the analytic baseline that the image
// method of Kim et al. was measured against. Here as an oracle for tests and a row in the
// benchmark; it is no part of the public interface, mass_properties.h is faster and keeps its
// digits anywhere.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

/// Integrals over the volume, about the origin of the coordinates.
struct VolumeIntegrals {
  double volume = 0;             ///< int 1 [m^3]; negative if the mesh is turned inward.
  Vec3 first = Vec3::Zero();     ///< int (x, y, z) [m^4]
  Vec3 squares = Vec3::Zero();   ///< int (xx, yy, zz) [m^5]
  Vec3 products = Vec3::Zero();  ///< int (xy, yz, zx) [m^5]
};

/// Integrates over the solid that `mesh` bounds. Triangles without area count nothing.
/// Sums about the origin of the coordinates, as published: k sizes away from it, integrals over
/// projected edges reach k^4 and cancel, which costs the inertia 4 log10(k) digits and the volume
/// 2 log10(k).
/// Precondition: check_mesh. O(triangles), one thread.
[[nodiscard]] VolumeIntegrals mirtich_integrals(const MeshView& mesh);

/// The center of mass of a solid with these integrals.
[[nodiscard]] Vec3 center_of_mass(const VolumeIntegrals& integrals);

/// Its inertia about that center for density 1, negative products off the diagonal.
[[nodiscard]] Mat3 inertia(const VolumeIntegrals& integrals);

}  // namespace plimsoll
