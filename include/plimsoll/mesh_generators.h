// Meshes of known shapes, for tests, benchmarks and demonstrations. All closed, welded, turned
// outward. Sizes are positive and finite, counts no smaller than each comment says, and no more
// than 100 million triangles come of them; where they are not, the mesh has no triangles. The same
// bits on every machine.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// A box of edges `size`, centered: 8 vertices, 12 triangles.
[[nodiscard]] TriangleMesh make_box(const Vec3& size);

/// A sphere of `rings` x `slices` (rings >= 2 bands of latitude, slices >= 3), poles on z;
/// 2 slices (rings - 1) triangles, vertices on the sphere.
[[nodiscard]] TriangleMesh make_sphere(double radius, int rings, int slices);

/// An icosahedron split `levels` times, vertices on the sphere: 20 * 4^levels triangles.
[[nodiscard]] TriangleMesh make_icosphere(double radius, int levels);

/// A sphere of rings x slices scaled to the half axes `radii`.
[[nodiscard]] TriangleMesh make_ellipsoid(const Vec3& radii, int rings, int slices);

/// Centered, axis along z; slices >= 3. 4 slices triangles, the ends fans about their centers.
[[nodiscard]] TriangleMesh make_cylinder(double radius, double height, int slices);

/// Base at z = 0, apex at z = height; slices >= 3. 2 slices triangles.
[[nodiscard]] TriangleMesh make_cone(double radius, double height, int slices);

/// Centered, axis along z; `height` is that of the straight part; rings >= 2, even; slices >= 3.
/// 2 rings slices triangles.
[[nodiscard]] TriangleMesh make_capsule(double radius, double height, int rings, int slices);

/// Axis z; minor < major; rings >= 3 along the major circle, slices >= 3 around the tube. With
/// `doubled_seams` the first ring and slice are repeated as vertices of their own, so that the mesh
/// is closed only after welding: (rings + 1)(slices + 1) vertices, 2 rings slices triangles.
[[nodiscard]] TriangleMesh make_torus(double major, double minor, int rings, int slices,
                                      bool doubled_seams = false);

struct KnotShape {
  int p = 2, q = 3;         ///< Turns about the axis and through the hole; coprime.
  double major = 1;         ///< [m]
  double minor = 0.4;       ///< Radius of the torus that the knot winds on [m].
  double tube = 0.15;       ///< [m]
  int ripples = 0;          ///< Waves of the tube's radius along the knot,
  double ripple_depth = 0;  ///< relative to the tube, below 1.
};
/// A tube along the (p, q) torus knot: 2 rings slices triangles.
[[nodiscard]] TriangleMesh make_torus_knot(const KnotShape& shape, int rings, int slices);

/// A tube along `path` (2 points or more, no two neighbours equal), ends capped flat, rings without
/// twist (parallel transport), mitred at the bends: 2 slices (path points) triangles. Legs must be
/// long enough for the mitres at their ends, or the tube folds into itself.
[[nodiscard]] TriangleMesh make_tube(std::span<const Vec3> path, double radius, int slices);

/// A sphere of rings x slices whose radius waves smoothly by `depth` (relative, below 1), the
/// pattern chosen by `seed`.
[[nodiscard]] TriangleMesh make_bumpy_sphere(double radius, double depth, int rings, int slices,
                                             std::uint64_t seed = 1);

}  // namespace plimsoll
