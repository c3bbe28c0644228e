// Pairs of triangles of one mesh that meet elsewhere than in a vertex or an edge they share.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "pairs/self_pairs.h"
#include "pairs/triangle_pair.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// Triangle numbers, a < b.
struct MeetingPair {
  std::uint32_t a = 0, b = 0;
  bool crosses = false;  ///< Meeting::kCrosses; else they touch or lie on one another.

  friend bool operator==(const MeetingPair&, const MeetingPair&) = default;
};

/// Where a mesh has more pairs than the limit, the search stops.
inline constexpr std::size_t kAllPairs = std::numeric_limits<std::size_t>::max() - 1;

/// What a search may take, beside 20 us for each triangle, counted as PairLooks::work is [us]:
/// where not even hulls tell triangles apart, n of them take some n^2 / 20.
inline constexpr double kMaxPairWork = 1.6e7;

struct FoundPairs {
  std::vector<MeetingPair>
      pairs;                ///< Ascending. Where the search was stopped: up to 1,000 of those
                            ///< found, and one that crosses if there is any among them.
  std::size_t count = 0;    ///< Of all; where the search was stopped, there are no fewer.
  bool is_complete = true;  ///< Neither limit stopped the search.
  bool is_dense = false;  ///< All are listed, and boxes did not tell triangles apart: a HullTree is
                          ///< worth its while.
  PairLooks looks;        ///< By boxes, or by hulls where these were asked.
};

/// The triangles with an area: those that name three vertices which do not lie on one line.
[[nodiscard]] std::vector<std::uint32_t> triangles_with_area(const MeshView& mesh);

/// All pairs of triangles of `tree` that, as closed sets, have a point in common outside the vertex
/// or edge that they share by index, in ascending order. Decided exactly; two triangles with the
/// same vertices are a pair. Where `group` is not empty, only pairs of two different groups:
/// group[t] is that of triangle t. O(n log n) and the pairs, where hulls (hull_tree.h) tell nodes
/// apart; else up to `max_work`. In parallel; the result does not depend on it. Precondition:
/// check_mesh; the tree is of triangles of `mesh`, all with an area.
[[nodiscard]] FoundPairs intersecting_pairs(const MeshView& mesh, const TriangleTree& tree,
                                            std::span<const std::uint32_t> group = {},
                                            std::size_t limit = kAllPairs,
                                            double max_work = kMaxPairWork);

/// The same of the whole mesh, triangles without area left out.
[[nodiscard]] FoundPairs self_intersecting_pairs(const MeshView& mesh,
                                                 std::size_t limit = kAllPairs,
                                                 double max_work = kMaxPairWork);

}  // namespace plimsoll
