// How often a surface winds around the points just in front of and just behind one of its
// triangles, decided exactly.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <optional>
#include <span>

#include "solid/triangle_cells.h"
#include "tree/box_tree.h"

namespace plimsoll {

/// A closed surface to be asked. `triangles` are those of `mesh` that belong to it, each with an
/// area; `tree` is triangle_tree(mesh, triangles), or null for a few.
struct WindingScene {
  const MeshView& mesh;
  std::span<const std::uint32_t> triangles;
  const BoxTree* tree;
  std::span<const std::uint32_t> shell_of_triangle;
};

struct WindingSides {
  int front = 0;          ///< Winding number just in front of the triangle,
  int back = 0;           ///< and just behind it: they differ by the sheets that lie on one another
                          ///< here, each counted by the way it is turned.
  bool enclosed = false;  ///< Another shell winds around both sides.
  Vec3 at = Vec3::Zero();  ///< The point, rounded.
};

/// The winding numbers beside the point `at` in the open interior of `triangle`, shells in
/// `ignored` (ascending) left out. Nothing where the ray sent out from there meets an edge, or
/// where a triangle passes through the point across this one: ask at another point.
[[nodiscard]] std::optional<WindingSides> winding_sides(
    const WindingScene& scene, std::uint32_t triangle, const Weights& at,
    std::span<const std::uint32_t> ignored = {});

/// The same at some point of `cell` of `triangle` cut into `cells`. Nothing if no ray of very many
/// passes between the edges, which points chosen at random do with certainty near 1.
[[nodiscard]] std::optional<WindingSides> winding_sides(
    const WindingScene& scene, std::uint32_t triangle, const TriangleCells& cells, std::size_t cell,
    std::span<const std::uint32_t> ignored = {});

}  // namespace plimsoll
