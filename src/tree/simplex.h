// A step of the way from one convex set to another [Gilbert1988]: of differences of their points,
// those that the nearest point of the differences' hull to the origin hangs on.
#pragma once

#include <cstddef>
#include <span>

#include "simd/triple.h"

namespace plimsoll {

/// The point of the hull of some points that is nearest to the origin.
struct SimplexFoot {
  Triple<double> at{};
  /// From the origin to the set that `at` is inside of: its normal where that is a triangle, which
  /// is sharper than `at` where this is the difference of far longer vectors; else `at`.
  Triple<double> way{};
  unsigned points = 0;  ///< Bit i: `at` hangs on point i.
};

/// Of one to four points, of which the foot hangs on the last: as of a difference that is nearer to
/// the origin, along the way to the foot of the others, than that foot. Each set of points with the
/// last is tried, and the nearest foot within a set is taken.
[[nodiscard]] SimplexFoot foot_of_simplex(std::span<const Triple<double>> points);

/// Keeps those of some points that a foot hangs on, in their order. Returns how many.
template <class Point>
std::size_t keep_points_of(const SimplexFoot& foot, std::span<Point> points) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((foot.points >> i & 1U) != 0) points[kept++] = points[i];
  return kept;
}

}  // namespace plimsoll
