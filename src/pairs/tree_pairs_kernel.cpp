// The walk over pairs of nodes, compiled once per instruction set: one box is compared with the
// eight of a node at once, in the frames of both trees. tree_pairs.cpp says how.
#include <algorithm>
#include <bit>

#include "pairs/tree_pairs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/tree_pairs_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::uint32_t kChildren = TriangleTree::kChildren;
using Floats = WideNumber<hn::CappedTag<float, kChildren>>;

/// Boxes around all children, grown by what rounding may hide. Of those that are not there the
/// sizes stay far below zero, or become 0; the other comparison leaves them out then.
HWY_INLINE void map_boxes(const BoxMap& map, const ChildBoxes& from, ChildBoxes& to) {
  const Floats rounding = everywhere<Floats>(kBoxRounding);
  for (std::size_t lane = 0; lane < kChildren; lane += Floats::kWidth) {
    Floats centers[3], halves[3];
    for (int j = 0; j < 3; ++j) {
      centers[j] = load<Floats>(from.center[j] + lane);
      halves[j] = load<Floats>(from.half[j] + lane);
      halves[j] = halves[j] + rounding * (absolute(centers[j]) + halves[j]);
    }
    for (int i = 0; i < 3; ++i) {
      Floats center = everywhere<Floats>(map.offset[i]), half = everywhere<Floats>(map.margin[i]);
      for (int j = 0; j < 3; ++j) {
        const Floats entry = everywhere<Floats>(map.linear[i][j]);
        center = center + entry * centers[j];
        half = half + absolute(entry) * halves[j];
      }
      store(center, to.center[i] + lane);
      store(half, to.half[i] + lane);
    }
  }
}

/// Which of `boxes` from `lane` on meet box k of `one`.
HWY_INLINE auto meeting(const ChildBoxes& one, std::size_t k, const ChildBoxes& boxes,
                        std::size_t lane) {
  const auto along = [&](int i) {
    const Floats apart =
        load<Floats>(boxes.center[i] + lane) - everywhere<Floats>(one.center[i][k]);
    const Floats reach = load<Floats>(boxes.half[i] + lane) + everywhere<Floats>(one.half[i][k]);
    return absolute(apart) <= reach;
  };
  return all_hold(along(0), along(1), along(2));
}

/// A bit for each box, told by mask(lane) of those from `lane` on.
template <class MaskOf>
HWY_INLINE unsigned bits_of_boxes(const MaskOf& mask) {
  unsigned bits = 0;
  for (std::size_t lane = 0; lane < kChildren; lane += Floats::kWidth)
    bits |= bits_of(Floats::kTag, mask(lane)) << lane;
  return bits;
}

/// The children of a node, or a leaf among its siblings.
struct Part {
  const ChildBoxes* boxes;
  const ChildBoxes* siblings;  ///< The box of the part itself is at `place`; null for the root.
  std::uint32_t place, first;  ///< The number of the first of `boxes`.
  unsigned chosen;             ///< Those of `boxes` that are meant.

  HWY_INLINE Part(const TriangleTree& tree, std::uint32_t level, std::uint32_t part)
      : boxes(nullptr), siblings(nullptr), place(part % kChildren) {
    if (level > 0) siblings = &tree.boxes[tree.first[level - 1] + part / kChildren];
    const bool is_leaf = level == tree.levels();
    boxes = is_leaf ? siblings : &tree.boxes[tree.first[level] + part];
    first = is_leaf ? part - place : kChildren * part;
    chosen = is_leaf ? 1U << place : (1U << kChildren) - 1;
  }
};

/// Whether all triangles of two parts of the tree, at the level below a node, are of one group.
HWY_INLINE bool are_one_group(const PairWalkState& walk, std::uint32_t level, std::uint32_t i,
                              std::uint32_t k) {
  const std::uint32_t* groups = walk.groups.data() + kChildren * walk.a.tree->first[level - 1];
  return groups[i] == groups[k] && groups[i] != kSeveralGroups;
}

/// Whether hulls tell two parts apart, each at a level. A part is not apart from itself.
HWY_INLINE bool are_apart(PairWalkState& walk, std::uint32_t a_level, std::uint32_t i,
                          std::uint32_t b_level, std::uint32_t k) {
  if (walk.is_within && a_level == b_level && i == k) return false;
  ++walk.asked;
  const bool apart =
      walk.separation.are_apart(walk.a_hulls->at(a_level, i), walk.b_hulls->at(b_level, k));
  walk.apart += apart ? 1 : 0;
  return apart;
}

/// Bit 8 i + k for every k >= i.
constexpr std::uint64_t kNoEarlier = 0x80c0e0f0f8fcfeff;

void walk_parts(PairWalkState& walk, std::size_t enough, std::size_t most) {
  const TriangleTree &in_a = *walk.a.tree, &in_b = *walk.b.tree;
  const auto a_leaves = static_cast<std::uint32_t>(in_a.levels());
  const auto b_leaves = static_cast<std::uint32_t>(in_b.levels());
  const bool has_groups = !walk.groups.empty();
  ChildBoxes a_in_b, b_in_a;
  for (; !walk.waiting.empty() && walk.found.size() < enough && most != 0; --most) {
    const PairWalkState::Parts top = walk.waiting.back();
    walk.waiting.pop_back();
    ++walk.opened;
    const Part a(in_a, top.a_level, top.a), b(in_b, top.b_level, top.b);
    map_boxes(walk.b_from_a, *a.boxes, a_in_b);
    map_boxes(walk.a_from_b, *b.boxes, b_in_a);
    // First those that meet the other part as a whole.
    unsigned of_a = a.chosen, of_b = b.chosen;
    if (b.siblings != nullptr)
      of_a &= bits_of_boxes(
          [&](std::size_t lane) { return meeting(*b.siblings, b.place, a_in_b, lane); });
    if (a.siblings != nullptr)
      of_b &= bits_of_boxes(
          [&](std::size_t lane) { return meeting(*a.siblings, a.place, b_in_a, lane); });
    const std::uint32_t a_level = std::min(top.a_level + 1, a_leaves);
    const std::uint32_t b_level = std::min(top.b_level + 1, b_leaves);
    const bool are_leaves = a_level == a_leaves && b_level == b_leaves;
    const bool asks_hulls = are_hulls_worthwhile(walk);
    // Eight bits for each child of a, so that one loop, whose end is hard to foresee, takes all.
    std::uint64_t pairs = 0;
    for (; of_a != 0; of_a &= of_a - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(of_a));
      const std::uint64_t bits =
          of_b & bits_of_boxes([&](std::size_t lane) {
            return all_hold(meeting(a_in_b, i, *b.boxes, lane), meeting(*a.boxes, i, b_in_a, lane));
          });
      pairs |= bits << (kChildren * i);
    }
    if (walk.is_within && top.a == top.b) pairs &= kNoEarlier;
    for (; pairs != 0; pairs &= pairs - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(pairs));
      const std::uint32_t i = a.first + bit / kChildren, k = b.first + bit % kChildren;
      if (has_groups && are_one_group(walk, a_level, i, k)) continue;
      if (asks_hulls && are_apart(walk, a_level, i, b_level, k)) continue;
      if (are_leaves)
        walk.found.push_back({i, k});
      else
        walk.waiting.push_back({a_level, i, b_level, k});
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

void walk_on(PairWalkState& walk, std::size_t enough, std::size_t most) {
  HWY_DYNAMIC_DISPATCH(walk_parts)(walk, enough, most);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
