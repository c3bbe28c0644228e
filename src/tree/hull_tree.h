// A tree for triangles whose boxes tell little, or nothing that a float can hold.
//
// The boxes of long, slanted or nested triangles overlap by thousands while their corners lie in a
// few places. A node's triangles are within the convex hull of small boxes around their corners, so
// that two nodes are apart if a plane separates those boxes. Likewise triangles around one vertex,
// the hub of a star or a fan, meet in that vertex only if a plane through it has all their other
// corners strictly on different sides, and those around one edge, which has two hubs, in that edge
// only if a plane through the edge has. Boxes are in double: what is smaller than 2^-22 of the
// whole is one place to the floats of the wide tree.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/box_tree.h"

namespace plimsoll {

class HullTree {
 public:
  /// Of the triangles `chosen`, sorted by their centroids: nested ones have boxes of one center.
  /// The view's arrays are referred to. O(n log n).
  HullTree(const MeshView& mesh, std::span<const std::uint32_t> chosen);

  [[nodiscard]] const BoxTree& boxes() const { return boxes_; }
  /// Which triangle an item of the boxes is.
  [[nodiscard]] std::uint32_t triangle(std::uint32_t item) const { return triangles_[item]; }

  /// True only if no triangle below one node has a point in common with one below the other, but
  /// for a vertex or an edge that both name. Some 20 planes are tried; most nodes that are apart
  /// are told.
  [[nodiscard]] bool are_apart(std::size_t a, std::size_t b) const;
  /// True only if no triangle below the node has a point in common with the hull of `boxes`, at
  /// most six.
  [[nodiscard]] bool is_apart_from(std::size_t node, std::span<const Box3> boxes) const;
  /// About the middle of a node's triangles.
  [[nodiscard]] Vec3 middle(std::size_t node) const;

 private:
  static constexpr std::size_t kBoxes = 4;

  struct Hull {
    std::array<Box3, kBoxes> box;  ///< Around all corners but the hubs.
    std::uint32_t count = 0;
    std::array<std::uint32_t, 2> hub;  ///< Vertices of many triangles; UINT32_MAX where fewer are
                                       ///< below the node.

    void add(const Box3& added);
    [[nodiscard]] bool has_hub(std::uint32_t v) const { return v == hub[0] || v == hub[1]; }
  };
  class Separation;

  struct Boxes {
    std::array<Box3, kBoxes + 2> box;
    std::size_t count = 0;
  };
  /// Those of a node, its hubs with them but for those that are `shared`.
  [[nodiscard]] Boxes with_hubs(std::size_t node, std::span<const std::uint32_t> shared = {}) const;
  void add_leaf(std::size_t node, const std::vector<std::uint32_t>& valence);
  void join(std::size_t node, const std::vector<std::uint32_t>& valence);

  MeshView mesh_;
  std::vector<std::uint32_t> triangles_;  // by item of the tree of boxes
  BoxTree boxes_;
  std::vector<Hull> hulls_;  // by node
};

}  // namespace plimsoll
