#include "dynamics/contact_solids.h"

#include <plimsoll/elementary.h>
#include <plimsoll/sphere_packing.h>

#include <optional>
#include <utility>
#include <variant>

#include "mesh/trusted_mesh.h"
#include "shape/primitive_moments.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kPatchFlatness = 1e-4, kPrimitiveFlatness = 1e-3;

template <class T>
using Made = Result<std::shared_ptr<const T>>;

Made<TriangleMesh> faceted(const Shape& home, double flatness) {
  Result<std::optional<ShapeMesh>> made = to_triangles(home, flatness);
  if (!made) return made.error();
  if (!*made)
    return Error{ErrorCode::kUnavailable,
                 "found a formula or a Boolean, which have no triangles: contact is found between "
                 "meshes, patches and primitives",
                 "shape"};
  return std::make_shared<const TriangleMesh>(std::move((*made)->mesh));
}

Made<SphereTree> packed(const TriangleMesh& mesh, std::size_t count) {
  const Result<ClosedMesh> solid = ClosedMesh::borrow(mesh);
  if (!solid) return solid.error();
  const Result<SpherePacking> packing = pack_spheres(*solid, {.max_count = count});
  if (!packing) return packing.error();
  Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres);
  if (!tree) return tree.error();
  return std::make_shared<const SphereTree>(*std::move(tree));
}

}  // namespace

Made<TriangleMesh> ContactSolids::mesh_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshSolid>(&shape.solid)) return mesh->mesh;
  Shape home = shape;
  home.pose.setIdentity();
  if (const auto* patches = std::get_if<PatchSolid>(&shape.solid))
    return patches_.of(patches->surface, [&](const auto&) {
      return faceted(home, kPatchFlatness * bounding_box(home).diagonal().norm());
    });
  return primitives_.of(home, [&] {
    const std::optional<VolumeMoments> whole = exact_moments(home);
    return faceted(home, whole ? kPrimitiveFlatness * elementary::cbrt(whole->volume) : 1);
  });
}

void ContactSolids::drop_unused() {
  patches_.drop_unused();
  primitives_.drop_unused();
  trees_.drop_unused();
  spheres_.drop_unused();
}

Result<ContactSolid> ContactSolids::of(const Shape& shape, bool is_kinematic,
                                       const ContactLaw& law) {
  ContactSolid result;
  Made<TriangleMesh> mesh = mesh_of(shape);
  if (!mesh) return mesh.error();
  result.mesh = *std::move(mesh);
  const Made<SolidTree> tree = trees_.of(result.mesh, [](const auto& of) -> Made<SolidTree> {
    return std::make_shared<const SolidTree>(trusted(*of));
  });
  if (!tree) return tree.error();
  result.solid = *tree;
  const bool has_surface = is_kinematic && law.exact_fixed;
  if (law.method == ContactMethod::kSpheres && has_surface) {
    const Result<ClosedMesh> closed = ClosedMesh::borrow(*result.mesh);
    if (!closed) return closed.error();
  } else if (law.method == ContactMethod::kSpheres) {
    if (std::exchange(count_, law.spheres) != law.spheres) spheres_ = {};
    const Made<SphereTree> spheres =
        spheres_.of(result.mesh, [&](const auto& of) { return packed(*of, law.spheres); });
    if (!spheres) return spheres.error();
    result.spheres = *spheres;
  }
  result.body_from_solid = shape.pose;
  const Box3 box = result.solid->box();
  for (int corner = 0; corner < 8; ++corner)
    result.box.extend(shape.pose * box.corner(static_cast<Box3::CornerType>(corner)));
  result.thickness = SimilarityParts(shape.pose).scale * box.sizes().minCoeff();
  return result;
}

Result<double> SharedVolumes::shared(const ContactSolid& a, const Similarity& world_from_a,
                                     const ContactSolid& b, const Similarity& world_from_b,
                                     double max_time) {
  const Similarity pose_a = world_from_a * a.body_from_solid;
  const Similarity pose_b = world_from_b * b.body_from_solid;
  if (a.spheres != nullptr && b.spheres != nullptr) {
    const Result<SphereVolume> found =
        spheres_.volume(*a.spheres, pose_a, *b.spheres, pose_b,
                        {.max_time = max_time, .with_bounds = false, .with_forces = false});
    if (!found) return found.error();
    return found->volume;
  }
  if (a.spheres != nullptr)
    return surfaces_.find(*a.spheres, pose_a, *b.solid, pose_b, max_time).volume;
  if (b.spheres != nullptr)
    return surfaces_.find(*b.spheres, pose_b, *a.solid, pose_a, max_time).volume;
  const Result<Overlap> found = exact_.overlap(*a.solid, pose_a, *b.solid, pose_b);
  if (!found) return found.error();
  return found->volume;
}

}  // namespace plimsoll
