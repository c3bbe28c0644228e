// The triangles of two posed trees, or of one, that touch.
#pragma once

#include <plimsoll/pairs.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// What a search had to do.
struct PairCounts {
  std::size_t opened = 0;      ///< Pairs of parts whose children were compared.
  std::size_t hulls = 0;       ///< Pairs of parts that hulls were asked of.
  std::size_t leaf_pairs = 0;  ///< Looked at.
  std::size_t box_pairs = 0;   ///< Triangles of them whose boxes meet.
  std::size_t decisions = 0;   ///< Pairs of triangles that were decided by their corners.

  PairCounts& operator+=(const PairCounts& other);

  /// What that took, in microseconds of a core of 3 GHz.
  [[nodiscard]] double work() const {
    return 0.1 * static_cast<double>(opened) + 0.3 * static_cast<double>(hulls) +
           0.06 * static_cast<double>(leaf_pairs) + 0.1 * static_cast<double>(decisions);
  }
};

/// What is said of a search that ended early.
[[nodiscard]] Error too_much_pair_work(double max_work);

/// Errors: `InvalidArgument` unless it is a number not below 0.
[[nodiscard]] Result<void> check_max_work(double max_work);

/// Keeps its memory from question to question.
class PairFinder {
 public:
  /// Appends the pairs of triangles of `a` and `b` that touch, in no order; only the first if
  /// `stops_at_first`. A long search for all is shared by up to `threads`. One that looks at many
  /// pairs and finds few goes on with hulls (part_hulls.h): O(n log n) and the pairs, where these
  /// tell nodes apart. Returns whether it came to an end: not where it takes more than `max_work`
  /// [us], and a microsecond for each pair. Precondition: check_posed of both.
  [[nodiscard]] bool find(const PosedTree& a, const PosedTree& b, bool stops_at_first,
                          std::size_t threads, double max_work, std::vector<TrianglePair>& found);

  /// Appends the pairs of one body, a < b, that name no vertex in common, in no order. As find.
  [[nodiscard]] bool find_within(const PosedTree& body, std::size_t threads, double max_work,
                                 std::vector<TrianglePair>& found);

  /// Of the last question.
  [[nodiscard]] const PairCounts& counts() const { return counts_; }

 private:
  static bool touch(const PosedLeafPair& leaves, const ClosePair& pair);

  void start(const PosedTree& a, const PosedTree& b, bool is_within);
  [[nodiscard]] bool find_all(bool stops_at_first, std::size_t threads,
                              std::vector<TrianglePair>& found);
  bool find_some(std::size_t enough, bool stops_at_first, std::vector<TrianglePair>& found);
  [[nodiscard]] bool find_together(std::size_t threads, std::vector<TrianglePair>& found);
  [[nodiscard]] bool is_exhausted(std::size_t found) const;
  [[nodiscard]] bool is_weary(std::size_t found, std::size_t sharers) const;
  void look_closer();
  bool collect_rest();

  /// What tells more than boxes.
  struct Closer;

  PosedTree a_, b_;
  Vec3 origin_;  // of rounded boxes and hulls: near the smaller body, by which they touch
  bool is_within_ = false;  // a_ and b_ are one, whose leaves are a_leaves_
  PairWalk walk_;
  PosedLeaves a_leaves_, b_leaves_;
  std::vector<std::uint32_t> of_a_, of_b_;
  std::vector<PosedLeafPair> leaves_;
  std::vector<ClosePair> close_;
  PairCounts counts_;
  double max_work_ = 0;                   // [us]
  std::shared_ptr<const Closer> closer_;  // where it was worth its while
  std::vector<PairFinder> helpers_;
  std::vector<TrianglePair> found_;  // as a helper
};

}  // namespace plimsoll
