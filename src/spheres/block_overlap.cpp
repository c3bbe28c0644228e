// Compiled once per instruction set.
#include "spheres/block_overlap.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spheres/block_overlap.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "spheres/block_rows.inc"
#include "spheres/lens.inc"

#include "spheres/block_lenses.inc"

/// Adds what a pair of blocks has in common to the sums of all.
HWY_INLINE void add_to(BlockOverlapSearch::Lanes::Sums& sums, const PairSums& found,
                       const SphereBlock& to) {
  for (std::size_t k = 0; k < kWidth; ++k) sums.volume[k] += found.volume[k];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < kWidth; ++k)
      sums.moment[i][k] += static_cast<double>(found.moment[i][k]) + to.origin[i] * found.volume[k];
}

class OverlapRun {
 public:
  OverlapRun(const PosedBlocks& bodies, NodeBall ball, std::vector<BlockPair>& waiting,
             BlockOverlapSearch::Lanes& lanes, std::vector<SpherePair>* meeting)
      : bodies_(bodies),
        ball_(static_cast<std::size_t>(ball)),
        waiting_(waiting),
        lanes_(lanes),
        meeting_(meeting) {}

  void find(const BlockPair& first) {
    waiting_.assign(1, first);
    while (!waiting_.empty()) {
      const BlockPair pair = waiting_.back();
      waiting_.pop_back();
      if (!waiting_.empty()) prefetch(waiting_.back());
      open(pair);
    }
  }

 private:
  using Sums = BlockOverlapSearch::Lanes::Sums;

  [[nodiscard]] const SphereBlocks& tree(bool is_b) const { return is_b ? bodies_.b : bodies_.a; }

  /// What the next pair is decided by.
  HWY_INLINE void prefetch(const BlockPair& pair) const {
    for (const SphereBlock* block :
         {&tree(pair.is_from_b).blocks[pair.from], &tree(!pair.is_from_b).blocks[pair.to]}) {
      for (const float(&row)[kWidth] : block->center) hwy::Prefetch(&row);
      hwy::Prefetch(&block->radius[ball_]);
      hwy::Prefetch(&block->origin);
    }
  }

  HWY_INLINE void open(const BlockPair& pair) {
    const SphereBlock& from = tree(pair.is_from_b).blocks[pair.from];
    const SphereBlock& to = tree(!pair.is_from_b).blocks[pair.to];
    PosedRows rows;
    const BlockMap& map = pair.is_from_b ? bodies_.a_from_b : bodies_.b_from_a;
    if (!pose_rows(map, from, to, ball_, rows)) return;
    leave_out_beyond(to.box, rows);
    rows.near &= pair.rows;
    lanes_.tests += static_cast<std::size_t>(std::popcount(rows.near));
    if (to.has_spheres && meeting_ != nullptr)
      add_meeting(rows, pair, from, to);
    else if (to.has_spheres)
      add_lenses(rows, to, lanes_.sums[pair.is_from_b ? 0 : 1]);
    else if (from.has_spheres)
      open_by_spheres(rows, pair, to, lanes_.sums[pair.is_from_b ? 0 : 1]);
    else
      open_by_blocks(rows, pair, from, to);
  }

  HWY_INLINE void add_lenses(const PosedRows& rows, const SphereBlock& to, Sums& sums) {
    PairSums found;
    const std::size_t lenses = sum_lenses(rows, to, ball_, found);
    if (lenses == 0) return;
    lanes_.lenses += lenses;
    add_to(sums, found, to);
  }

  HWY_INLINE void add_meeting(const PosedRows& rows, const BlockPair& pair, const SphereBlock& from,
                              const SphereBlock& to) {
    visit_near(rows, to, ball_, [&](std::size_t k, std::size_t lane) {
      meeting_->push_back(pair.is_from_b ? SpherePair{to.child[lane], from.child[k]}
                                         : SpherePair{from.child[k], to.child[lane]});
    });
  }

