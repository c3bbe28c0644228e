// The walk through a moment tree, for whichever instruction set is being compiled: which subtrees
// are wholly wet, and which leaves a plane may cut. Included once per target by a Highway
// translation unit, so it has no include guard of the usual kind.
#include "hydro/moment_tree.h"

#include <hwy/cache_control.h>

#include <bit>

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

#if defined(PLIMSOLL_MOMENT_TREE_WALK_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_MOMENT_TREE_WALK_H
#undef PLIMSOLL_MOMENT_TREE_WALK_H
#else
#define PLIMSOLL_MOMENT_TREE_WALK_H
#endif

#include "simd/wide_triangles.h"
#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {

constexpr std::size_t kTogether = 16;   // nodes tested one after the other
constexpr std::size_t kBatch = 64;      // leaves or subtrees that are worth adding up
constexpr std::size_t kMaxLevels = 12;  // 8^11 leaves are more than there can be

/// Whether most of a tree is in memory beyond the caches of a core, so that asking for what will be
/// needed pays: measured, it makes trees of 70,000 triangles a tenth slower and halves the time of
/// a million.
HWY_INLINE bool is_large(const TriangleTree& tree) { return tree.triangles > 150'000; }

/// Numbers of nodes or leaves that wait; room for all children of one more node.
template <std::size_t kCapacity>
struct Waiting {
  std::uint32_t number[kCapacity + TriangleTree::kChildren];
  std::size_t count = 0;
};

/// Boxes against the plane in float. With n of unit length, |n|_1 < 1.8, a center within the reach
/// r of the frame's and |level| <= 2 r, rounding to float and the sums cost less than 40 x 2^-24 r.
class NodeTest {
 public:
  /// Planes within `margin` of `plane` everywhere in the body give the same answers.
  NodeTest(const ClipPlane& plane, double reach, double margin = 0)
      : margin_(everywhere<Floats>(static_cast<float>(0x1p-18 * reach + margin))),
        level_(everywhere<Floats>(static_cast<float>(plane.level))) {
    for (std::size_t i = 0; i < 3; ++i) {
      normal_[i] = everywhere<Floats>(static_cast<float>(plane.unit[static_cast<int>(i)]));
      size_[i] = absolute(normal_[i]);
    }
  }

  /// Appends those children that are wholly wet and those that the plane may cut, numbered on from
  /// `first_wet` and `first_cut`. Without branches, which nothing could predict.
  template <class Wet, class Cut>
  HWY_INLINE void operator()(const ChildBoxes& boxes, std::size_t first_wet, Wet& wet,
                             std::size_t first_cut, Cut& cut) const {
    for (std::size_t k = 0; k < TriangleTree::kChildren; k += Floats::kWidth) {
      const Floats height = dot(load<Floats>(boxes.center, k), normal_) - level_;
      const Floats radius = dot(load<Floats>(boxes.half, k), size_) + margin_;
      const auto dry = height > radius;
      const auto is_wet = hn::AndNot(dry, height < -radius);
      append(is_wet, first_wet + k, wet);
      append(hn::Not(hn::Or(dry, is_wet)), first_cut + k, cut);
    }
  }

 private:
  using Floats = WideNumber<hn::CappedTag<float, 8>>;
  using Numbers = hn::Rebind<std::uint32_t, decltype(Floats::kTag)>;

  template <class List>
  static HWY_INLINE void append(Floats::Mask mask, std::size_t first, List& list) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(Floats::kTag, mask, bits);
    const hn::Rebind<std::uint8_t, decltype(Floats::kTag)> bytes;
    const auto set = hn::PromoteTo(Numbers(), hn::LoadU(bytes, kBitsSet.place[bits[0]]));
    const auto numbers = hn::Add(set, hn::Set(Numbers(), static_cast<std::uint32_t>(first)));
    hn::StoreU(numbers, Numbers(), list.number + list.count);
    list.count += static_cast<std::size_t>(std::popcount(bits[0]));
  }

  Triple<Floats> normal_, size_;
  Floats margin_, level_;
};

/// Sums over wholly wet subtrees.
class WetSubtrees {
 public:
  explicit WetSubtrees(const MomentTree& tree)
      : moments_(tree.moments), is_large_(is_large(*tree.triangles)) {
    for (WideVector& v : sums_) v = hn::Zero(Wide());
  }

  Waiting<kBatch + kTogether * TriangleTree::kChildren> waiting;

  HWY_INLINE void add_waiting() {
    if (is_large_)
      for (std::size_t i = 0; i < waiting.count; ++i)
        for (std::size_t line = 0; line < kPatchSums; line += 8)
          hwy::Prefetch(moments_[waiting.number[i]].sum + line);
    for (std::size_t i = 0; i < waiting.count; ++i) {
      const double* sum = moments_[waiting.number[i]].sum;
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
  const std::vector<SurfaceMoments>& moments_;
  bool is_large_;
  WideVector sums_[kVectors];
  std::size_t additions_ = 0;
};

/// The corners of the triangles of two leaves, those from `lane` on, as many as there are lanes.
HWY_INLINE void load_leaves(const TriangleTree& tree, const std::uint32_t* pair, std::size_t lane,
                            Triangles& triangles) {
  const TriangleTree::Leaf& low = tree.leaves[pair[lane / 4]];
  const TriangleTree::Leaf& high = tree.leaves[pair[1]];
  const VertexRow* vertices = tree.vertices.data();
  for (std::size_t k = 0; k < 3; ++k)
    load_transposed(
        [&](std::size_t i) {
          return vertices[i < 4 ? low.corner[k][lane % 4 + i] : high.corner[k][i - 4]].x;
        },
        triangles.corner[k]);
}

/// Asks the memory for the corners of `count` leaves.
HWY_INLINE void fetch_leaves(const TriangleTree& tree, const std::uint32_t* leaves,
                             std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hwy::Prefetch(&tree.leaves[leaves[i]]);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto& corner : tree.leaves[leaves[i]].corner)
      for (const std::uint32_t v : corner) hwy::Prefetch(&tree.vertices[v]);
}

/// Gathers what is wholly wet in `wet` and the leaves that may be cut in `leaves`, which is asked
/// to take those that wait when there are many; what is left waiting when the walk is done is for
/// the caller to take.
template <class Leaves>
void walk(const TriangleTree& tree, const NodeTest& test, WetSubtrees& wet, Leaves& leaves) {
  // Depth first, but some nodes of a level at a time: their tests do not wait for each other.
  Waiting<kTogether * TriangleTree::kChildren> open[kMaxLevels];
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
      const std::size_t children = TriangleTree::kChildren * (node - tree.first[level]);
      const std::size_t first_wet = TriangleTree::kChildren * node;
      if (level == last) {
        test(tree.boxes[node], first_wet, wet.waiting, children, leaves.waiting);
      } else {
        test(tree.boxes[node], first_wet, wet.waiting, tree.first[level + 1] + children,
             open[level + 1]);
      }
    }
    if (level < last) ++level;
    if (leaves.waiting.count >= kBatch) leaves.take_waiting();
    if (wet.waiting.count >= kBatch) wet.add_waiting();
  }
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
