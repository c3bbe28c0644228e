#include "spheres/sphere_walk.h"

namespace plimsoll {
namespace {

double extent(const SphereNode& root) {
  return root.center.norm() + 2 * std::max({root.radius, root.secondary_radius, root.reach});
}

}  // namespace

// A coordinate of a posed center is rounded three times at most, of terms that are below the
// extents, and a distance some times more: 16 units in the last place of the extents cover all. A
// pose that is no similarity by a share x of its scale moves distances by that share of b's extent
// at most, one of `a` by that share of the distance.
PosedHierarchies::PosedHierarchies(const SphereHierarchy& a, const SphereHierarchy& b,
                                   const RelativePose& pose)
    : a_(a.nodes.data()),
      b_(b.nodes.data()),
      linear_(pose.a_from_b.linear()),
      translation_(pose.a_from_b.translation()),
      scale_(scale_of(linear_)) {
  PLIMSOLL_ASSERT(!a.nodes.empty() && !b.nodes.empty(), "a hierarchy has at least one sphere");
  const double b_extent = scale_ * extent(b_[0]);
  const double all = extent(a_[0]) + translation_.norm() + b_extent;
  rounding_ = 0x1p-48 * all + skew_of(linear_, scale_) * b_extent + pose.room + pose.skew * all;
}

}  // namespace plimsoll
