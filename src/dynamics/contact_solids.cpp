#include "dynamics/contact_solids.h"

#include <plimsoll/elementary.h>

#include <optional>
#include <utility>
#include <variant>

#include "mesh/trusted_mesh.h"
#include "shape/primitive_moments.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kPatchFlatness = 1e-4, kPrimitiveFlatness = 1e-3;

using Made = Result<std::shared_ptr<const SolidTree>>;

Shape without_pose(const Shape& shape) {
  Shape home = shape;
  home.pose.setIdentity();
  return home;
}

Made faceted(const Shape& home, double flatness) {
  const Result<std::optional<ShapeMesh>> made = to_triangles(home, flatness);
  if (!made) return made.error();
  if (!*made)
    return Error{ErrorCode::kUnavailable,
                 "found a formula or a Boolean, which have no triangles: contact is found between "
                 "meshes, patches and primitives",
                 "shape"};
  return std::make_shared<const SolidTree>(trusted((*made)->mesh));
}

}  // namespace

Result<ContactSolid> ContactSolids::of(const Shape& shape) {
  Made made = std::shared_ptr<const SolidTree>();
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) {
    made = trees_.of(mesh->mesh, [](const auto& triangles) -> Made {
      return std::make_shared<const SolidTree>(trusted(*triangles));
    });
  } else if (const auto* patches = std::get_if<PatchSolid>(&shape.solid)) {
    made = patches_.of(patches->surface, [&](const auto&) {
      const Shape home = without_pose(shape);
      return faceted(home, kPatchFlatness * bounding_box(home).diagonal().norm());
    });
  } else if (const std::optional<PrimitiveKey> key = key_of(shape)) {
    std::weak_ptr<const SolidTree>& known = primitives_[*key];
    *made = known.lock();
    if (*made == nullptr) {
      const Shape home = without_pose(shape);
      made = faceted(home, kPrimitiveFlatness * elementary::cbrt(exact_moments(home)->volume));
      if (made) known = *made;
    }
  } else {
    made = faceted(without_pose(shape), 1);
  }
  if (!made) return made.error();
  ContactSolid result;
  result.solid = *std::move(made);
  result.body_from_solid = shape.pose;
  const Box3 box = result.solid->box();
  for (int corner = 0; corner < 8; ++corner)
    result.box.extend(shape.pose * box.corner(static_cast<Box3::CornerType>(corner)));
  result.thickness = SimilarityParts(shape.pose).scale * box.sizes().minCoeff();
  return result;
}

}  // namespace plimsoll
