// The closed parts of the curve in which two surfaces cross.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "overlap/curve_sums.h"
#include "overlap/local_frame.h"

namespace plimsoll {

/// Where an edge of one surface passes a triangle of the other: both segments that end there name
/// it alike.
struct CurveKnot {
  std::uint32_t is_edge_of_b;
  std::uint32_t low, high;  ///< Vertices of the edge.
  std::uint32_t triangle;   ///< Of the other surface.
  std::int32_t gain;  ///< What the winding number of the other surface gains from low to high.

  friend auto operator<=>(const CurveKnot&, const CurveKnot&) = default;
  [[nodiscard]] auto edge() const { return std::tie(is_edge_of_b, low, high); }
};

struct CurveSegment {
  CurveKnot first, second;
  RoundedPoint from, to;
  std::array<std::uint32_t, 2> triangle;  ///< Of A and B: in which it lies.
};

/// Sums over each closed part, the longest first. O(n log n).
[[nodiscard]] std::vector<CurveSums> curve_loops(std::span<const CurveSegment> segments);

}  // namespace plimsoll
