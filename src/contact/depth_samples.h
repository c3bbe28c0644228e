// Depths in a solid at points of the other's surface, as many as their integral needs.
#pragma once

#include <plimsoll/types.h>

#include <vector>

#include "contact/inner_parts.h"
#include "contact/pressure_depth.h"

namespace plimsoll {

/// A small part of a surface.
struct DepthSample {
  Vec3 middle;    ///< Its centroid, in the world [m].
  Vec3 at;        ///< The center of the pressure on it, the mean of x weighted by the depth [m].
  Vec3 normal;    ///< Of the surface: of length 1, out of its own solid.
  double area;    ///< [m^2]
  double depth;   ///< PressureDepth: the mean [m],
  double square;  ///< and that of its square [m^2].
  Vec3 growth;    ///< LocalDepth.
};

/// Adds samples of all parts of one surface: the area of each times its depth add up to the
/// integral of the depth, and with `at` to that of its moment.
///
/// Where one flat face of the other solid is the nearest of all points of a convex part, depth is
/// linear: its mean is that of the centroid, and all integrals are exact. Depths below several
/// faces are the least of theirs, a concave function: a part at whose corners and centroid the same
/// face is nearest has that one everywhere. A part is cut along the line where the planes of two
/// faces are as near, until that is so. What remains, over round surfaces, beside edges and corners
/// that bend inward, is taken by its centroid, and cut in four at it, and these again, as long as
/// that changes the sum by much.
void add_depth_samples(const InnerParts& inner, PressureDepth& depth,
                       std::vector<DepthSample>& samples);

}  // namespace plimsoll
