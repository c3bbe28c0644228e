// Balls inside a solid that do not overlap: sphere packings.
//
//   const Result<ClosedMesh> solid = ClosedMesh::from_triangles(triangles);  // may be an error
//   const Result<SpherePacking> packing = pack_spheres(*solid, {.max_count = 5000});
//   for (const PlacedSphere& sphere : packing->spheres) use(sphere.center, sphere.radius);
//
// The solid is where the surface winds around a point. Lengths are the mesh's.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// A ball in its place.
struct PlacedSphere {
  Vec3 center = Vec3::Zero();  ///< In the frame of the mesh, or the world of the shape [m].
  double radius = 0;           ///< [m]
};

/// Why a packing has no more spheres.
enum class PackingEnd {
  kCount,        ///< `max_count` is reached.
  kCoverage,     ///< `coverage` is reached.
  kProtrusion,   ///< `max_protrusion` is reached.
  kRadius,       ///< No sphere of `min_radius`, or of 2^-24 of the size, was found any more.
  kInterrupted,  ///< `progress` asked for it.
};

/// { x : dot(normal, x) >= offset }, in the frame of the mesh.
struct HalfSpace {
  Vec3 normal{0, 0, 1};  ///< Into it; finite, of any length but 0.
  double offset = 0;     ///< [m] times the length of the normal; finite.
};

struct PackingOptions {
  std::size_t max_count = 20'000;
  double coverage = 1;  ///< Ends where the spheres are this share of the solid.
  /// No sphere is smaller [m]; off the lattice none is below 2^-24 of the size either.
  double min_radius = 0;
  double max_protrusion = 0;  ///< Ends where no point of the solid is farther from the spheres [m].
  /// Only this part of the solid is packed: the plane is a wall like the surface, and the volume,
  /// the coverage and the protrusion are those of the part. Spheres lie in the half space up to
  /// rounding.
  std::optional<HalfSpace> keep = std::nullopt;
  /// Called by the calling thread now and then with the number of spheres so far; false ends the
  /// packing.
  std::function<bool(std::size_t count)> progress = {};
};

struct SpherePacking {
  std::vector<PlacedSphere> spheres;  ///< In the order of packing.
  double solid_volume = 0;            ///< Of the solid, or of the part that is kept [m^3].
  double coverage = 0;                ///< Volume of the spheres over that volume.
  /// No point of it is farther from the spheres: proved. Off the lattice by cutting cubes until the
  /// bound is 2 % above a point that was found, or 100,000 cubes and four for each sphere are
  /// looked at, where it may still be some way above [m].
  double largest_protrusion = 0;
  PackingEnd end = PackingEnd::kCount;
};

/// Packs spheres into a solid, the largest first, none overlapping another or reaching out of the
/// solid; docs/theory/spheres.md. The same for any number of threads. `max_protrusion` is looked at
/// each time that the count has doubled. Errors: `InvalidArgument` for options out of range, for
/// a solid whose volume is 0 or no double, or 0 beside the cube of its length, and for a half space
/// that is none or holds nothing of the solid.
[[nodiscard]] Result<SpherePacking> pack_spheres(const ClosedMesh& solid,
                                                 const PackingOptions& options = {});

/// The greedy packing of [Weller2009, sec. 3.1] on a lattice of cubes, `resolution` along the
/// longest side of the solid's box: the next sphere is about the center of a cube, as large as the
/// surface and the spheres before it leave room, of all such the largest; of equal ones that of the
/// cube with the least place along x, then y, then z. The middle of the cubes is that of the
/// box; along sides that they do not just fill they are odd in number. Radii are lower
/// bounds: no sphere leaves the solid, and no two have a point in common but for a touch.
/// `largest_protrusion` is a bound that is too large by the diagonal of a cube at most;
/// `max_protrusion` is looked at each time the count has grown by an eighth. Inside is where the
/// mesh winds positively, turned outward if its volume is negative. Errors: `InvalidArgument` for a
/// resolution of 0, options that are no numbers or below 0, a box that is a point, overflows or is
/// beyond 1e300, and a half space to keep; `ResourceLimit` for more than 2^28 cubes, and for meshes
/// of which more than 2^28 pieces might come. A scan of 44,000 triangles is packed to the end in
/// 0.66 s of processor time at a resolution of 128.
[[nodiscard]] Result<SpherePacking> pack_spheres_on_lattice(const ClosedMesh& solid,
                                                            std::size_t resolution,
                                                            const PackingOptions& options = {});

/// The same for any shape, in its world. Inside is what is proved to be: radii are lower bounds of
/// the distance to the surface. They fall short of it by rounding for primitives, closed meshes,
/// and intersections and differences of such; by up to 1/32 of a cube's edge for patches; by up to
/// the diagonal of a cell, an eighth of a cube or the 512th of the box, for formulas and for unions
/// of parts that overlap. Formulas lose more where interval arithmetic tells little of them, and
/// where parts of a union only touch, the wall between them stays. `largest_protrusion` is proved.
/// Boxes of formulas are their bounds: the tighter, the finer the lattice. `solid_volume` of
/// formulas and Booleans is measured by an image of 64 x 64 columns (image.h, which estimates its
/// error), of others exact. Trees over spheres (sphere_tree.h) are of meshes alone. Errors: as
/// check_shape and to_triangles; `NotClosed` for meshes and patches that bound no solid;
/// `InvalidArgument` for a shape that is empty, has no volume or whose box overflows; else as
/// above. Up to 4 million evaluations of a formula's range or a union's parts beside the packing.
[[nodiscard]] Result<SpherePacking> pack_spheres_on_lattice(const Shape& shape,
                                                            std::size_t resolution,
                                                            const PackingOptions& options = {});

/// Spheres inside of a surface that bounds no solid.
struct OpenPacking {
  SpherePacking packing;
  /// Of the cubes whose centers are inside, as far as they are in the box of the surface, of
  /// density 1: nothing exact.
  MassProperties solid;
  /// How much of what may be inside is doubtful: of the cubes around whose centers the surface
  /// winds 1/4 or more, the share of those where it is less than 3/4.
  double doubtful_share = 0;
  /// Of the volume of `solid`, what is in cubes that the surface passes, or in which inside ends:
  /// the volume is known to about that share, which a finer lattice makes less.
  double cut_share = 0;
};

/// The packing on a lattice for a surface that is open, torn, or not turned one way throughout.
/// Inside is where it winds more than half around a point [Jacobson2013]; of a surface that is
/// turned inward, less than -1/2. That is asked of the centers of the cubes, so where a hole ends
/// the inside is known to the diagonal of a cube. No sphere reaches through the surface, and none
/// contains a center that is not inside. `solid_volume` is counted in cubes, and `coverage` is the
/// share of that; `largest_protrusion` is of the cubes, and what is inside beyond them does not
/// count. `progress` is called with 0 while centers are asked; ended then, there are no spheres and
/// `solid` is 0. Errors: as for a closed mesh; `InvalidArgument` where the surface winds so around
/// no center. 33 to 129 cubes serve most bodies. Takes what a closed mesh takes, and time for each
/// cube of the lattice and edge without a partner.
[[nodiscard]] Result<OpenPacking> pack_spheres_in_open(const CheckedMesh& surface,
                                                       std::size_t resolution,
                                                       const PackingOptions& options = {});

}  // namespace plimsoll
