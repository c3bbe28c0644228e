// The closed parts of the curve in which two surfaces cross.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "overlap/curve_sums.h"

namespace plimsoll {

/// Where an edge of one surface passes a triangle of the other: both segments that end there name
/// it alike.
struct CurveKnot {
  std::uint32_t low, high;  ///< Vertices of the edge.
  std::uint32_t triangle;   ///< Of the other surface.
  std::uint32_t is_edge_of_b;

  friend auto operator<=>(const CurveKnot&, const CurveKnot&) = default;
};

struct CurveSegment {
  CurveKnot first, second;
  Vec3 from, to;
};

/// Sums over each closed part, the longest first. O(n log n).
[[nodiscard]] std::vector<CurveSums> curve_loops(std::span<const CurveSegment> segments);

}  // namespace plimsoll
