// The connected parts of what two solids share.
//
// Their boundary is found in connected, closed surfaces (piece_borders.h). One that bounds less
// than nothing is a cavity of the piece around it.
#pragma once

#include <plimsoll/overlap.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "overlap/curve_loops.h"
#include "overlap/curve_search.h"

namespace plimsoll {

/// The pieces, the largest first, after the curve and the windings around roots were found. Nothing
/// where a surface winds more than once around a point of the other. O(n + c log c).
[[nodiscard]] std::optional<std::vector<OverlapPiece>> overlap_pieces(
    const std::array<const Side*, 2>& sides, std::span<const CurveSegment> segments,
    const LocalFrame& local);

}  // namespace plimsoll
