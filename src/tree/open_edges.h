// The edges at which a surface is open.
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

struct TriangleTree;

/// An edge that triangles run along, from one vertex of the tree to another, so many times more
/// often than the other way; below 0 where less often.
struct OpenEdge {
  std::uint32_t from, to;
  int times;
};

/// None where every edge is run along equally often both ways. Vertices count as equal by their
/// numbers. O(n log n).
[[nodiscard]] std::vector<OpenEdge> find_open_edges(const TriangleTree& tree);

}  // namespace plimsoll