  /// Blocks that lie in a sphere count whole, where a sum is asked for; others wait with the
  /// spheres that meet them.
  HWY_INLINE void open_by_spheres(const PosedRows& rows, const BlockPair& pair,
                                  const SphereBlock& to, Sums& sums) {
    const Subtrees& below = tree(!pair.is_from_b).below[pair.to];
    const Floats zero = everywhere<Floats>(0), rounding = everywhere<Floats>(rows.rounding);
    PairSums found;
    bool is_any_within = false;
    std::uint16_t meeting[kWidth] = {};
    for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
      const Triple<Floats> center = load<Floats>(to.center, lane);
      const Floats radius = load<Floats>(to.radius[ball_] + lane) + rounding;
      Floats volume = zero;
      for (unsigned left = rows.near; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const Triple<Floats> off = center - everywhere<Floats>(rows.center, k);
        const Floats squared = dot(off, off), r = everywhere<Floats>(rows.radius[k]);
        const Floats both = r + radius, room = r - radius;
        const Floats reach = r + rounding;
        const Floats apart =
            box_squared(load<Floats>(below.box_center, lane) - everywhere<Floats>(rows.center, k),
                        load<Floats>(below.box_half, lane));
        unsigned meet =
            bits_of(Floats::kTag, all_hold(squared < both * both, apart < reach * reach)) &
            (to.all() >> lane);
        if (meet == 0) continue;
        const auto is_within = all_hold(room > zero, squared <= room * room);
        const unsigned within = bits_of(Floats::kTag, is_within) & meet;
        if (within != 0 && meeting_ == nullptr) {
          lanes_.subtrees += static_cast<std::size_t>(std::popcount(within));
          is_any_within = true;
          meet &= ~within;
          volume = volume + select_or_zero(is_within, load<Floats>(below.volume[ball_] + lane));
        }
        for (; meet != 0; meet &= meet - 1)
          meeting[lane + static_cast<std::size_t>(std::countr_zero(meet))] |=
              static_cast<std::uint16_t>(1U << k);
      }
      store(volume, found.volume + lane);
      for (std::size_t i = 0; i < 3; ++i)
        store(volume * load<Floats>(below.center[ball_][i] + lane), found.moment[i] + lane);
    }
    if (is_any_within) add_to(sums, found, to);
    for (std::size_t k = 0; k < to.count; ++k)
      if (meeting[k] != 0) waiting_.push_back({pair.from, to.child[k], meeting[k], pair.is_from_b});
  }

  /// Balls meet, and each ball meets the box of the other, each in the frame of its own body.
  HWY_INLINE void open_by_blocks(const PosedRows& rows, const BlockPair& pair,
                                 const SphereBlock& from, const SphereBlock& to) {
    PosedRows columns;  // the children of the second block in the frame of the first one
    if (!pose_rows(pair.is_from_b ? bodies_.b_from_a : bodies_.a_from_b, to, from, ball_, columns))
      return;
    const Subtrees& from_below = tree(pair.is_from_b).below[pair.from];
    const Subtrees& to_below = tree(!pair.is_from_b).below[pair.to];
    const Floats rounding = everywhere<Floats>(rows.rounding);
    const Floats back_rounding = everywhere<Floats>(columns.rounding);
    for (unsigned left = rows.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      const Triple<Floats> at = everywhere<Floats>(rows.center, k);
      const Triple<Floats> box_at = everywhere<Floats>(from_below.box_center, k);
      const Triple<Floats> box_half = everywhere<Floats>(from_below.box_half, k);
      const Floats reach = everywhere<Floats>(rows.radius[k]) + rounding;
      unsigned meet = 0;
      for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
        const Triple<Floats> off = load<Floats>(to.center, lane) - at;
        const Floats both = reach + load<Floats>(to.radius[ball_] + lane);
        const Floats to_box = box_squared(load<Floats>(to_below.box_center, lane) - at,
                                          load<Floats>(to_below.box_half, lane));
        const Floats back = load<Floats>(columns.radius + lane) + back_rounding;
        const Floats from_box = box_squared(load<Floats>(columns.center, lane) - box_at, box_half);
        const auto is_near =
            all_hold(dot(off, off) < both * both, to_box < reach * reach, from_box < back * back);
        meet |= bits_of(Floats::kTag, is_near) << lane;
      }
      for (meet &= columns.near; meet != 0; meet &= meet - 1)
        waiting_.push_back(spheres_first(bodies_, from.child[k], to.child[std::countr_zero(meet)],
                                         pair.is_from_b));
    }
  }

  const PosedBlocks& bodies_;
  std::size_t ball_;
  std::vector<BlockPair>& waiting_;
  BlockOverlapSearch::Lanes& lanes_;
  std::vector<SpherePair>* meeting_;  // null: sums are asked for
};

