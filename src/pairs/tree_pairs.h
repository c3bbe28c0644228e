// Two posed trees walked together: the pairs of leaves that may meet.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "pairs/part_hulls.h"
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
  /// What a mapped box is to be grown by along each axis, beside what is relative to the box. So
  /// large that every box meets every other where floats do not hold L.
  float margin[3] = {};

  BoxMap() = default;
  explicit BoxMap(const FrameMap& map);
  /// The map of a tree to itself.
  [[nodiscard]] static BoxMap identity();
};

/// Share of a box's size, of its distance from the center of its frame and of a map's offset by
/// which the mapped box is grown. tree_pairs.cpp has the reasons.
inline constexpr float kBoxRounding = 0x1p-20F;

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
  /// Of one origin and exponent. Where they are given, parts that they tell apart are left out.
  const PartHulls *a_hulls = nullptr, *b_hulls = nullptr;
  HullSeparation separation;
  std::size_t opened = 0;            ///< Pairs of parts whose children were compared.
  std::size_t asked = 0, apart = 0;  ///< Pairs of parts that hulls were asked of, and told apart.
  std::vector<Parts> waiting;        // those compared last come first
  std::vector<LeafPair> found;
};

/// Whether hulls are worth asking: a soup's are not.
[[nodiscard]] inline bool are_hulls_worthwhile(const PairWalkState& walk) {
  constexpr std::size_t kTrial = 4096, kOften = 8;
  return walk.a_hulls != nullptr && (walk.asked < kTrial || kOften * walk.apart > walk.asked);
}

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
  /// Goes on with the hulls of both trees, whose planes tell more than boxes, for pairs that were
  /// not given yet. With groups as in PairWalkState, or none. Keeps references.
  void look_closer(const PartHulls& a, const PartHulls& b, std::span<const std::uint32_t> groups);
  /// Whether there may be pairs that were not given yet.
  [[nodiscard]] bool goes_on() const { return !state_.waiting.empty() || !kept_.empty(); }
  /// Some of the pairs that were not given yet, about `enough`, or none where there are no more;
  /// fewer, or none, where more than `most` parts would be opened. The span is good until the next
  /// call.
  [[nodiscard]] std::span<const LeafPair> next(
      std::size_t enough, std::size_t most = std::numeric_limits<std::size_t>::max());
  /// How many pairs of parts were opened, and of how many hulls were asked.
  struct Work {
    std::size_t opened = 0, asked = 0;
  };
  /// What was done since the start, the last call, or since another walk gave a share.
  [[nodiscard]] Work take_work();

  /// All of them at once.
  [[nodiscard]] std::span<const LeafPair> leaf_pairs(const PosedTree& a, const PosedTree& b);

  /// Gives the others, whatever they did before, a share each of what is left, and keeps one: the
  /// pairs that were not given yet are those that all of them will give, each once.
  void share_with(std::span<PairWalk* const> others);
  /// Takes over what another walk of the same question has not given yet.
  void take_rest(PairWalk& other);

 private:
  PairWalkState state_;
  std::vector<LeafPair> kept_;  // found while parts were shared, not given yet
  Work taken_;                  // of what is counted in the state
};

}  // namespace plimsoll
