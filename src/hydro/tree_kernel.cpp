// The walk through a moment tree, compiled once per instruction set. Leaves at the waterline are
// gathered and clipped two by two: the first of a pair in virtual lanes 0 to 3, the second in 4 to
// 7, so that the sums do not depend on the width of the vectors.
#include "hydro/moment_tree.h"

#include <hwy/cache_control.h>

#include <bit>
#include <cmath>

#ifndef PLIMSOLL_BITS_SET
#define PLIMSOLL_BITS_SET
namespace plimsoll {
/// Which bits of a byte are set, in ascending order.
struct BitsSet {
  std::uint8_t place[256][8] = {};
  constexpr BitsSet() {
    for (int byte = 0; byte < 256; ++byte)
      for (int bit = 0, count = 0; bit < 8; ++bit)
        if ((byte >> bit) % 2 == 1) place[byte][count++] = static_cast<std::uint8_t>(bit);
  }
};
inline constexpr BitsSet kBitsSet;
}  // namespace plimsoll
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hydro/tree_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hydro/wide_clip.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTogether = 16;    // nodes tested one after the other
constexpr std::size_t kBatch = 64;       // leaves or subtrees that are worth adding up
constexpr std::size_t kMostLevels = 12;  // 8^11 leaves are more than there can be

/// Whether most of a tree is in memory beyond the caches of a core, so that asking for what will be
/// needed pays: measured, it makes trees of 70,000 triangles a tenth slower and halves the time of
/// a million.
HWY_INLINE bool is_large(const MomentTree& tree) { return tree.triangles > 150'000; }

/// Numbers of nodes or leaves that wait; room for all children of one more node.
template <std::size_t kCapacity>
struct Waiting {
  std::uint32_t number[kCapacity + MomentTree::kChildren];
  std::size_t count = 0;
};

/// Boxes against the plane in float. With n of unit length, |n|_1 < 1.8, a center within the reach
/// r of the frame's and |level| <= 2 r, rounding to float and the sums cost less than 40 x 2^-24 r.
class NodeTest {
 public:
  NodeTest(const ClipPlane& plane, double reach)
      : margin_(hn::Set(Floats(), static_cast<float>(0x1p-18 * reach))),
        level_(hn::Set(Floats(), static_cast<float>(plane.level))) {
    for (int i = 0; i < 3; ++i) {
      normal_[i] = hn::Set(Floats(), static_cast<float>(plane.unit[i]));
      size_[i] = hn::Abs(normal_[i]);
    }
  }

  /// Appends those children that are wholly wet and those that the plane may cut, numbered on from
  /// `first_wet` and `first_cut`. Without branches, which nothing could predict.
  template <class Wet, class Cut>
  HWY_INLINE void operator()(const ChildBoxes& boxes, std::size_t first_wet, Wet& wet,
                             std::size_t first_cut, Cut& cut) const {
    for (std::size_t k = 0; k < MomentTree::kChildren; k += hn::Lanes(Floats())) {
      const auto of = [&](const float(&values)[3][8], const FloatVector(&by)[3]) {
        return hn::Add(hn::Add(hn::Mul(hn::Load(Floats(), values[0] + k), by[0]),
                               hn::Mul(hn::Load(Floats(), values[1] + k), by[1])),
                       hn::Mul(hn::Load(Floats(), values[2] + k), by[2]));
      };
      const FloatVector height = hn::Sub(of(boxes.center, normal_), level_);
      const FloatVector radius = hn::Add(of(boxes.half, size_), margin_);
      const auto dry = hn::Gt(height, radius);
      const auto is_wet = hn::AndNot(dry, hn::Lt(height, hn::Neg(radius)));
      append(is_wet, first_wet + k, wet);
      append(hn::Not(hn::Or(dry, is_wet)), first_cut + k, cut);
    }
  }

 private:
  using Floats = hn::CappedTag<float, 8>;
  using FloatVector = hn::Vec<Floats>;
  using Numbers = hn::Rebind<std::uint32_t, Floats>;

  template <class List>
  static HWY_INLINE void append(hn::Mask<Floats> mask, std::size_t first, List& list) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(Floats(), mask, bits);
    const hn::Rebind<std::uint8_t, Floats> bytes;
    const auto set = hn::PromoteTo(Numbers(), hn::LoadU(bytes, kBitsSet.place[bits[0]]));
    const auto numbers = hn::Add(set, hn::Set(Numbers(), static_cast<std::uint32_t>(first)));
    hn::StoreU(numbers, Numbers(), list.number + list.count);
    list.count += static_cast<std::size_t>(std::popcount(bits[0]));
  }

  FloatVector normal_[3], size_[3], margin_, level_;
};

/// Sums over wholly wet subtrees.
class WetSubtrees {
 public:
  explicit WetSubtrees(const MomentTree& tree) : tree_(tree) {
    for (WideVector& v : sums_) v = hn::Zero(Wide());
  }

  Waiting<kBatch + kTogether * MomentTree::kChildren> waiting;

  HWY_INLINE void add_waiting() {
    if (is_large(tree_))
      for (std::size_t i = 0; i < waiting.count; ++i)
        for (std::size_t line = 0; line < kPatchSums; line += 8)
          hwy::Prefetch(tree_.moments[waiting.number[i]].sum + line);
    for (std::size_t i = 0; i < waiting.count; ++i) {
      const double* sum = tree_.moments[waiting.number[i]].sum;
      for (std::size_t v = 0; v < kVectors; ++v)
        sums_[v] = hn::Add(sums_[v], hn::Load(Wide(), sum + v * hn::MaxLanes(Wide())));
    }
    additions_ += waiting.count;
    waiting.count = 0;
  }
  void finish(TreeTotals& totals) {
    add_waiting();
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::Store(sums_[v], Wide(), totals.wet.sum + v * hn::MaxLanes(Wide()));
    totals.additions += additions_;
  }

