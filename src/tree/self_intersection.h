// Pairs of triangles of one mesh that meet elsewhere than in a vertex or an edge they share.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tree/box_tree.h"
#include "tree/triangle_pair.h"

namespace plimsoll {

/// Triangle numbers, a < b.
struct TrianglePair {
  std::uint32_t a = 0, b = 0;
  bool crosses = false;  ///< Meeting::kCrosses; else they touch or lie on one another.

  friend bool operator==(const TrianglePair&, const TrianglePair&) = default;
};

/// Where a mesh has more pairs than `most`, it is not worth listing them.
struct PairLimit {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  bool count_on = false;  ///< Whether to count them all then, or to stop.
};

struct FoundPairs {
  std::vector<TrianglePair>
      pairs;                ///< Ascending; 1,000 of them where there are more than the limit.
  std::size_t count = 0;    ///< Of all, unless counting stopped.
  bool is_complete = true;  ///< Not more than the limit.
};

/// The triangles with an area: those that name three vertices which do not lie on one line.
[[nodiscard]] std::vector<std::uint32_t> triangles_with_area(const MeshView& mesh);

/// A tree whose item i is the triangle triangles[i].
[[nodiscard]] BoxTree triangle_tree(const MeshView& mesh, std::span<const std::uint32_t> triangles);

/// All pairs of `triangles` that, as closed sets, have a point in common outside the vertex or edge
/// that they share by index, in ascending order. Decided exactly; two triangles with the same
/// vertices are a pair. Where `group` is not empty, only pairs of two different groups:
/// group[t] is that of triangle t. `tree` is triangle_tree(mesh, triangles).
/// In parallel; the result does not depend on it. Precondition: check_mesh; all have an area.
[[nodiscard]] FoundPairs intersecting_pairs(const MeshView& mesh, const BoxTree& tree,
                                            std::span<const std::uint32_t> triangles,
                                            std::span<const std::uint32_t> group = {},
                                            const PairLimit& limit = {});

/// The same of the whole mesh, triangles without area left out.
[[nodiscard]] FoundPairs self_intersecting_pairs(const MeshView& mesh, const PairLimit& limit = {});

}  // namespace plimsoll
