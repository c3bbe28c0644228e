// How boxes are compared. Points of a are taken to the frame of b, both relative to the centers of
// their frames and in their units, by y = L x + t; the box with center c and half sizes h goes into
// the one with center L c + t and half sizes |L| h. Boxes of b are taken to the frame of a as well:
// two meet only if they do in both frames, that is if no axis of either separates them.
#include "pairs/tree_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

/// Sums and products of numbers up to these neither overflow floats nor, where they count, fall
/// below the smallest.
constexpr double kLargeReach = 1e33, kFar = 1e36, kSteep = 1e37, kFlat = 0x1p-100;

}  // namespace

BoxMap::BoxMap(const FrameMap& map) {
  const double steepness = map.linear.cwiseAbs().maxCoeff();
  const bool holds = steepness >= kFlat && steepness <= kSteep && map.reach <= kLargeReach &&
                     map.room <= kLargeReach &&
                     map.target_reach >= kFlat;  // not if one is not a number
  if (!holds) {
    room = static_cast<float>(kFar);
    return;
  }
  room = static_cast<float>(map.room);
  for (int i = 0; i < 3; ++i) {
    // Whatever is farther away than that is as far away as that.
    offset[i] = static_cast<float>(std::clamp(map.offset[i], -kFar, kFar));
    for (int j = 0; j < 3; ++j) linear[i][j] = static_cast<float>(map.linear(i, j));
  }
}

// Centers and half sizes are at most the reach r: a difference of centers and a sum of half sizes
// are at most 2 r, and rounded by 2^-24 of that each.
BoxMap BoxMap::identity(const TriangleTree& tree) {
  BoxMap map;
  for (int i = 0; i < 3; ++i) map.linear[i][i] = 1;
  map.room = static_cast<float>(0x1p-21 * tree.frame.reach);
  return map;
}

void PairWalk::start(const PosedTree& a, const PosedTree& b) {
  state_.a = a;
  state_.b = b;
  state_.is_within = false;
  state_.groups = {};
  state_.found.clear();
  state_.waiting.clear();
  kept_.clear();
  if (a.tree->triangles == 0 || b.tree->triangles == 0) return;
  state_.b_from_a = BoxMap(FrameMap(a, b));
  state_.a_from_b = BoxMap(FrameMap(b, a));
  state_.waiting.push_back({0, 0, 0, 0});
}

void PairWalk::start_within(const PosedTree& posed) {
  start(posed, posed);
  state_.is_within = true;
}

void PairWalk::start_within(const TriangleTree& tree, std::span<const std::uint32_t> groups) {
  start_within({&tree, Similarity::Identity()});
  state_.a_from_b = state_.b_from_a = BoxMap::identity(tree);
  state_.groups = groups;
}

std::span<const LeafPair> PairWalk::next(std::size_t enough) {
  state_.found.clear();
  state_.found.swap(kept_);
  walk_on(state_, enough);
  return state_.found;
}

std::span<const LeafPair> PairWalk::leaf_pairs(const PosedTree& a, const PosedTree& b) {
  start(a, b);
  walk_on(state_, std::numeric_limits<std::size_t>::max());
  return state_.found;
}

// Those that wait are opened level by level until there are enough to deal out in turn: parts that
// were opened together lie side by side, and cost about the same.
void PairWalk::share_with(std::span<PairWalk* const> others) {
  constexpr std::size_t kEach = 32, kMostLevels = 8;
  const std::size_t sharers = others.size() + 1;
  state_.found.clear();
  std::vector<PairWalkState::Parts> shared;
  shared.swap(state_.waiting);
  for (std::size_t level = 0; level < kMostLevels && shared.size() < kEach * sharers; ++level) {
    std::vector<PairWalkState::Parts> opened;
    for (const PairWalkState::Parts& parts : shared) {
      state_.waiting.assign(1, parts);
      walk_on(state_, std::numeric_limits<std::size_t>::max(), 1);
      opened.insert(opened.end(), state_.waiting.begin(), state_.waiting.end());
    }
    shared.swap(opened);
  }
  state_.waiting.clear();
  kept_.insert(kept_.end(), state_.found.begin(), state_.found.end());
  state_.found.clear();
  for (PairWalk* other : others) {
    other->state_ = state_;
    other->kept_.clear();
  }
  for (std::size_t i = 0; i < shared.size(); ++i)
    (i % sharers == 0 ? *this : *others[i % sharers - 1]).state_.waiting.push_back(shared[i]);
}

}  // namespace plimsoll
