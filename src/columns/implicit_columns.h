// Pieces of a line where a formula is negative, by interval arithmetic.
#pragma once

#include <plimsoll/expression.h>

#include <cstdint>
#include <vector>

#include "columns/line_crossings.h"
#include "columns/span.h"

namespace plimsoll {

/// A piece of the line with the values at its ends.
struct LineSegment {
  double low, high;
  double f_low, f_high;
};

/// What was asked of a formula: its value at points, and its range over boxes.
struct FormulaWork {
  std::int64_t values = 0;
  std::int64_t ranges = 0;
};

// Surfaces: 0 the formula, 1 to 6 the faces of the bounds.
inline constexpr std::uint32_t kImplicitSurfaces = 7;

/// Pieces thinner than this part of the line's way through the bounds may be lost, and gaps.
inline constexpr double kThinnest = 1e-9;

/// Evaluations of ranges before a line is tried again with kThinnest a thousand times larger, and
/// last with kCoarsest, which always ends: what oscillates without end is then still found where it
/// is coarse.
inline constexpr int kMaxRanges = 1000;
inline constexpr double kCoarsest = 1.0 / 256;  // 511 ranges at most

/// Puts into `out` the pieces of the line, which is inside the bounds along `within`, where
/// `expression` is negative. Segments are halved until the range of the formula excludes a crossing
/// or that of its slope proves there is at most one, which is then found to the last bits; those as
/// thin as kThinnest are judged by their ends. False if that took more than kMaxRanges. Adds to
/// `work` what it took.
bool implicit_crossings(const Expression& expression, const Line& line, const Span& within,
                        std::vector<LineSegment>& waiting, std::vector<Span>& out,
                        FormulaWork& work);

}  // namespace plimsoll
