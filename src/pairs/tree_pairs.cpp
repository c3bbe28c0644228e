// How boxes are compared. Points of a are taken to the frame of b, both relative to the centers of
// their frames and in their units, by y = L x + t; the box with center c and half sizes h goes into
// the one with center L c + t and half sizes |L| h. Boxes of b are taken to the frame of a as well:
// two meet only if they do in both frames, that is if no axis of either separates them.
//
// As floats, with u = 2^-24, L and t are off by a factor 1 + e, |e| <= u, and each term of L c + t
// passes through four more roundings at most: the center is off by less than 6 u (|L| |c| + |t|).
// Each term of what stands for its half size passes through eight. So half sizes are taken as
//
//   |L| (h + 16 u (|c| + h)) + 16 u |t| + room,
//
// whose rounding is in it. That is relative to the box and to how far it is from the centers of the
// frames: one stray triangle does not make the boxes of all others coarse. Boxes of the trees are
// rounded outward, and boxes of floats that meet do so as well where the difference of their
// centers and the sum of their sizes are rounded, both to the nearest. What is below the least
// normal float, or an entry of L so small, costs less than 2^-45 of the reach.
#include "pairs/tree_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
    for (float& along : margin) along = static_cast<float>(kFar);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    // Whatever is farther away than that is as far away as that.
    offset[i] = static_cast<float>(std::clamp(map.offset[i], -kFar, kFar));
    margin[i] = static_cast<float>(map.room) + kBoxRounding * std::fabs(offset[i]);
    for (int j = 0; j < 3; ++j) linear[i][j] = static_cast<float>(map.linear(i, j));
  }
}

BoxMap BoxMap::identity() {
  BoxMap map;
  for (int i = 0; i < 3; ++i) map.linear[i][i] = 1;
  return map;
}

void PairWalk::start(const PosedTree& a, const PosedTree& b) {
  state_.a = a;
  state_.b = b;
  state_.is_within = false;
  state_.groups = {};
  state_.a_hulls = state_.b_hulls = nullptr;
  state_.opened = state_.asked = state_.apart = 0;
  taken_ = {};
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
  state_.a_from_b = state_.b_from_a = BoxMap::identity();
  state_.groups = groups;
}

void PairWalk::look_closer(const PartHulls& a, const PartHulls& b,
                           std::span<const std::uint32_t> groups) {
  state_.a_hulls = &a;
  state_.b_hulls = &b;
  state_.groups = groups;
}

std::span<const LeafPair> PairWalk::next(std::size_t enough, std::size_t most) {
  state_.found.clear();
  state_.found.swap(kept_);
  walk_on(state_, enough, most);
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
    (void)other->take_work();
  }
  for (std::size_t i = 0; i < shared.size(); ++i)
    (i % sharers == 0 ? *this : *others[i % sharers - 1]).state_.waiting.push_back(shared[i]);
}

PairWalk::Work PairWalk::take_work() {
  const Work before = std::exchange(taken_, {state_.opened, state_.asked});
  return {taken_.opened - before.opened, taken_.asked - before.asked};
}

void PairWalk::take_rest(PairWalk& other) {
  const auto take = [](auto& all, auto& some) {
    all.insert(all.end(), some.begin(), some.end());
    some.clear();
  };
  take(state_.waiting, other.state_.waiting);
  take(kept_, other.kept_);
}

}  // namespace plimsoll
