// Depths in a solid at points of the other's surface, as many as their integral needs.
#pragma once

#include <plimsoll/types.h>

#include <vector>

#include "contact/inner_parts.h"
#include "contact/surface_depth.h"

namespace plimsoll {

struct DepthSample {
  Vec3 at;       ///< In the world [m].
  Vec3 normal;   ///< Of the surface: of length 1, out of its own solid.
  double area;   ///< [m^2]
  double depth;  ///< In the other solid [m].
};

/// Adds samples of all parts of one surface: the area of each times its depth add up to the
/// integral of the depth. A part is taken by its centroid. Where it is not a small share of the
/// whole, it is cut in four at its centroid, and these again, until that changes the sum by little:
/// depths are concave where the nearest face changes, and 0 along the curve.
void add_depth_samples(const InnerParts& inner, SurfaceDepth& depth,
                       std::vector<DepthSample>& samples);

}  // namespace plimsoll
