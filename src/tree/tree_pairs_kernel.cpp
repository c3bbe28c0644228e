// The walk over pairs of nodes, compiled once per instruction set: one box is compared with the
// eight of a node at once, in the frames of both trees. tree_pairs.cpp says how.
#include <bit>

#include "tree/tree_pairs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/tree_pairs_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t kChildren = TriangleTree::kChildren;
using Lanes = hn::CappedTag<float, kChildren>;
using Floats = hn::Vec<Lanes>;

HWY_INLINE Floats load(const float* from) { return hn::Load(Lanes(), from); }
HWY_INLINE Floats everywhere(float x) { return hn::Set(Lanes(), x); }

/// Boxes around all children, grown by the room. Of those that are not there the sizes stay far
/// below zero, or become 0; the other comparison leaves them out then.
HWY_INLINE void map_boxes(const BoxMap& map, const ChildBoxes& from, ChildBoxes& to) {
  for (std::size_t lane = 0; lane < kChildren; lane += hn::Lanes(Lanes()))
    for (int i = 0; i < 3; ++i) {
      Floats center = everywhere(map.offset[i]), half = everywhere(map.room);
      for (int j = 0; j < 3; ++j) {
        const Floats entry = everywhere(map.linear[i][j]);
        center = hn::Add(center, hn::Mul(entry, load(from.center[j] + lane)));
        half = hn::Add(half, hn::Mul(hn::Abs(entry), load(from.half[j] + lane)));
      }
      hn::Store(center, Lanes(), to.center[i] + lane);
      hn::Store(half, Lanes(), to.half[i] + lane);
    }
}

/// Which of `boxes` meet box k of `one`, a bit for each.
HWY_INLINE hn::Mask<Lanes> meeting(const ChildBoxes& one, std::size_t k, const ChildBoxes& boxes,
                                   std::size_t lane) {
  const auto along = [&](int i) {
    const Floats apart = hn::Sub(load(boxes.center[i] + lane), everywhere(one.center[i][k]));
    const Floats reach = hn::Add(load(boxes.half[i] + lane), everywhere(one.half[i][k]));
    return hn::Le(hn::Abs(apart), reach);
  };
  return hn::And(along(0), hn::And(along(1), along(2)));
}

/// Children of a node of each tree, in both frames.
struct Compared {
  const ChildBoxes *a, *b;
  ChildBoxes a_in_b, b_in_a;

  /// Which of b's children may meet child k of a.
  [[nodiscard]] HWY_INLINE unsigned with(std::size_t k) const {
    unsigned bits = 0;
    for (std::size_t lane = 0; lane < kChildren; lane += hn::Lanes(Lanes())) {
      const auto both = hn::And(meeting(a_in_b, k, *b, lane), meeting(*a, k, b_in_a, lane));
      std::uint8_t some[8] = {};
      hn::StoreMaskBits(Lanes(), both, some);
      bits |= static_cast<unsigned>(some[0]) << lane;
    }
    return bits;
  }
};

/// The boxes of the part's children; of a leaf, those of its parent, itself among them.
HWY_INLINE const ChildBoxes& boxes_of(const TriangleTree& tree, std::uint32_t level,
                                      std::uint32_t part) {
  if (level < tree.levels()) return tree.boxes[tree.first[level] + part];
  return tree.boxes[tree.first[level - 1] + part / kChildren];
}

void walk_parts(PairWalkState& walk, std::size_t enough) {
  const TriangleTree &in_a = *walk.a.tree, &in_b = *walk.b.tree;
  const auto a_leaves = static_cast<std::uint32_t>(in_a.levels());
  const auto b_leaves = static_cast<std::uint32_t>(in_b.levels());
  Compared boxes;
  while (!walk.waiting.empty() && walk.found.size() < enough) {
    const PairWalkState::Parts top = walk.waiting.back();
    walk.waiting.pop_back();
    const bool opens_a = top.a_level < a_leaves, opens_b = top.b_level < b_leaves;
    boxes.a = &boxes_of(in_a, top.a_level, top.a);
    boxes.b = &boxes_of(in_b, top.b_level, top.b);
    map_boxes(walk.b_from_a, *boxes.a, boxes.a_in_b);
    map_boxes(walk.a_from_b, *boxes.b, boxes.b_in_a);
    const std::uint32_t a_level = opens_a ? top.a_level + 1 : top.a_level;
    const std::uint32_t b_level = opens_b ? top.b_level + 1 : top.b_level;
    const std::uint32_t a_first = opens_a ? kChildren * top.a : top.a / kChildren * kChildren;
    const std::uint32_t b_first = opens_b ? kChildren * top.b : top.b / kChildren * kChildren;
    const bool are_leaves = a_level == a_leaves && b_level == b_leaves;
    const std::uint32_t begin = opens_a ? 0 : top.a % kChildren;
    const std::uint32_t end = opens_a ? kChildren : begin + 1;
    for (std::uint32_t i = begin; i < end; ++i) {
      unsigned bits = boxes.with(i);
      if (!opens_b) bits &= 1U << (top.b % kChildren);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t a = a_first + i;
        const std::uint32_t b = b_first + static_cast<std::uint32_t>(std::countr_zero(bits));
        if (are_leaves)
          walk.found.push_back({a, b});
        else
          walk.waiting.push_back({a_level, a, b_level, b});
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(walk_parts);
}  // namespace

void walk_on(PairWalkState& walk, std::size_t enough) {
  HWY_DYNAMIC_DISPATCH(walk_parts)(walk, enough);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
