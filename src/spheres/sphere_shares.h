// Which part of a solid each sphere of a packing stands for.
//
// The solid is cut into the cubes of a lattice. Each cube goes to the sphere with the least |x - c|
// - r at the cube's center x: a power of the cubes, so that the parts of all spheres make the
// solid.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// Directions within `angle` of the axis.
struct NormalCone {
  Vec3 axis = Vec3::Zero();  ///< Of length 1, or 0 where all directions are meant.
  double angle = 0;          ///< [rad]; pi: all directions.
};

/// The part of a solid that a sphere stands for.
struct SphereShare {
  double volume = 0;            ///< Of the part, exact to rounding [m^3].
  double published_volume = 0;  ///< Of the cubes whose centers lie in the sphere and in the solid,
                                ///< as published [Weller2009, sec. 4.2.1] [m^3].
  /// An upper bound of the volume of the part that no sphere covers [m^3].
  double uncovered = 0;
  /// No point of the part, nor of the sphere, is farther from the sphere's center [m].
  double reach = 0;
  NormalCone cone;  ///< Of the outward normals of the nearest triangles of all cubes of the part.
};

struct SphereShares {
  std::vector<SphereShare> shares;  ///< One for each sphere.
  /// Triangles of the mesh that sphere i keeps: [first_triangle[i], first_triangle[i + 1]) of
  /// `triangles`: the nearest triangle to the center of each cube, and all triangles that pass
  /// through a cube. Each point of the surface lies on a triangle of a sphere within whose reach it
  /// is.
  std::vector<std::size_t> first_triangle;
  std::vector<std::uint32_t> triangles;
};

/// A triangle that is nearest to centers of cubes of a part.
struct NearestOfPart {
  std::uint32_t triangle = 0;
  std::uint32_t cubes = 0;  ///< To how many; 1 for a sphere that has no cube.
};

/// The nearest triangles of each sphere's part, each once, ascending.
struct NearestOfParts {
  std::vector<std::size_t> first{0};  ///< One more than there are spheres.
  std::vector<NearestOfPart> triangles;

  [[nodiscard]] std::span<const NearestOfPart> of(std::size_t sphere) const {
    return std::span(triangles).subspan(first[sphere], first[sphere + 1] - first[sphere]);
  }
};

/// What each sphere stands for, `resolution` cubes along the longest side of the solid's box. A
/// sphere that is nearest to no cube's center has no volume; it keeps the triangle that is nearest
/// to its own center. Volumes are positive where the mesh is turned inward too. Errors: as
/// solid_voxels; `InvalidArgument` for coordinates beyond 1e300. In parallel.
[[nodiscard]] Result<SphereShares> share_solid(const ClosedMesh& solid,
                                               std::span<const PlacedSphere> spheres,
                                               std::size_t resolution);

/// The same with the nearest triangles as given, in place of a search that takes most of the time:
/// cones are of them, and volumes, reaches and all that is said of kept triangles are right
/// whatever they are. Errors: as solid_voxels. Precondition: one row for each sphere; at least one
/// sphere; triangles of the mesh.
[[nodiscard]] Result<SphereShares> share_solid(const ClosedMesh& solid,
                                               std::span<const PlacedSphere> spheres,
                                               std::size_t resolution,
                                               const NearestOfParts& nearest);

struct DividedSolid {
  SphereShares shares{{}, {0}, {}};
  NearestOfParts nearest;
};

/// The shares and the nearest triangles that they are made of. Errors: as share_solid.
[[nodiscard]] Result<DividedSolid> divide_solid(const ClosedMesh& solid,
                                                std::span<const PlacedSphere> spheres,
                                                std::size_t resolution);

/// A resolution that goes with so many spheres: some cubes for each.
[[nodiscard]] std::size_t share_resolution(std::size_t spheres);
/// The one that is asked for, or that.
[[nodiscard]] std::size_t share_resolution(const SphereTreeOptions& options, std::size_t spheres);

/// Errors: `NotClosed`, with the number of a sphere whose part has a volume below 0.
[[nodiscard]] Result<void> check_volumes(const SphereShares& shares);

}  // namespace plimsoll
