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

/// Sums of one pair of blocks, about the origin of the second one.
struct alignas(64) PairSums {
  float volume[kWidth];
  float moment[3][kWidth];

  HWY_INLINE void add_to(BlockOverlapSearch::Lanes::Sums& sums, const SphereBlock& block) const {
    for (std::size_t k = 0; k < kWidth; ++k) sums.volume[k] += volume[k];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < kWidth; ++k)
        sums.moment[i][k] += static_cast<double>(moment[i][k]) + block.origin[i] * volume[k];
  }
};

class OverlapRun {
 public:
  OverlapRun(const PosedBlocks& bodies, NodeBall ball,
             std::vector<BlockOverlapSearch::Waiting>& waiting, std::vector<SpherePair>* meeting)
      : bodies_(bodies),
        ball_(static_cast<std::size_t>(ball)),
        waiting_(waiting),
        meeting_(meeting) {}

  BlockOverlapSearch::Lanes find() {
    waiting_.clear();
    add_pair(0, 0, false);
    while (!waiting_.empty()) {
      const Waiting pair = waiting_.back();
      waiting_.pop_back();
      if (!waiting_.empty()) prefetch(waiting_.back());
      open(pair);
    }
    return lanes_;
  }

 private:
  using Waiting = BlockOverlapSearch::Waiting;
  using Sums = BlockOverlapSearch::Lanes::Sums;

  /// Blocks of spheres come first, so that their spheres are compared with whole subtrees.
  HWY_INLINE void add_pair(std::uint32_t from, std::uint32_t to, bool is_from_b) {
    const SphereBlock& x = tree(is_from_b).blocks[from];
    const SphereBlock& y = tree(!is_from_b).blocks[to];
    if (x.has_spheres || !y.has_spheres)
      waiting_.push_back({from, to, static_cast<std::uint16_t>(x.all()), is_from_b});
    else
      waiting_.push_back({to, from, static_cast<std::uint16_t>(y.all()), !is_from_b});
  }

  [[nodiscard]] const SphereBlocks& tree(bool is_b) const { return is_b ? bodies_.b : bodies_.a; }

  /// What the next pair is decided by.
  HWY_INLINE void prefetch(const Waiting& pair) const {
    for (const SphereBlock* block :
         {&tree(pair.is_from_b).blocks[pair.from], &tree(!pair.is_from_b).blocks[pair.to]}) {
      for (const float(&row)[kWidth] : block->center) hwy::Prefetch(&row);
      hwy::Prefetch(&block->radius[ball_]);
      hwy::Prefetch(&block->origin);
    }
  }

