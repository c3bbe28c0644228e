// The triangles of two posed trees, or of one, that touch.
#pragma once

#include <plimsoll/pairs.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/close_pair_search.h"

namespace plimsoll {

/// Whether a search may pose the tree so. Errors: `InvalidArgument`, `where` being `name`.
[[nodiscard]] Result<void> check_posed(const PosedTree& posed, const char* name);

/// Ascending. `other` is memory that it may use.
void sort_pairs(std::span<TrianglePair> pairs, std::vector<TrianglePair>& other);

/// What is said of a search that ended early.
[[nodiscard]] Error too_much_pair_work(double max_work);
/// Of one that would keep more than so many pairs of bodies.
[[nodiscard]] Error too_many_near_bodies(std::size_t most);

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
  [[nodiscard]] const PairCounts& counts() const { return close_.counts(); }

 private:
  static bool touch(const PosedLeafPair& leaves, const ClosePair& pair);

  [[nodiscard]] bool find_all(bool stops_at_first, std::size_t threads,
                              std::vector<TrianglePair>& found);
  bool find_some(std::size_t enough, bool stops_at_first, std::vector<TrianglePair>& found);
  [[nodiscard]] bool find_together(std::size_t threads, std::vector<TrianglePair>& found);
  [[nodiscard]] bool is_exhausted(std::size_t found) const;
  bool collect_rest();

  ClosePairSearch close_;
  double max_work_ = 0;  // [us]
  std::vector<PairFinder> helpers_;
  std::vector<TrianglePair> found_;  // as a helper
};

}  // namespace plimsoll
