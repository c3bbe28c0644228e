// How boxes are compared. Points of a are taken to the frame of b, both relative to the centers of
// their frames and in their units, by y = L x + t; the box with center c and half sizes h goes into
// the one with center L c + t and half sizes |L| h. Boxes of b are taken to the frame of a as well:
// two meet only if they do in both frames, that is if no axis of either separates them.
#include "tree/tree_pairs.h"

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

void PairWalk::start(const PosedTree& a, const PosedTree& b) {
  state_.a = a;
  state_.b = b;
  state_.found.clear();
  state_.waiting.clear();
  if (a.tree->triangles == 0 || b.tree->triangles == 0) return;
  state_.b_from_a = BoxMap(FrameMap(a, b));
  state_.a_from_b = BoxMap(FrameMap(b, a));
  state_.waiting.push_back({0, 0, 0, 0});
}

std::span<const LeafPair> PairWalk::next(std::size_t enough) {
  state_.found.clear();
  walk_on(state_, enough);
  return state_.found;
}

std::span<const LeafPair> PairWalk::leaf_pairs(const PosedTree& a, const PosedTree& b) {
  start(a, b);
  walk_on(state_, std::numeric_limits<std::size_t>::max());
  return state_.found;
}

}  // namespace plimsoll
