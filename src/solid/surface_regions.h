// Parts of a surface, between the triangles that meet others, beside which the winding number does
// not change.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pairs/meeting_triangles.h"
#include "solid/look_limit.h"
#include "solid/triangle_cells.h"

namespace plimsoll {

/// The triangle cut along every segment that another has in common with its interior, so that
/// others meet the inside of a cell in single points at most. Nothing if that takes more than
/// `max_cells`, or exceeds the limit: each cell is looked at for each cut. O(cuts x cells).
[[nodiscard]] std::optional<TriangleCells> cells_of(const MeshView& mesh,
                                                    const MeetingTriangle& meeting,
                                                    std::size_t max_cells, LookLimit& limit);

/// Of each triangle of the mesh, whether it is one of `triangles` and those among them with the
/// same three corners cancel: as many of them are turned the one way as the other. O(n log n).
[[nodiscard]] std::vector<bool> cancelled_triangles(const MeshView& mesh,
                                                    std::span<const std::uint32_t> triangles);

/// A part of the surface over which the winding number beside it does not change, as far as the
/// meetings known go.
struct Region {
  std::uint32_t triangle = 0;            ///< One of it, free of meetings if any is,
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
                                 std::span<const MeetingTriangle> meetings);

}  // namespace plimsoll
