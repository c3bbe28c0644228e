#include <plimsoll/mesh_tree.h>

#include <utility>

#include "core/sole_owner.h"
#include "mesh/trusted_mesh.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

MeshTree::MeshTree(const CheckedMesh& mesh, TreeQuality quality)
    : tree_(std::make_shared<TriangleTree>(make_triangle_tree(mesh.view(), quality))) {}

Result<void> MeshTree::refit(const CheckedMesh& mesh) {
  return plimsoll::refit(tree_, mesh.view());
}

Box3 MeshTree::box() const { return tree_->box; }
std::size_t MeshTree::triangle_count() const { return tree_->triangles; }
std::size_t MeshTree::memory() const { return memory_of(*tree_); }

MeshTreeBuilder::MeshTreeBuilder() : builder_(std::make_unique<TreeBuilder>()) {}
MeshTreeBuilder::MeshTreeBuilder(MeshTreeBuilder&&) noexcept = default;
MeshTreeBuilder& MeshTreeBuilder::operator=(MeshTreeBuilder&&) noexcept = default;
MeshTreeBuilder::~MeshTreeBuilder() = default;

MeshTree MeshTreeBuilder::build(const CheckedMesh& mesh, TreeQuality quality) {
  MeshTree tree;
  rebuild(mesh, tree, quality);
  return tree;
}

void MeshTreeBuilder::rebuild(const CheckedMesh& mesh, MeshTree& tree, TreeQuality quality) {
  auto other = std::make_shared<TriangleTree>();
  if (tree.tree_ == nullptr || !is_sole_owner(tree.tree_)) {
    builder_->build(mesh.view(), quality, *other);
    tree.tree_ = std::move(other);
    return;
  }
  // Until it is whole, the tree is one without triangles.
  std::swap(tree.tree_, other);
  builder_->build(mesh.view(), quality, *other);
  std::swap(tree.tree_, other);
}

const TriangleTree& triangles_of(const MeshTree& mesh) { return *mesh.tree_; }

}  // namespace plimsoll
