#include "spheres/body_distance.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// The nearest spheres have one part of so many of a budget. Two tori of 20,000 spheres, in 100 us:
/// with a half for the spheres the upper bound was off by 0.013 and the lower by 0.24 of a size of
/// 3, with a quarter by 0.018 and 0.15, with a sixteenth by 0.028 and 0.12.
constexpr std::size_t kSpheresPart = 4;

/// The nearest points of two spheres, and how far these are apart.
BodyDistance of_spheres(const PosedHierarchies& bodies, const SphereDistance& spheres) {
  const Vec3 center_a = bodies.a(spheres.nearest.a).center;
  const Vec3 center_b = bodies.b_center(spheres.nearest.b);
  const Vec3 along = (center_b - center_a).normalized();
  BodyDistance found;
  found.distance = spheres.distance;
  found.upper = spheres.distance + bodies.rounding();
  found.point_a = center_a + bodies.a_radius(spheres.nearest.a, NodeBall::kPrimary) * along;
  found.point_b = center_b - bodies.b_radius(spheres.nearest.b, NodeBall::kPrimary) * along;
  found.nearest = spheres.nearest;
  return found;
}

void add_triangles(const TriangleGap& gap, BodyDistance& found) {
  found.surfaces_lower = gap.lower;
  if (!gap.found || gap.distance > found.distance) return;
  found.distance = gap.distance;
  found.upper = std::min(found.upper, gap.upper);
  found.point_a = gap.point_a;
  found.point_b = gap.point_b;
}

}  // namespace

BodyDistance BodyDistanceSearch::find(const SphereBody& a, const SphereBody& b,
                                      const RelativePose& pose, std::optional<SpherePair> last,
                                      const DistanceBudget& budget, Refinement refinement) {
  const Deadline deadline(budget.max_time);
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, pose);
  const bool is_limited =
      std::isfinite(budget.max_time) || budget.max_steps < std::numeric_limits<std::size_t>::max();
  const bool is_refined = refinement == Refinement::kTriangles;
  const std::size_t part = is_refined ? kSpheresPart : 1;
  StepLimit first_steps(deadline, budget.max_steps / part,
                        budget.max_time - budget.max_time / static_cast<double>(part));
  const SphereDistance spheres = is_limited ? sphere_distance(bodies, walk_, last, first_steps)
                                            : sphere_distance(bodies, walk_, last);
  if (spheres.meet) return {.spheres_meet = true, .nearest = spheres.nearest};
  BodyDistance found = of_spheres(bodies, spheres);
  if (!is_refined) {
    found.is_complete = !is_limited || spheres.is_complete;
    if (found.is_complete)
      found.lower = std::max(
          0.0, found.distance - a.protrusion - bodies.scale() * b.protrusion - bodies.rounding());
    found.surfaces_lower = found.lower;
    return found;
  }
  // Surfaces that are apart tell nothing about bodies of which one lies in the other; balls around
  // all parts of the solids do.
  bool are_apart = false;
  if (is_limited) {
    StepLimit steps(deadline, budget.max_steps - first_steps.steps(), 0);
    const TriangleGapSoFar so_far =
        triangles_.find(a, b, pose, found.upper, spheres.nearest, steps);
    add_triangles(so_far.gap, found);
    found.is_complete = spheres.is_complete && so_far.is_complete;
    are_apart = so_far.parts_lower > 0;
  } else {
    add_triangles(triangles_.find(a, b, pose, found.upper), found);
    are_apart = distance_lower_bound(bodies, walk_) > 0;
  }
  found.lower = are_apart ? found.surfaces_lower : 0;
  return found;
}

}  // namespace plimsoll
