#include <plimsoll/sphere_cover.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/linear_scale.h"
#include "spheres/relative_pose.h"

namespace plimsoll {
namespace {

constexpr double kRounding = 0x1p-48;  // of coordinates: posing takes three products and four sums

std::vector<PlacedSphere> placed(std::span<const PlacedSphere> spheres, const Similarity& pose) {
  const double scale = scale_of(pose.linear());
  std::vector<PlacedSphere> there;
  for (const PlacedSphere& sphere : spheres)
    there.push_back({pose * sphere.center, scale * sphere.radius});
  return there;
}

/// No coordinate, or term of one, is larger; lengths neither.
double largest(std::span<const PlacedSphere> spheres, const Similarity& pose) {
  double most = pose.translation().cwiseAbs().maxCoeff();
  const double scale = pose.linear().cwiseAbs().maxCoeff();
  for (const PlacedSphere& sphere : spheres)
    most = std::max(
        {most, 2 * scale * sphere.center.cwiseAbs().maxCoeff(), 2 * scale * sphere.radius});
  return 4 * most;
}

/// The least of |c - c'| - r - r', below 0 where balls have volume in common.
double gap(std::span<const PlacedSphere> a, std::span<const PlacedSphere> b) {
  double least = std::numeric_limits<double>::infinity();
  for (const PlacedSphere& x : a)
    for (const PlacedSphere& y : b)
      least = std::min(least, (x.center - y.center).norm() - x.radius - y.radius);
  return least;
}

}  // namespace

Result<SphereDistanceBounds> distance_bounds(const SpheresAround& a, const Similarity& world_from_a,
                                             const SpheresAround& b,
                                             const Similarity& world_from_b) {
  if (Result<void> usable = check_both_poses(world_from_a, world_from_b); !usable)
    return usable.error();
  for (const SpheresAround* spheres : {&a, &b})
    if (spheres->inner.empty() || spheres->cover.empty())
      return Error{ErrorCode::kInvalidArgument,
                   "found no spheres, expected some inside and some around",
                   spheres == &a ? "a" : "b"};
  const double rounding =
      kRounding * std::max(largest(a.cover, world_from_a), largest(b.cover, world_from_b));
  const double apart = gap(placed(a.cover, world_from_a), placed(b.cover, world_from_b));
  const double inside = gap(placed(a.inner, world_from_a), placed(b.inner, world_from_b));
  return SphereDistanceBounds{std::max(0.0, apart - rounding), std::max(0.0, inside + rounding)};
}

}  // namespace plimsoll
