// The tree over the triangles of a mesh: eight children to a node, four triangles to a leaf.
//
// It is one for all questions: what a plane leaves wet, which triangles of two bodies meet, how far
// they are apart. Boxes are floats, rounded outward; leaves keep their triangles' numbers and
// corners. What only some questions need stands beside it, in arrays of the same numbers.
#pragma once

#include <plimsoll/mesh_tree.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/lazy.h"
#include "core/no_index.h"
#include "tree/body_frame.h"
#include "tree/float_boxes.h"
#include "tree/open_edges.h"
#include "tree/triangle_order.h"

namespace plimsoll {

/// The boxes of a node's children, relative to the center of the frame, rounded outward.
using ChildBoxes = FloatBoxes<8>;

struct TriangleTree {
  static constexpr std::size_t kChildren = 8;
  static constexpr std::size_t kLeafTriangles = 4;

  using Vertex = VertexRow;
  struct Leaf {
    std::uint32_t corner[3][kLeafTriangles];
  };

  BodyFrame frame;
  Box3 box;
  std::size_t triangles = 0;
  std::size_t vertex_count = 0;    ///< What a mesh must have that the tree is fitted to.
  std::vector<std::size_t> first;  ///< Of each level, the root's first: its number of node 0.
  std::vector<ChildBoxes> boxes;   ///< Of each node, level after level.
  /// Child k of node i of the last level is leaf 8 (i - first.back()) + k. Those without triangles,
  /// and one more behind them, have equal corners.
  std::vector<Leaf> leaves;
  std::vector<std::uint32_t> numbers;  ///< Of triangle t of leaf i at 4 i + t; else kNoIndex.
  std::vector<Vertex> vertices;        ///< In units of the frame, relative to its center.
  /// Which vertex of the mesh each was; empty if they are those of the mesh, in its order.
  std::vector<std::uint32_t> sources;
  /// Found when it is asked first whether the surface is closed.
  std::shared_ptr<Lazy<std::vector<OpenEdge>>> found_open_edges =
      std::make_shared<Lazy<std::vector<OpenEdge>>>();

  [[nodiscard]] const std::vector<OpenEdge>& open_edges() const {
    return found_open_edges->value([this] { return find_open_edges(*this); });
  }

  [[nodiscard]] std::size_t levels() const { return first.size(); }
  [[nodiscard]] std::size_t leaf_count() const { return leaves.empty() ? 0 : leaves.size() - 1; }
  /// How many nodes a level has; below the last, leaves.
  [[nodiscard]] std::size_t width(std::size_t level) const {
    if (level == levels()) return leaf_count();
    return (level + 1 < levels() ? first[level + 1] : boxes.size()) - first[level];
  }
  /// How many triangles a leaf has.
  [[nodiscard]] std::size_t size_of(std::size_t leaf) const {
    return std::min(kLeafTriangles, triangles - kLeafTriangles * leaf);
  }

  /// The corners of triangle t of a leaf, as the mesh has them, to the last bit (unless the frame
  /// has an exponent and a coordinate is below 2^-1022 of its unit).
  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t leaf, std::size_t t) const {
    std::array<Vec3, 3> corner = unit_corners(leaves[leaf], t);
    for (Vec3& x : corner) x = frame.to_meters(x);
    return corner;
  }
  /// The same in units of the frame, relative to its center.
  [[nodiscard]] std::array<Vec3, 3> unit_corners(const Leaf& leaf, std::size_t t) const {
    const auto corner = [&](std::size_t k) {
      return Eigen::Map<const Vec3>(vertices[leaf.corner[k][t]].x);
    };
    return {corner(0), corner(1), corner(2)};
  }
};

/// What a MeshTree shares.
[[nodiscard]] const TriangleTree& triangles_of(const MeshTree& mesh);

/// Builds trees, one after the other, in the memory of those before.
class TreeBuilder {
 public:
  /// Of all triangles of the mesh. Precondition: check_mesh.
  void build(const MeshView& mesh, TreeQuality quality, TriangleTree& tree);
  /// Of some of them, by their numbers.
  void build(const MeshView& mesh, std::span<const std::uint32_t> chosen, TreeQuality quality,
             TriangleTree& tree);

 private:
  void build(const MeshView& mesh, const ChosenTriangles& chosen, TreeQuality quality,
             TriangleTree& tree);
  void build_fast(const Box3& bounds, const MeshView& mesh, const ChosenTriangles& chosen,
                  TriangleTree& tree);

  TriangleOrder order_;
  std::vector<std::uint32_t> place_;
  std::vector<FloatRow> rounded_;
};

[[nodiscard]] TriangleTree make_triangle_tree(const MeshView& mesh,
                                              TreeQuality quality = TreeQuality::kFast);

/// Fills everything that depends on where the vertices are. `mesh` has the triangles that the tree
/// was made of. O(n), in parallel.
void fit(TriangleTree& tree, const MeshView& mesh);

/// The same for a tree that others may hold too, who keep it as it is. Errors: `InvalidArgument`
/// for another number of triangles than it was made of, or fewer vertices than they need.
[[nodiscard]] Result<void> refit(std::shared_ptr<TriangleTree>& tree, const MeshView& mesh);

/// The boxes of a leaf's triangles.
using TriangleBoxes = FloatBoxes<TriangleTree::kLeafTriangles>;
/// Of each leaf. O(n), in parallel.
[[nodiscard]] std::vector<TriangleBoxes> triangle_boxes(const TriangleTree& tree);

/// What it takes [bytes].
[[nodiscard]] std::size_t memory_of(const TriangleTree& tree);

}  // namespace plimsoll
