// Two posed trees walked together: the pairs of leaves that may meet.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tree/frame_map.h"

namespace plimsoll {

/// A leaf of each tree.
struct LeafPair {
  std::uint32_t a = 0, b = 0;

  friend bool operator==(const LeafPair&, const LeafPair&) = default;
};

/// A FrameMap in floats, for boxes.
struct BoxMap {
  float linear[3][3] = {}, offset[3] = {};
  /// What rounding may hide of the gap between a mapped box and one of the other tree. So large
  /// that every box meets every other where floats do not hold L.
  float room = 0;

  BoxMap() = default;
  explicit BoxMap(const FrameMap& map);
  /// The map of a tree to itself.
  [[nodiscard]] static BoxMap identity(const TriangleTree& tree);
};

/// The group of a part whose triangles are of several.
inline constexpr std::uint32_t kSeveralGroups = std::numeric_limits<std::uint32_t>::max();

/// Where a walk is.
struct PairWalkState {
  /// A part of each tree: a node, or below the last level a leaf.
  struct Parts {
    std::uint32_t a_level, a, b_level, b;
  };

  PosedTree a, b;
  bool is_within = false;  // one tree against itself: of two leaves, the first is no later
  /// The group of child k of node i of the tree at 8 i + k: two parts of one group are left out.
  std::span<const std::uint32_t> groups;
  BoxMap b_from_a, a_from_b;
  std::vector<Parts> waiting;  // those compared last come first
  std::vector<LeafPair> found;
};

/// Goes on until at least `enough` pairs are found, `most` parts were opened, or none waits.
/// tree_pairs_kernel.cpp.
void walk_on(PairWalkState& walk, std::size_t enough,
             std::size_t most = std::numeric_limits<std::size_t>::max());

/// The pairs of leaves whose boxes may meet: of every two triangles that have a point in common,
/// posed as posed() does, rounding included, the leaves are among them. In an order that depends
/// on the trees and poses alone. Keeps its memory from walk to walk.
class PairWalk {
 public:
  /// Precondition: check_pose of both.
  void start(const PosedTree& a, const PosedTree& b);
  /// Of one tree against itself: of every two different triangles that have a point in common, the
  /// leaves a <= b; each two leaves once.
  void start_within(const PosedTree& posed);
  /// A tree as it lies against itself, but for leaves whose triangles are all of one group:
  /// `groups` as in PairWalkState, or empty where there are none. Keeps references.
  void start_within(const TriangleTree& tree, std::span<const std::uint32_t> groups);
  /// Some of the pairs that were not given yet, about `enough`, or none where there are no more.
  /// The span is good until the next call.
  [[nodiscard]] std::span<const LeafPair> next(std::size_t enough);

  /// All of them at once.
  [[nodiscard]] std::span<const LeafPair> leaf_pairs(const PosedTree& a, const PosedTree& b);

  /// Gives the others, whatever they did before, a share each of what is left, and keeps one: the
  /// pairs that were not given yet are those that all of them will give, each once.
  void share_with(std::span<PairWalk* const> others);

 private:
  PairWalkState state_;
  std::vector<LeafPair> kept_;  // found while parts were shared, not given yet
};

}  // namespace plimsoll
