// The submersion of shapes: the plane is brought into the frame of the primitive, the answer back.
#include <plimsoll/submersion.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hydro/primitive_submersion.h"
#include "hydro/small_body.h"
#include "hydro/water_plane.h"
#include "shape/similarity_parts.h"
#include "shape/unit_of_length.h"

namespace plimsoll {
namespace {

Result<Submersion> of_mesh(const TriangleMesh& mesh, const Similarity& pose,
                           const WaterPlane& water, const SubmersionParts& parts) {
  const TriangleMesh moved = posed(mesh, pose);
  const Result<CheckedMesh> checked = CheckedMesh::borrow(moved);
  if (!checked) return checked.error();
  Submersion wet = submersion(*checked, water);
  if (!parts.wetted_area) wet.wetted_area = 0;
  if (!parts.waterplane) wet.waterplane = {};
  return wet;
}

/// From the frame of the primitive: lengths times the scale of the pose, directions turned.
void place(Submersion& wet, const SimilarityParts& pose, const SubmersionParts& parts) {
  const double k = pose.scale;
  wet.volume *= k * k * k;
  wet.volume_error *= k * k * k;
  if (wet.volume != 0) wet.center_of_buoyancy = pose(wet.center_of_buoyancy);
  wet.wetted_area *= k * k;
  if (!parts.waterplane) return;
  WaterSection& section = wet.waterplane;
  section.area *= k * k;
  if (section.area != 0) section.center = pose(section.center);
  section.second_moments *= k * k * k * k;
  section.axes = section.axes * pose.rotation.transpose();
}

/// Of a primitive so large or small that its volume has no number: in units of 2^e m.
Result<Submersion> in_units(const Shape& given, const WaterPlane& water,
                            const SubmersionParts& parts, int e) {
  Shape shape = resized(given, -e);
  shape.pose.translation() = times_power_of_two(Vec3(given.pose.translation()), -e);
  // Beyond there it is dry or wet, whatever its size.
  const double offset = std::clamp(times_power_of_two(water.offset, -e), -0x1p900, 0x1p900);
  Result<Submersion> wet = submersion(shape, {water.normal, offset}, parts);
  if (!wet) return wet;
  const auto grow = [](double& x, int exponent) { x = times_power_of_two(x, exponent); };
  grow(wet->volume, 3 * e);
  const bool is_exact = wet->volume_error == 0;
  grow(wet->volume_error, 3 * e);
  if (e < 0 && !is_exact) wet->volume_error += std::numeric_limits<double>::denorm_min();
  wet->center_of_buoyancy = times_power_of_two(wet->center_of_buoyancy, e);
  grow(wet->wetted_area, 2 * e);
  grow(wet->waterplane.area, 2 * e);
  wet->waterplane.center = times_power_of_two(wet->waterplane.center, e);
  for (double& moment : wet->waterplane.second_moments.reshaped()) grow(moment, 4 * e);
  return wet;
}

}  // namespace

Result<Submersion> submersion(const Shape& shape, const WaterPlane& water,
                              const SubmersionParts& parts) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (!is_plane(water)) return no_plane();
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return of_mesh(*mesh->mesh, shape.pose, water, parts);
  const bool is_at_home = is_identity(shape.pose);
  // The plane as given: whether it is in a face is decided exactly.
  if (const auto* box = std::get_if<BoxSolid>(&shape.solid); box != nullptr && is_at_home)
    return box_submersion(*box, water, parts);
  if (const int unit = unit_exponent(longest_length(shape)); unit != 0)
    return in_units(shape, water, parts, unit);
  if (is_at_home) return primitive_submersion(shape, with_unit_normal(water), parts);
  const SimilarityParts pose(shape.pose);
  const WaterPlane in_body = plane_in_body(water, Mat3::Identity(), Vec3::Zero(), pose);
  if (std::isnan(in_body.offset))
    return Error{ErrorCode::kResourceLimit,
                 "found a pose and a plane so far apart that no number tells how far", "water"};
  Result<Submersion> wet = primitive_submersion(shape, in_body, parts);
  if (wet) place(*wet, pose, parts);
  return wet;
}

}  // namespace plimsoll
