#include "picture/crossings.h"

#include <utility>

namespace plimsoll::picture {

const SolidTree& Crossings::tree_of(const std::shared_ptr<const TriangleMesh>& mesh) {
  const auto known = made_.find(mesh.get());
  if (known != made_.end()) return known->second.tree;
  Made made{mesh, SolidTree(CheckedMesh::borrow(*mesh).value())};
  return made_.emplace(mesh.get(), std::move(made)).first->second.tree;
}

Result<std::vector<std::array<Vec3, 2>>> Crossings::of(const PlacedMesh& a, const PlacedMesh& b) {
  constexpr double kWork = 20'000;
  Result<Overlap> shared =
      search_.overlap(tree_of(a.mesh), a.world_from_mesh, tree_of(b.mesh), b.world_from_mesh,
                      {.volume = false, .curve = true}, kWork);
  if (!shared) return shared.error();
  return std::move(shared->curve);
}

}  // namespace plimsoll::picture