  HWY_INLINE void open(const Waiting& pair) {
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
    const Floats zero = everywhere<Floats>(0), tiny = everywhere<Floats>(1e-30F);
    PairSums found;
    bool is_any = false;
    for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
      const Triple<Floats> center = load<Floats>(to.center, lane);
      const Floats radius = load<Floats>(to.radius[ball_] + lane);
      Floats volume = zero;
      Triple<Floats> moment = {zero, zero, zero};
      for (unsigned left = rows.near; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const Triple<Floats> at = everywhere<Floats>(rows.center, k);
        const Triple<Floats> off = center - at;
        const Floats squared = dot(off, off), r = everywhere<Floats>(rows.radius[k]);
        const Floats both = r + radius;
        const auto is_lens = squared < both * both;
        const unsigned meet = bits_of(Floats::kTag, is_lens) & (to.all() >> lane);
        if (meet == 0) continue;
        is_any = true;
        lanes_.lenses += static_cast<std::size_t>(std::popcount(meet));
        // Lanes that are skipped where vectors are short have to be 0 where they are long.
        LensMoments<Floats> lens = lens_moments<Floats>(r, radius, square_root(squared), tiny);
        lens = {select_or_zero(is_lens, lens.volume), select_or_zero(is_lens, lens.toward)};
        volume = volume + lens.volume;
        for (std::size_t i = 0; i < 3; ++i)
          moment[i] = moment[i] + (lens.volume * at[i] + lens.toward * off[i]);
      }
      store(volume, found.volume + lane);
      store(moment, found.moment, lane);
    }
    if (is_any) found.add_to(sums, to);
  }

  HWY_INLINE void add_meeting(const PosedRows& rows, const Waiting& pair, const SphereBlock& from,
                              const SphereBlock& to) {
    for (unsigned left = rows.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      const Triple<float> at = {rows.center[0][k], rows.center[1][k], rows.center[2][k]};
      const float reach = rows.radius[k] + rows.rounding;
      unsigned meet = near_bits(to.center, to.radius[ball_], at, reach) & to.all();
      for (; meet != 0; meet &= meet - 1) {
        const std::uint32_t other = to.child[std::countr_zero(meet)];
        meeting_->push_back(pair.is_from_b ? SpherePair{other, from.child[k]}
                                           : SpherePair{from.child[k], other});
      }
    }
  }

  /// Blocks that lie in a sphere count whole, where a sum is asked for; others wait with the
  /// spheres that meet them.
  HWY_INLINE void open_by_spheres(const PosedRows& rows, const Waiting& pair, const SphereBlock& to,
                                  Sums& sums) {
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
    if (is_any_within) found.add_to(sums, to);
    for (std::size_t k = 0; k < to.count; ++k)
      if (meeting[k] != 0) waiting_.push_back({pair.from, to.child[k], meeting[k], pair.is_from_b});
  }

  /// Balls meet, and each ball meets the box of the other, each in the frame of its own body.
  HWY_INLINE void open_by_blocks(const PosedRows& rows, const Waiting& pair,
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
        add_pair(from.child[k], to.child[std::countr_zero(meet)], pair.is_from_b);
    }
  }

  const PosedBlocks& bodies_;
  std::size_t ball_;
  std::vector<Waiting>& waiting_;
  std::vector<SpherePair>* meeting_;  // null: sums are asked for
  BlockOverlapSearch::Lanes lanes_;
};

BlockOverlapSearch::Lanes find_overlap(const PosedBlocks& bodies, NodeBall ball,
                                       std::vector<BlockOverlapSearch::Waiting>& waiting,
                                       std::vector<SpherePair>* meeting) {
  return OverlapRun(bodies, ball, waiting, meeting).find();
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_overlap);
/// In the frame of `a`, in meters.
SphereOverlap total(const BlockOverlapSearch::Lanes& lanes, const PosedBlocks& bodies) {
  double volume[2] = {};
  Vec3 moment[2] = {Vec3::Zero(), Vec3::Zero()};
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t k = 0; k < SphereBlock::kWidth; ++k) {
      volume[side] += lanes.sums[side].volume[k];
      for (std::size_t i = 0; i < 3; ++i)
        moment[side][static_cast<Eigen::Index>(i)] += lanes.sums[side].moment[i][k];
    }
  const BlockMap& map = bodies.a_from_b;
  const double of_b = map.linear.determinant(), unit = bodies.a.unit;
  const double cube = std::numbers::pi / 12 * (unit * unit * unit);
  SphereOverlap sum;
  sum.volume = (volume[0] + of_b * volume[1]) * cube;
  sum.moment =
      (moment[0] + of_b * (map.linear * moment[1] + volume[1] * map.offset)) * (unit * cube);
  sum.lenses = lanes.lenses;
  sum.subtrees = lanes.subtrees;
  sum.tests = lanes.tests;
  return sum;
}

}  // namespace

SphereOverlap BlockOverlapSearch::find(const PosedBlocks& bodies, NodeBall ball) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  PLIMSOLL_ASSERT(bodies.are_alike(), "the sizes of the bodies are beyond floats");
  return total(HWY_DYNAMIC_DISPATCH(find_overlap)(bodies, ball, waiting_, nullptr), bodies);
}

void BlockOverlapSearch::find_meeting(const PosedBlocks& bodies) {
  PLIMSOLL_ASSERT(bodies.are_alike(), "the sizes of the bodies are beyond floats");
  meeting_.clear();
  HWY_DYNAMIC_DISPATCH(find_overlap)(bodies, NodeBall::kPrimary, waiting_, &meeting_);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
