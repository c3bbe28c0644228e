// The submersion of shapes: the plane is brought into the frame of the primitive, the answer back.
#include <plimsoll/submersion.h>

#include <cmath>

#include "core/expansion.h"
#include "hydro/clip_blocks.h"
#include "hydro/primitive_submersion.h"
#include "shape/similarity_parts.h"

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

/// Without stableNorm(), which takes as long as a ball, wherever squares are far from the ends of
/// the range of numbers.
double length_of(const Vec3& normal) {
  const double square = normal.squaredNorm();
  return square > 1e-200 && square < 1e200 ? std::sqrt(square) : normal.stableNorm();
}

/// The height of the plane over `p`, in lengths of the normal. It cancels far from the origin,
/// hence the sum without rounding.
double level_over(const WaterPlane& water, const Vec3& p) {
  Expansion<8> level;
  level.add(water.offset);
  for (int i = 0; i < 3; ++i) level.add_product(-water.normal[i], p[i]);
  return level.value();
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

}  // namespace

Result<Submersion> submersion(const Shape& shape, const WaterPlane& water,
                              const SubmersionParts& parts) {
  if (Result<void> usable = check_shape(shape); !usable) return usable.error();
  const double length = length_of(water.normal);
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(water.offset))
    return Error{
        ErrorCode::kInvalidArgument,
        "found a normal without direction or numbers that are not finite, expected a plane",
        "water"};
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid))
    return of_mesh(*mesh->mesh, shape.pose, water, parts);
  const bool is_at_home = is_identity(shape.pose);
  // The plane as given: whether it is in a face is decided exactly.
  if (const auto* box = std::get_if<BoxSolid>(&shape.solid); box != nullptr && is_at_home)
    return submersion(*box, water, parts);
  const SimilarityParts pose = is_at_home ? SimilarityParts() : SimilarityParts(shape.pose);
  const Vec3 normal = water.normal / length;
  const double level = is_at_home ? water.offset : level_over(water, pose.translation);
  const WaterPlane at_home{pose.rotation.transpose() * normal, level / length / pose.scale};
  Result<Submersion> wet{Submersion()};
  if (!find_primitive_submersion(shape, at_home, parts, *wet))
    return Error{ErrorCode::kUnavailable,
                 "patches, formulas and Booleans have no exact integrals under a plane", "shape"};
  if (!is_at_home) place(*wet, pose, parts);
  return wet;
}

}  // namespace plimsoll
