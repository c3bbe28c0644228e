// The submersion of shapes: the plane is brought into the frame of the primitive, the answer back.
#include <plimsoll/submersion.h>

#include <algorithm>
#include <cmath>

#include "hydro/primitive_submersion.h"
#include "hydro/small_body.h"
#include "hydro/units.h"
#include "hydro/water_plane.h"
#include "shape/similarity_parts.h"
#include "shape/unit_of_length.h"
#include "solid/displacement.h"

namespace plimsoll {
namespace {

Result<Submersion> of_mesh(const MeshSolid& solid, const Similarity& pose, const WaterPlane& water,
                           const SubmersionParts& parts) {
  const MeshSolid moved = posed(solid, pose);
  const Result<CheckedMesh> checked = CheckedMesh::borrow(*moved.mesh);
  if (!checked) return checked.error();
  Submersion wet = submersion(*checked, water);
  wet.volume_error += swept_volume(checked->view(), moved.vertex_error);
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
Result<Submersion> found_in_units(const Shape& given, const WaterPlane& water,
                                  const SubmersionParts& parts, int e) {
  // Beyond there it is dry or wet, whatever its size.
  const double offset = std::clamp(times_power_of_two(water.offset, -e), -0x1p900, 0x1p900);
  Result<Submersion> wet = submersion(in_units_of(e, given), {water.normal, offset}, parts);
  if (!wet) return wet;
  return in_meters(*wet, e);
}

}  // namespace

Result<Submersion> submersion(const Shape& shape, const WaterPlane& water,
                              const SubmersionParts& parts) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  if (!is_plane(water)) return no_plane();
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return of_mesh(*mesh, shape.pose, water, parts);
  const bool is_at_home = is_identity(shape.pose);
  // The plane as given: whether it is in a face is decided exactly.
  if (const auto* box = std::get_if<BoxSolid>(&shape.solid); box != nullptr && is_at_home)
    return box_submersion(*box, water, parts);
  if (const int unit = unit_exponent(longest_length(shape)); unit != 0)
    return found_in_units(shape, water, parts, unit);
  if (is_at_home) return primitive_submersion(shape, with_unit_normal(water), parts);
  const SimilarityParts pose(shape.pose);
  const WaterPlane in_body = plane_in_body(water, Mat3::Identity(), Vec3::Zero(), pose);
  if (std::isnan(in_body.offset)) return too_far_apart();
  Result<Submersion> wet = primitive_submersion(shape, in_body, parts);
  if (wet) place(*wet, pose, parts);
  return wet;
}

}  // namespace plimsoll
