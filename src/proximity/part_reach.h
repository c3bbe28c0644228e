// How far the corners of parts of a posed tree reach, where many triangles share a corner.
//
// All slivers of a fan or a cone have the tip, and boxes around any of them reach as far: to find
// the corner that is farthest along a direction, all would be looked at. Here two corners of each
// part, those of the most triangles, its hubs, stand beside the box of all others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simd/triple.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// A corner of a triangle: its vertex and where it is.
struct PosedCorner {
  std::uint32_t vertex;
  Triple<double> at;
};

class PartReach {
 public:
  /// Whether start() was called since the last clear().
  [[nodiscard]] bool is_ready() const { return !parts_.empty(); }
  void clear() { parts_.clear(); }
  /// corners(leaf, all) appends the corners of a leaf. O(n); about 32 bytes per triangle.
  template <class Corners>
  void start(const TriangleTree& tree, const Corners& corners) {
    prepare(tree);
    std::vector<PosedCorner> all;
    for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      all.clear();
      corners(leaf, all);
      set_leaf(leaf, all);
    }
    join_nodes(tree);
  }

  /// False only if no corner x of part i of a level has n . (x - origin) above `along`, as dot()
  /// and differences round it. Levels are those of the tree, the root's left out; the last has
  /// leaves.
  [[nodiscard]] bool goes_beyond(std::size_t level, std::size_t i, const Triple<double>& n,
                                 const Triple<double>& origin, double along) const;

 private:
  struct Part {
    Triple<double> low, high;        ///< Of all corners but the hubs.
    std::array<PosedCorner, 2> hub;  ///< The busiest first; kNoIndex where there are fewer.

    void add(const Triple<double>& at);
  };

  /// Counts the triangles of each vertex, and makes empty parts.
  void prepare(const TriangleTree& tree);
  void set_leaf(std::uint32_t leaf, std::span<const PosedCorner> corners);
  void join_nodes(const TriangleTree& tree);
  void take_hub(Part& part, const PosedCorner& corner) const;

  std::vector<std::uint32_t> valence_;  // of each vertex
  std::vector<std::size_t> first_;      // of each level from 1 on
  std::vector<Part> parts_;
};

}  // namespace plimsoll
