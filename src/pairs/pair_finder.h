// The triangles of two posed trees, or of one, that touch.
#pragma once

#include <plimsoll/pairs.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/posed_leaves.h"
#include "pairs/tree_pairs.h"

namespace plimsoll {

/// check_pose, the error's `where` being `name`.
[[nodiscard]] Result<void> check_pose_at(const Similarity& pose, const char* name);

/// Whether a search may pose the tree so. Errors: `InvalidArgument`, `where` being `name`.
[[nodiscard]] Result<void> check_posed(const PosedTree& posed, const char* name);

/// Ascending. `other` is memory that it may use.
void sort_pairs(std::span<TrianglePair> pairs, std::vector<TrianglePair>& other);

/// Keeps its memory from question to question.
class PairFinder {
 public:
  /// Appends the pairs of triangles of `a` and `b` that touch, in no order; only the first if
  /// `stops_at_first`. A long search for all is shared by up to `threads`. Precondition:
  /// check_posed of both.
  void find(const PosedTree& a, const PosedTree& b, bool stops_at_first, std::size_t threads,
            std::vector<TrianglePair>& found);

  /// Appends the pairs of one body, a < b, that name no vertex in common, in no order. As find.
  void find_within(const PosedTree& body, std::size_t threads, std::vector<TrianglePair>& found);

 private:
  static bool touch(const PosedLeafPair& leaves, const ClosePair& pair);

  void start(const PosedTree& a, const PosedTree& b, bool is_within);
  void find_all(bool stops_at_first, std::size_t threads, std::vector<TrianglePair>& found);
  bool find_some(std::size_t enough, bool stops_at_first, std::vector<TrianglePair>& found);
  void find_together(std::size_t threads, std::vector<TrianglePair>& found);

  PosedTree a_, b_;
  bool is_within_ = false;  // a_ and b_ are one, whose leaves are a_leaves_
  PairWalk walk_;
  PosedLeaves a_leaves_, b_leaves_;
  std::vector<std::uint32_t> of_a_, of_b_;
  std::vector<PosedLeafPair> leaves_;
  std::vector<ClosePair> close_;
  std::vector<PairFinder> helpers_;
  std::vector<TrianglePair> found_;  // as a helper
};

}  // namespace plimsoll
