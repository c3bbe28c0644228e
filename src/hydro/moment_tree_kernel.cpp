// What a plane leaves wet of a moment tree, compiled once per instruction set. Leaves at the
// waterline are gathered and clipped two by two: the first of a pair in virtual lanes 0 to 3, the
// second in 4 to 7, so that the sums do not depend on the width of the vectors.
#include "hydro/moment_tree.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hydro/moment_tree_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hydro/moment_tree_walk.h"
#include "hydro/wide_clip.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

/// Leaves at the waterline, and the sums over those that have been clipped.
template <bool kArea, bool kSection>
class WaterlineLeaves {
 public:
  WaterlineLeaves(const TriangleTree& tree, const ClipPlane& plane)
      : tree_(tree), heights_(plane), plane_(widened(plane, heights_)) {}

  Waiting<kBatch + kTogether * TriangleTree::kChildren> waiting;

  /// Clips all whole pairs that wait.
  HWY_NOINLINE void take_waiting() {
    const std::size_t count = waiting.count / 2 * 2;
    if (is_large(tree_)) fetch_leaves(tree_, waiting.number, count);
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
      Plain sums[kWetSums];
      for (Plain& sum : sums) sum = everywhere(0);
      for (std::size_t pair = 0; pair < count; pair += 2) {
        Triangles triangles;
        load_leaves(tree_, waiting.number + pair, lane, triangles);
        add_wet_parts<Among::kCut, kArea, kSection>(triangles, plane_, sums);
      }
      add_to(lanes_, lane, sums);
    }
    clipped_ += count;
    waiting.number[0] = waiting.number[count];
    waiting.count -= count;
    ++batches_;
  }
  void finish(TreeTotals& totals) {
    if (waiting.count % 2 == 1)
      waiting.number[waiting.count++] = static_cast<std::uint32_t>(tree_.leaves.size() - 1);
    take_waiting();
    add_lanes(lanes_, totals.clipped);
    totals.additions += kBatch + batches_ + kLanes;
    totals.leaves += clipped_;
  }

 private:
  const TriangleTree& tree_;
  ExactHeights heights_;
  WidePlane plane_;
  WetLanes lanes_;
  std::size_t batches_ = 0, clipped_ = 0;
};

template <bool kArea, bool kSection>
void sum_with(const MomentTree& tree, const ClipPlane& plane, TreeTotals& totals) {
  const TriangleTree& triangles = *tree.triangles;
  WetSubtrees wet(tree);
  WaterlineLeaves<kArea, kSection> waterline(triangles, plane);
  walk(triangles, NodeTest(plane, triangles.frame.reach), wet, waterline);
  wet.finish(totals);
  waterline.finish(totals);
}

void sum_tree(const MomentTree& tree, const ClipPlane& plane, bool area, bool section,
              TreeTotals& totals) {
  if (area && section) return sum_with<true, true>(tree, plane, totals);
  if (area) return sum_with<true, false>(tree, plane, totals);
  if (section) return sum_with<false, true>(tree, plane, totals);
  sum_with<false, false>(tree, plane, totals);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(sum_tree);
}  // namespace

void sum_wet_parts(const MomentTree& tree, const ClipPlane& plane, bool area, bool section,
                   TreeTotals& totals) {
  HWY_DYNAMIC_DISPATCH(sum_tree)(tree, plane, area, section, totals);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
