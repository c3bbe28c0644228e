// Hulls of posed bodies and of the nodes of the tree over them: where bodies are long and slanted,
// nearly all of their boxes meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tree/box_tree.h"
#include "tree/corner_hull.h"
#include "tree/frame_map.h"

namespace plimsoll {

/// Bodies have numbers, as have the nodes of their tree. About a kilobyte per body.
class BodyHulls {
 public:
  /// Whether no tree was taken since the last clear().
  [[nodiscard]] bool empty() const { return of_node_.empty(); }
  void clear() { of_node_.clear(); }
  /// The body has another shape.
  void forget(std::uint32_t body);

  /// The body is there now. The first time, O(triangles).
  void pose(std::uint32_t body, const PosedTree& posed);
  /// Makes hulls of the nodes: those of items are `bodies`, which were posed. O(n).
  void take(const BoxTree& tree, std::span<const std::uint32_t> bodies);

  /// True only if no triangle of one body has a point in common with one of the other.
  [[nodiscard]] bool are_apart(std::uint32_t a, std::uint32_t b) {
    return separation_.are_apart(of_body_[a].posed, of_body_[b].posed);
  }
  /// The same of all bodies below two nodes.
  [[nodiscard]] bool are_nodes_apart(std::size_t a, std::size_t b) {
    return a != b && separation_.are_apart(of_node_[a], of_node_[b]);
  }

 private:
  struct OfBody {
    std::optional<CornerHull> own;  ///< In the frame of its mesh.
    CornerHull posed;
  };

  std::vector<OfBody> of_body_;
  std::vector<CornerHull> of_node_;
  HullSeparation separation_;
};

}  // namespace plimsoll
