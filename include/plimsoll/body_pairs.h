// Which of many bodies touch, and in which triangles.
//
//   BodyPairSearch bodies;
//   const BodyId cup = *bodies.add(teacup, world_from_cup);
//   const BodyId table = *bodies.add(board);
//   if (!bodies.move(cup, lower)) return;
//   for (const TouchingBodies& touching : bodies.pairs())
//     use(touching.a, touching.b, touching.pairs);
//
// pairs.h says when triangles touch.
#pragma once

#include <plimsoll/body_id.h>
#include <plimsoll/pairs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

/// Two bodies, a < b.
struct BodyPair {
  BodyId a, b;
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Two bodies that touch, and all pairs of a triangle of `a` and one of `b` that do, ascending.
struct TouchingBodies {
  BodyId a, b;
  std::span<const TrianglePair> pairs;
};

/// Bodies that come, go, move and deform. Answers are of all bodies as they are now; only pairs of
/// which a body was changed since the last answer are looked at again, so what lies still costs
/// little. All pairs of bodies are looked at but those that are left out, one by one or by group,
/// as neighbors in an arm are: these cost what bodies do whose boxes meet. One thread at a time;
/// with many bodies it takes more itself.
///
/// Bodies are named by ids. To change a body that was removed, or never was, is an error.
class BodyPairSearch {
 public:
  BodyPairSearch();
  BodyPairSearch(BodyPairSearch&&) noexcept;
  BodyPairSearch& operator=(BodyPairSearch&&) noexcept;
  ~BodyPairSearch();

  /// Shares the tree. Errors: `InvalidArgument` for poses, as PairSearch::pairs.
  [[nodiscard]] Result<BodyId> add(const MeshTree& tree,
                                   const Similarity& world_from_body = Similarity::Identity());
  /// Errors: `InvalidArgument` for poses, as add, and for ids of no body.
  [[nodiscard]] Result<void> move(BodyId id, const Similarity& world_from_body);
  /// Another shape in the same place: a tree that was refit or made anew. Errors: as move.
  [[nodiscard]] Result<void> reshape(BodyId id, const MeshTree& tree);
  /// Errors: `InvalidArgument` for ids of no body. What was said of the body is forgotten.
  [[nodiscard]] Result<void> remove(BodyId id);

  /// Leaves this pair out, or looks at it again. Errors: `InvalidArgument` for ids of no body, and
  /// for one body twice. O(pairs that either body is left out of).
  [[nodiscard]] Result<void> ignore(BodyId a, BodyId b, bool is_ignored = true);
  /// Leaves out all pairs of two bodies of one group. A new body is in none, which is group 0.
  /// Errors: `InvalidArgument` for ids of no body.
  [[nodiscard]] Result<void> set_group(BodyId id, std::uint32_t group);

  [[nodiscard]] std::size_t body_count() const;

  /// The pairs of bodies that touch, ascending. Faster than pairs(), as it stops at the first
  /// pair of triangles of each two bodies. The span is good until the next call of a function that
  /// is not const. Without a limit: of bodies that may be soups, or thousands in one place, ask
  /// with one.
  [[nodiscard]] std::span<const BodyPair> touching();
  /// The same with all pairs of triangles. The spans in it are good as long.
  [[nodiscard]] std::span<const TouchingBodies> pairs();
  /// The same, with a limit to what the pairs of triangles take (PairSearch::kMaxWork), together,
  /// and to what it takes before to find which bodies are near each other. Errors:
  /// `InvalidArgument` for a limit that is no number, or below 0; `ResourceLimit` where it takes
  /// more, and for more than 2^25 pairs of bodies that are near. What was found of triangles by
  /// then is remembered: to ask again goes on.
  [[nodiscard]] Result<std::span<const BodyPair>> touching(double max_work);
  [[nodiscard]] Result<std::span<const TouchingBodies>> pairs(double max_work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
