// What all patches have in common: the check, points of the surface, the box.
#include <plimsoll/patches.h>

#include <limits>
#include <string>

#include "patch/homogeneous_net.h"
#include "patch/weighted_point.h"

namespace plimsoll {
namespace {

bool is_degree(int degree) { return degree >= 1 && degree <= kMaxPatchDegree; }

std::size_t point_count(const BezierPatch& patch) {
  return (static_cast<std::size_t>(patch.degree_u) + 1) *
         (static_cast<std::size_t>(patch.degree_v) + 1);
}

bool has_its_points(const BezierPatch& patch) {
  return is_degree(patch.degree_u) && is_degree(patch.degree_v) &&
         patch.points.size() == point_count(patch);
}

Result<void> check_patch(const BezierPatch& patch) {
  const auto invalid = [](const std::string& message) {
    return Error{ErrorCode::kInvalidArgument, message, {}};
  };
  for (const int degree : {patch.degree_u, patch.degree_v})
    if (!is_degree(degree))
      return invalid("found the degree " + std::to_string(degree) + ", expected 1 to " +
                     std::to_string(kMaxPatchDegree));
  const std::size_t expected = point_count(patch);
  if (!has_its_points(patch))
    return invalid("found " + std::to_string(patch.points.size()) + " points, expected " +
                   std::to_string(expected) + " for the degrees " + std::to_string(patch.degree_u) +
                   " and " + std::to_string(patch.degree_v));
  for (std::size_t i = 0; i < expected; ++i)
    if (const std::string fault = fault_of(patch.points[i]); !fault.empty())
      return invalid("point " + std::to_string(i) + " has " + fault);
  return {};
}

}  // namespace

Result<void> check_patches(const PatchSurface& surface) {
  for (std::size_t i = 0; i < surface.patches.size(); ++i) {
    const Result<void> sound = check_patch(surface.patches[i]);
    if (!sound)
      return Error{sound.error().code, sound.error().message, "patch " + std::to_string(i)};
  }
  return {};
}

SurfacePoint evaluate(const BezierPatch& patch, double u, double v) {
  if (!has_its_points(patch)) {
    const Vec3 nowhere = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    return {nowhere, nowhere, nowhere};
  }
  // About a point of the patch, so that its distance from the origin costs no digits.
  const Vec3 origin = patch.points.front().head<3>();
  const LineOfConstantU line(homogeneous_net(patch, origin), u);
  SurfacePoint point = line.at(bernstein(patch.degree_v, v), bernstein(patch.degree_v - 1, v));
  point.position += origin;
  return point;
}

Box3 bounding_box(const PatchSurface& surface) {
  Box3 box;
  for (const BezierPatch& patch : surface.patches)
    for (const WeightedPoint& point : patch.points) box.extend(Vec3(point.head<3>()));
  return box;
}

}  // namespace plimsoll