void add_overlap(const PosedBlocks& bodies, NodeBall ball, const BlockPair& first,
                 std::vector<BlockPair>& waiting, BlockOverlapSearch::Lanes& lanes,
                 std::vector<SpherePair>* meeting) {
  OverlapRun(bodies, ball, waiting, lanes, meeting).find(first);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(add_overlap);

/// By halves, which the compiler does side by side.
double sum_of(double (&lanes)[SphereBlock::kWidth]) {
  for (std::size_t half = SphereBlock::kWidth / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  return lanes[0];
}

/// Moves what is in the lanes to the sums; the number of tests stays.
void take_lanes(BlockOverlapSearch::Lanes& lanes, BlockSums& sums) {
  if (lanes.lenses + lanes.subtrees == 0) return;
  for (std::size_t side = 0; side < 2; ++side) {
    sums.volume[side] += sum_of(lanes.sums[side].volume);
    for (std::size_t i = 0; i < 3; ++i) sums.moment[side][i] += sum_of(lanes.sums[side].moment[i]);
  }
  const std::size_t tests = lanes.tests;
  lanes = {};
  lanes.tests = tests;
}

}  // namespace

SphereOverlap overlap_of(const BlockSums& sums, const PosedBlocks& bodies) {
  const auto moment = [&](std::size_t side) {
    return Vec3(sums.moment[side][0], sums.moment[side][1], sums.moment[side][2]);
  };
  const BlockMap& map = bodies.a_from_b;
  const double of_b = map.linear.determinant(), unit = bodies.a.unit;
  const double cube = std::numbers::pi / 12 * (unit * unit * unit);
  SphereOverlap sum;
  sum.volume = (sums.volume[0] + of_b * sums.volume[1]) * cube;
  sum.moment =
      (moment(0) + of_b * (map.linear * moment(1) + sums.volume[1] * map.offset)) * (unit * cube);
  return sum;
}

SphereOverlap BlockOverlapSearch::find(const PosedBlocks& bodies, NodeBall ball) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  PLIMSOLL_ASSERT(bodies.are_alike(), "the sizes of the bodies are beyond floats");
  lanes_.tests = 0;
  HWY_DYNAMIC_DISPATCH(add_overlap)
  (bodies, ball, spheres_first(bodies, 0, 0, false), waiting_, lanes_, nullptr);
  const std::size_t lenses = lanes_.lenses, subtrees = lanes_.subtrees;
  BlockSums sums;
  take_lanes(lanes_, sums);
  SphereOverlap overlap = overlap_of(sums, bodies);
  overlap.lenses = lenses;
  overlap.subtrees = subtrees;
  overlap.tests = lanes_.tests;
  return overlap;
}

void BlockOverlapSearch::add_below(const PosedBlocks& bodies, NodeBall ball, const BlockPair& pair,
                                   BlockSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_overlap)(bodies, ball, pair, waiting_, lanes_, nullptr);
  take_lanes(lanes_, sums);
}

void BlockOverlapSearch::add_meeting_below(const PosedBlocks& bodies, const BlockPair& pair,
                                           std::vector<SpherePair>& meeting) {
  HWY_DYNAMIC_DISPATCH(add_overlap)
  (bodies, NodeBall::kPrimary, pair, waiting_, lanes_, &meeting);
}

void BlockOverlapSearch::find_meeting(const PosedBlocks& bodies) {
  PLIMSOLL_ASSERT(bodies.are_alike(), "the sizes of the bodies are beyond floats");
  meeting_.clear();
  add_meeting_below(bodies, spheres_first(bodies, 0, 0, false), meeting_);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
