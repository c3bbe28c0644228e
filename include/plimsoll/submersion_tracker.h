// Submersion of one body whose water plane moves little from question to question: afloat in
// steps of time, or on the last steps of a search.
#pragma once

#include <plimsoll/solid_tree.h>

#include <memory>

namespace [[gnu::visibility("default")]] plimsoll {

/// Answers as its tree does, up to rounding, and remembers what is wholly wet, and the triangles
/// near the waterline, for as long as the water has moved over no point of the body's box by more
/// than a margin that it chooses. Then it clips those triangles alone. Where the water moves by
/// more than a few triangles' sizes from question to question it asks the tree. The last bits of an
/// answer depend on the questions before. One thread at a time; about 120 bytes per triangle near
/// the waterline.
class SubmersionTracker {
 public:
  explicit SubmersionTracker(SolidTree tree);
  /// A copy remembers the same, and answers with the same bits from there.
  SubmersionTracker(const SubmersionTracker& other);
  SubmersionTracker& operator=(const SubmersionTracker& other);
  SubmersionTracker(SubmersionTracker&& other) noexcept;
  SubmersionTracker& operator=(SubmersionTracker&& other) noexcept;
  ~SubmersionTracker();

  /// As SolidTree::submersion.
  [[nodiscard]] Submersion submersion(const WaterPlane& water, const SubmersionParts& parts = {});

  [[nodiscard]] const SolidTree& tree() const { return tree_; }

 private:
  struct State;

  SolidTree tree_;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
