// Which part of a triangle a point of it is in.
#pragma once

#include <plimsoll/distance.h>

#include "proximity/triangle_distance.h"

namespace plimsoll {

/// The point that the weights of the corners tell of, in their units; which triangle it is of is
/// left open.
[[nodiscard]] inline NearestPoint nearest_point(const TripleCorners<double>& corners,
                                                const Triple<double>& weights) {
  const Triple<double> x = point_of(corners, weights);
  NearestPoint point;
  point.at = {x[0], x[1], x[2]};
  int none = 0;
  for (const double w : weights) none += w == 0 ? 1 : 0;
  for (int k = 0; k < 3; ++k) {
    const double w = weights[static_cast<std::size_t>(k)];
    if (none == 2 && w != 0) point.number = k;
    if (none == 1 && w == 0) point.number = (k + 1) % 3;
  }
  point.part = none == 2   ? TrianglePart::kCorner
               : none == 1 ? TrianglePart::kEdge
                           : TrianglePart::kFace;
  return point;
}

}  // namespace plimsoll