 private:
  static constexpr std::size_t kVectors = kPatchSums / hn::MaxLanes(Wide());
  const MomentTree& tree_;
  WideVector sums_[kVectors];
  std::size_t additions_ = 0;
};

/// Leaves at the waterline, and the sums over those that have been clipped.
template <bool kArea, bool kSection>
class WaterlineLeaves {
 public:
  WaterlineLeaves(const MomentTree& tree, const ClipPlane& plane)
      : tree_(tree), plane_(widened(plane)) {}

  Waiting<kBatch + kTogether * MomentTree::kChildren> waiting;

  /// Clips all whole pairs that wait.
  HWY_NOINLINE void clip_waiting() {
    const std::size_t count = waiting.count / 2 * 2;
    if (is_large(tree_)) fetch(count);
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
      Plain sums[kWetSums];
      for (Plain& sum : sums) sum = everywhere(0);
      for (std::size_t pair = 0; pair < count; pair += 2) {
        Triangles triangles;
        load(waiting.number + pair, lane, triangles);
        add_wet_parts<false, kArea, kSection>(triangles, plane_, sums);
      }
      for (std::size_t i = 0; i < kWholeVolume; ++i) {
        double* total = &lanes_.sum[i][lane];
        hn::Store(hn::Add(hn::Load(Wide(), total), sums[i].v), Wide(), total);
      }
    }
    waiting.number[0] = waiting.number[count];
    waiting.count -= count;
    ++batches_;
  }
  void finish(TreeTotals& totals) {
    if (waiting.count % 2 == 1)
      waiting.number[waiting.count++] = static_cast<std::uint32_t>(tree_.leaves.size() - 1);
    clip_waiting();
    add_lanes(lanes_, totals.clipped);
    totals.additions += kBatch + batches_ + kLanes;
  }

 private:
  /// Asks the memory for all of them before the first is clipped.
  HWY_INLINE void fetch(std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) hwy::Prefetch(&tree_.leaves[waiting.number[i]]);
    for (std::size_t i = 0; i < count; ++i)
      for (const auto& corner : tree_.leaves[waiting.number[i]].corner)
        for (const std::uint32_t v : corner) hwy::Prefetch(&tree_.vertices[v]);
  }

  HWY_INLINE void load(const std::uint32_t* pair, std::size_t lane, Triangles& triangles) const {
    const MomentTree::Leaf& low = tree_.leaves[pair[lane / 4]];
    const MomentTree::Leaf& high = tree_.leaves[pair[1]];
    const MomentTree::Vertex* vertices = tree_.vertices.data();
    for (std::size_t k = 0; k < 3; ++k)
      load_transposed(
          [&](std::size_t i) {
            return vertices[i < 4 ? low.corner[k][lane % 4 + i] : high.corner[k][i - 4]].x;
          },
          triangles.corner[k]);
  }

  const MomentTree& tree_;
  WidePlane plane_;
  WetLanes lanes_;
  std::size_t batches_ = 0;
};

template <bool kArea, bool kSection>
void walk(const MomentTree& tree, const ClipPlane& plane, TreeTotals& totals) {
  const NodeTest test(plane, tree.frame.reach);
  WetSubtrees wet(tree);
  WaterlineLeaves<kArea, kSection> waterline(tree, plane);
  // Depth first, but some nodes of a level at a time: their tests do not wait for each other.
  Waiting<kTogether * MomentTree::kChildren> open[kMostLevels];
  open[0].number[open[0].count++] = 0;
  const std::size_t last = tree.levels() - 1;
  for (std::size_t level = 0;;) {
    auto& here = open[level];
    if (here.count == 0) {
      if (level-- == 0) break;
      continue;
    }
    const std::size_t end = here.count;
    here.count -= HWY_MIN(here.count, kTogether);
    for (std::size_t i = here.count; i < end; ++i) {
      const std::size_t node = here.number[i];
      const std::size_t children = MomentTree::kChildren * (node - tree.first[level]);
      const std::size_t first_wet = MomentTree::kChildren * node;
      if (level == last) {
        test(tree.boxes[node], first_wet, wet.waiting, children, waterline.waiting);
      } else {
        test(tree.boxes[node], first_wet, wet.waiting, tree.first[level + 1] + children,
             open[level + 1]);
      }
    }
    if (level < last) ++level;
    if (waterline.waiting.count >= kBatch) waterline.clip_waiting();
    if (wet.waiting.count >= kBatch) wet.add_waiting();
  }
  wet.finish(totals);
  waterline.finish(totals);
}

void walk_tree(const MomentTree& tree, const ClipPlane& plane, bool area, bool section,
               TreeTotals& totals) {
  if (area && section) return walk<true, true>(tree, plane, totals);
  if (area) return walk<true, false>(tree, plane, totals);
  if (section) return walk<false, true>(tree, plane, totals);
  walk<false, false>(tree, plane, totals);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(walk_tree);
}  // namespace

void sum_wet_parts(const MomentTree& tree, const ClipPlane& plane, bool area, bool section,
                   TreeTotals& totals) {
  HWY_DYNAMIC_DISPATCH(walk_tree)(tree, plane, area, section, totals);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
