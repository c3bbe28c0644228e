// How often a surface winds around the points just in front of and just behind one of its
// triangles, decided exactly.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "solid/look_limit.h"
#include "solid/triangle_cells.h"
#include "tree/hull_tree.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// A closed surface to be asked: its triangles, each with an area, in a tree; or in a tree of hulls
/// where boxes tell little, or in a list where they are few.
struct WindingScene {
  const MeshView& mesh;
  std::span<const std::uint32_t> shell_of_triangle;
  std::variant<const TriangleTree*, const HullTree*, std::span<const std::uint32_t>> triangles;
  LookLimit* looks = nullptr;  ///< Counts the triangles that rays look at.

  [[nodiscard]] bool has_tree() const { return triangles.index() < 2; }
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

/// What a ray from a triangle meets first.
struct FirstMet {
  struct Sheet {
    std::uint32_t triangle;
    int left;  ///< +1 where the ray leaves through it, -1 where it enters.
  };
  bool from_front = false;     ///< The ray leaves the front of the triangle that it begins at.
  int sheets = 1;              ///< There: back - front of WindingSides.
  int own = 0;                 ///< The sum of `left` over what it passes of its own part before.
  std::vector<Sheet> nearest;  ///< Those in one plane that it meets first; none if it meets none.
};

/// The nearest sheets seen from the point `at`, all shells counted; triangles that have the `part`
/// of `triangle` are passed. The scene has a tree. Nothing where the ray meets an edge, or where
/// sheets in two planes are too near each other to be told apart in doubles. O(log n) where few
/// boxes are in the way.
[[nodiscard]] std::optional<FirstMet> first_met(const WindingScene& scene, std::uint32_t triangle,
                                                const Weights& at,
                                                std::span<const std::uint32_t> part = {});

/// The same from some point of `cell` of `triangle`. Nothing if no ray of a few has an answer.
[[nodiscard]] std::optional<FirstMet> first_met(const WindingScene& scene, std::uint32_t triangle,
                                                const TriangleCells& cells, std::size_t cell);

/// The same at some point of `cell` of `triangle` cut into `cells`. Nothing if no ray of very many
/// passes between the edges, which points chosen at random do with certainty near 1.
[[nodiscard]] std::optional<WindingSides> winding_sides(
    const WindingScene& scene, std::uint32_t triangle, const TriangleCells& cells, std::size_t cell,
    std::span<const std::uint32_t> ignored = {});

}  // namespace plimsoll
