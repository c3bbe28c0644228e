// What the triangles of a mesh that meet others say about the surface there.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solid/triangle_cells.h"
#include "tree/self_intersection.h"

namespace plimsoll {

/// A triangle that meets others elsewhere than in a vertex or edge they share.
struct Contact {
  std::uint32_t triangle = 0;
  std::vector<std::uint32_t> others;  ///< Ascending.
  bool in_front = false;              ///< One comes to its interior from in front,
  bool behind = false;                ///< one from behind.
  bool doubled = false;               ///< One lies on it, turned the same way.
  std::uint8_t touched_edges = 0;     ///< Bit i: the edge from corner i is met between its ends
                                      ///< (or, in the plane, perhaps at an end).
  std::uint32_t cuts = 0;             ///< By how many segments the others may cut it.

  /// Whether the winding number may differ from part to part on both its sides.
  [[nodiscard]] bool is_entangled() const { return (in_front && behind) || doubled; }
};

/// One for each triangle in `pairs`, by triangle. In parallel.
[[nodiscard]] std::vector<Contact> contacts_of(const MeshView& mesh,
                                               std::span<const TrianglePair> pairs);

/// That of `triangle`, or null. `contacts` ascend by triangle.
[[nodiscard]] const Contact* contact_at(std::span<const Contact> contacts, std::uint32_t triangle);

/// The triangle cut along every segment that another has in common with its interior, so that
/// others meet the inside of a cell in single points at most. Nothing if that takes more than
/// `max_cells`. O(cuts x cells).
[[nodiscard]] std::optional<TriangleCells> cells_of(const MeshView& mesh, const Contact& contact,
                                                    std::size_t max_cells);

/// A part of the surface over which the winding number beside it does not change, as far as the
/// contacts known go.
struct Region {
  std::uint32_t triangle = 0;            ///< One of it, free of contacts if any is,
  bool is_free = false;                  ///< and whether it is.
  std::vector<std::uint32_t> triangles;  ///< All, ascending, where none is free.
};

struct Regions {
  std::vector<Region> list;
  std::vector<std::uint32_t> of_triangle;  ///< UINT32_MAX for triangles of none.
};

/// Joins those of `triangles` that are not entangled over edges that just two triangles share and
/// nothing touches. `triangles`: all with an area of the shells concerned, ascending.
[[nodiscard]] Regions regions_of(const MeshView& mesh, std::span<const std::uint32_t> triangles,
                                 std::span<const Contact> contacts);

}  // namespace plimsoll
