// A solid cut into the cubes of a lattice: what each holds of it, and which triangles pass through.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/no_index.h"

namespace plimsoll {

/// Cubes that follow each other along z: all of them touched by the surface, or none.
struct CubeRun {
  std::uint32_t begin = 0, end = 0;    ///< Places along z.
  std::uint32_t first_cube = 0;        ///< The number of the cube at `begin`.
  std::uint32_t first_cut = kNoIndex;  ///< Its number among those touched; else kNoIndex.
  std::int32_t winding = 0;            ///< Around cubes that are not touched.

  [[nodiscard]] std::uint32_t number_of(std::uint32_t z) const { return first_cube + (z - begin); }
  /// The number among the cubes that are touched. Precondition: first_cut is one.
  [[nodiscard]] std::uint32_t cut_of(std::uint32_t z) const { return first_cut + (z - begin); }
};

/// Where a cube is in the lattice.
using CubePlace = std::array<std::uint32_t, 3>;

/// The cubes that the solid or its surface touches, numbered column after column, of columns along
/// z: x last. Windings count positive where the mesh encloses a positive volume as it is turned.
struct SolidVoxels {
  Vec3 corner = Vec3::Zero();          ///< Of the lattice, the least of the box [m].
  double edge = 0;                     ///< Of a cube [m].
  CubePlace counts{};                  ///< Cubes along each axis.
  double side = 1;                     ///< -1 where the mesh is turned inward.
  std::vector<std::size_t> first_run;  ///< Of column y + counts[1] x, and the end.
  std::vector<CubeRun> runs;
  std::size_t cube_count = 0;

  // For each cube that the surface touches:
  std::vector<double> share;            ///< [cubes]
  std::vector<std::uint8_t> is_inside;  ///< Whether the winding number of its center is above 0.
  std::vector<std::size_t> first_triangle;  ///< In `triangles`, and the end.
  std::vector<std::uint32_t> triangles;     ///< Of one cube ascending.

  /// The center of a cube, in cubes from the corner.
  [[nodiscard]] static Vec3 center_of(const CubePlace& place) {
    return {place[0] + 0.5, place[1] + 0.5, place[2] + 0.5};
  }
  [[nodiscard]] Vec3 to_meters(const Vec3& cubes) const { return corner + edge * cubes; }
  [[nodiscard]] Vec3 to_cubes(const Vec3& meters) const { return (meters - corner) / edge; }
  [[nodiscard]] std::span<const CubeRun> column(std::size_t x, std::size_t y) const {
    const std::size_t i = y + counts[1] * x;
    return std::span(runs).subspan(first_run[i], first_run[i + 1] - first_run[i]);
  }
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(std::uint32_t cut) const {
    return std::span(triangles).subspan(first_triangle[cut],
                                        first_triangle[cut + 1] - first_triangle[cut]);
  }
  /// What of the solid is in a cube, in cubes: a sum weighted by the winding number where shells
  /// are nested or meet.
  [[nodiscard]] double share_of(const CubeRun& run, std::uint32_t z) const {
    return run.first_cut == kNoIndex ? run.winding : share[run.cut_of(z)];
  }
  [[nodiscard]] bool has_center(const CubeRun& run, std::uint32_t z) const {
    return run.first_cut == kNoIndex ? run.winding > 0 : is_inside[run.cut_of(z)] != 0;
  }
  /// Calls visit(place, run) for the cubes of columns x from `begin` to `end`, by their numbers.
  template <class Visit>
  void for_each_cube(std::size_t begin, std::size_t end, const Visit& visit) const {
    for (std::size_t x = begin; x < end; ++x)
      for (std::size_t y = 0; y < counts[1]; ++y)
        for (const CubeRun& run : column(x, y))
          for (std::uint32_t z = run.begin; z < run.end; ++z)
            visit(CubePlace{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), z}, run);
  }
};

/// A lattice over a box without its cubes: corner, edge and counts. Errors: `InvalidArgument` for a
/// resolution of 0 and, of what `solid` names, for a box that is a point or overflows;
/// `ResourceLimit` for more than 2^28 cubes.
[[nodiscard]] Result<SolidVoxels> lay_lattice(const Box3& box, std::size_t resolution,
                                              const char* solid);

/// Cuts a solid into cubes, `resolution` along the longest side of its box. Shares are integrals
/// over the triangles as clipped to the cubes, of what is below them: exact but for rounding, which
/// is below 1e-13 cubes for each triangle in a column. Cubes that no triangle touches are told from
/// the winding number along the column, and so is whether centers are inside: exactly, of the
/// vertices as the frame of the lattice rounds them, to 2^-51 of the box. A triangle that touches a
/// cube counts as one of its triangles. Errors: `InvalidArgument` for a resolution of 0 and for a
/// mesh whose box is a point or overflows; `ResourceLimit` for more than 2^28 cubes, and where more
/// than 2^28 pieces of triangles might come of it. O(pieces), in parallel.
[[nodiscard]] Result<SolidVoxels> solid_voxels(const ClosedMesh& mesh, std::size_t resolution);

}  // namespace plimsoll
