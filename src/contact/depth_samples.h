// Depths in a solid at points of the other's surface, as many as their integral needs.
#pragma once

#include <plimsoll/surface_queries.h>
#include <plimsoll/types.h>

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "contact/inner_parts.h"

namespace plimsoll {

/// Distances of points to a surface, of which each is near the one before.
class Depths {
 public:
  explicit Depths(SurfaceProbe probe) : probe_(std::move(probe)) {}

  [[nodiscard]] Result<double> at(const Vec3& x);

 private:
  SurfaceProbe probe_;
  Vec3 last_ = Vec3::Zero();
  double distance_ = std::numeric_limits<double>::infinity();  // there
};

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
[[nodiscard]] Result<void> add_depth_samples(const InnerParts& inner, Depths& depths,
                                             std::vector<DepthSample>& samples);

}  // namespace plimsoll
