// The triangles of two posed trees, or of one, that boxes and planes do not tell apart: a few at a
// time, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pairs/posed_leaves.h"
#include "pairs/tree_pairs.h"

namespace plimsoll {

/// What a search had to do.
struct PairCounts {
  std::size_t opened = 0;      ///< Pairs of parts whose children were compared.
  std::size_t hulls = 0;       ///< Pairs of parts that hulls were asked of.
  std::size_t leaf_pairs = 0;  ///< Looked at.
  std::size_t box_pairs = 0;   ///< Triangles of them whose boxes meet.
  std::size_t decisions = 0;   ///< Pairs of triangles that are left to be decided.

  PairCounts& operator+=(const PairCounts& other);

  /// What that took, in microseconds of a core of 3 GHz.
  [[nodiscard]] double work() const {
    return 0.1 * static_cast<double>(opened) + 0.3 * static_cast<double>(hulls) +
           0.06 * static_cast<double>(leaf_pairs) + 0.1 * static_cast<double>(decisions);
  }
};

/// Keeps its memory from question to question. The order of what it finds depends on the trees and
/// poses alone, unless the search is shared.
class ClosePairSearch {
 public:
  /// Begins a search of two bodies. Precondition: check_posed of both.
  void start(const PosedTree& a, const PosedTree& b);
  /// Begins a search of one body with itself, of triangles that name no vertex in common.
  void start_within(const PosedTree& body);

  /// Finds more, of about `enough` pairs of leaves. Returns whether there may be still more; what
  /// is found is in `close` either way, and may be nothing.
  bool find(std::size_t enough);

  /// Where found triangles are: pair i stands in leaf_pairs()[close()[i].leaf_pair], their leaves
  /// posed. Good until the next call of `find`.
  [[nodiscard]] std::span<const ClosePair> close() const { return close_; }
  [[nodiscard]] std::span<const LeafPair> leaf_pairs() const { return some_; }
  [[nodiscard]] std::span<const PosedLeafPair> leaves() const { return leaves_; }

  /// Since the start, or since `take_counts`.
  [[nodiscard]] const PairCounts& counts() const { return counts_; }
  [[nodiscard]] PairCounts take_counts() { return std::exchange(counts_, {}); }
  void add_counts(const PairCounts& counts) { counts_ += counts; }

  /// Whether boxes told so little that hulls (part_hulls.h) are worth the time they take: that of
  /// some pairs for each triangle. Scans have a third of these at most, whatever the tree. `found`
  /// are the pairs that were wanted; the search is one of `sharers`.
  [[nodiscard]] bool is_weary(std::size_t found, std::size_t sharers) const;
  /// Goes on with hulls: O(n log n) and the pairs, where these tell nodes apart.
  void look_closer();

  /// Begins the same question as another search, with nothing to do until that shares.
  void join(const ClosePairSearch& other) { begin(other.a_, other.b_, other.is_within_); }
  /// Gives those that joined a share each of what is left, and keeps one.
  void share_with(std::span<ClosePairSearch* const> others);
  /// Takes over what another search of the same question has not found yet. Returns whether there
  /// is anything left.
  bool take_rest(ClosePairSearch& other);
  /// Forgets the hulls.
  void drop_hulls() { closer_.reset(); }

  [[nodiscard]] const PosedTree& a() const { return a_; }
  [[nodiscard]] const PosedTree& b() const { return b_; }
  [[nodiscard]] bool is_within() const { return is_within_; }

 private:
  void begin(const PosedTree& a, const PosedTree& b, bool is_within);

  /// What tells more than boxes.
  struct Closer;

  PosedTree a_, b_;
  Vec3 origin_;  // of rounded boxes and hulls: near the smaller body, by which they touch
  bool is_within_ = false;  // a_ and b_ are one, whose leaves are a_leaves_
  PairWalk walk_;
  PosedLeaves a_leaves_, b_leaves_;
  std::vector<std::uint32_t> of_a_, of_b_;
  std::span<const LeafPair> some_;
  std::vector<PosedLeafPair> leaves_;
  std::vector<ClosePair> close_;
  PairCounts counts_;
  std::shared_ptr<const Closer> closer_;  // where it was worth its while
};

}  // namespace plimsoll
