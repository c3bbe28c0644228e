// Compiled once per instruction set.
#include "spheres/block_distance.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spheres/block_distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "spheres/block_rows.inc"

class NearRun {
 public:
  NearRun(const PosedBlocks& blocks, const PosedHierarchies& bodies, NodeBall ball, double limit,
          std::vector<BlockDistanceSearch::Waiting>& waiting)
      : blocks_(blocks),
        bodies_(bodies),
        kind_(ball),
        ball_(static_cast<std::size_t>(ball)),
        limit_(limit),
        unit_{blocks.a.unit, blocks.a.unit * static_cast<double>(blocks.a_from_b.scale)},
        waiting_(waiting) {}

  std::size_t visit(const void* on, BlockDistanceSearch::Offer offer) {
    waiting_.clear();
    add_pair({-std::numeric_limits<double>::infinity(), 0, 0, 0, false});
    while (!waiting_.empty()) {
      const Waiting pair = waiting_.back();
      waiting_.pop_back();
      if (!(pair.gap < limit_)) continue;
      open(pair, on, offer);
    }
    return tests_;
  }

 private:
  using Waiting = BlockDistanceSearch::Waiting;

  [[nodiscard]] const SphereBlocks& tree(bool is_b) const { return is_b ? blocks_.b : blocks_.a; }

  /// Of all children; blocks of spheres come first.
  HWY_INLINE void add_pair(Waiting pair) {
    const SphereBlock& x = tree(pair.is_from_b).blocks[pair.from];
    const SphereBlock& y = tree(!pair.is_from_b).blocks[pair.to];
    if (!x.has_spheres && y.has_spheres) {
      std::swap(pair.from, pair.to);
      pair.is_from_b = !pair.is_from_b;
    }
    pair.rows = static_cast<std::uint16_t>(tree(pair.is_from_b).blocks[pair.from].all());
    waiting_.push_back(pair);
  }

  /// The limit in the unit of the second block's tree, rounded up.
  [[nodiscard]] float limit_of(const Waiting& pair) const {
    return static_cast<float>(limit_ / unit_[pair.is_from_b ? 0 : 1]) * (1 + 0x1p-20F);
  }

  void open(const Waiting& pair, const void* on, BlockDistanceSearch::Offer offer) {
    const SphereBlock& from = tree(pair.is_from_b).blocks[pair.from];
    const SphereBlock& to = tree(!pair.is_from_b).blocks[pair.to];
    PosedRows rows;
    const BlockMap& map = pair.is_from_b ? blocks_.a_from_b : blocks_.b_from_a;
    if (!pose_rows(map, from, to, ball_, limit_of(pair), rows)) return;
    rows.near &= pair.rows;
    tests_ += static_cast<std::size_t>(std::popcount(rows.near));
    if (to.has_spheres)
      offer_spheres(rows, pair, from, to, on, offer);
    else if (from.has_spheres)
      open_by_spheres(rows, pair, to);
    else
      open_by_blocks(rows, pair, from, to);
  }

  /// Calls visit(child of the first block, child of the second one, lower bound of the gap in the
  /// frame of `a`).
  template <class Visit>
  HWY_INLINE void for_each_near(const PosedRows& rows, const Waiting& pair, const SphereBlock& to,
                                const Visit& visit) {
    const double unit = unit_[pair.is_from_b ? 0 : 1];
    for (unsigned left = rows.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      const Triple<Floats> at = everywhere<Floats>(rows.center, k);
      const Floats reach = everywhere<Floats>(rows.radius[k] + rows.rounding);
      const Floats limit = everywhere<Floats>(limit_of(pair));
      alignas(64) float gap[kWidth];
      unsigned near = 0;
      for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
        const Triple<Floats> off = load<Floats>(to.center, lane) - at;
        const Floats squared = dot(off, off);
        const Floats both = reach + load<Floats>(to.radius[ball_] + lane);
        const Floats farthest = both + limit;
        near |= bits_of(Floats::kTag, squared < farthest * farthest) << lane;
        store(square_root(squared) - both, gap + lane);
      }
      for (near &= to.all(); near != 0; near &= near - 1) {
        const auto j = static_cast<std::size_t>(std::countr_zero(near));
        visit(k, j, static_cast<double>(gap[j]) * unit);
      }
    }
  }

  void offer_spheres(const PosedRows& rows, const Waiting& pair, const SphereBlock& from,
                     const SphereBlock& to, const void* on, BlockDistanceSearch::Offer offer) {
    for_each_near(rows, pair, to, [&](std::size_t k, std::size_t j, double bound) {
      if (!(bound < limit_)) return;
      SpherePair leaves{from.child[k], to.child[j]};
      if (pair.is_from_b) std::swap(leaves.a, leaves.b);
      const double reach = bodies_.a_radius(leaves.a, kind_) + bodies_.b_radius(leaves.b, kind_);
      const double gap = std::sqrt(bodies_.squared_distance(leaves)) - reach;
      if (gap < limit_) limit_ = offer(on, leaves, gap);
    });
  }

  void open_by_spheres(const PosedRows& rows, const Waiting& pair, const SphereBlock& to) {
    Waiting below[kWidth];
    for (std::size_t j = 0; j < to.count; ++j)
      below[j] = {std::numeric_limits<double>::infinity(), pair.from, to.child[j], 0,
                  pair.is_from_b};
    for_each_near(rows, pair, to, [&](std::size_t k, std::size_t j, double bound) {
      below[j].gap = std::min(below[j].gap, bound);
      below[j].rows |= static_cast<std::uint16_t>(1U << k);
    });
    const auto begin = static_cast<std::ptrdiff_t>(waiting_.size());
    for (std::size_t j = 0; j < to.count; ++j)
      if (below[j].rows != 0) waiting_.push_back(below[j]);
    std::sort(waiting_.begin() + begin, waiting_.end(), comes_later);
  }

  void open_by_blocks(const PosedRows& rows, const Waiting& pair, const SphereBlock& from,
                      const SphereBlock& to) {
    const auto begin = static_cast<std::ptrdiff_t>(waiting_.size());
    for_each_near(rows, pair, to, [&](std::size_t k, std::size_t j, double bound) {
      add_pair({bound, from.child[k], to.child[j], 0, pair.is_from_b});
    });
    std::sort(waiting_.begin() + begin, waiting_.end(), comes_later);
  }

  static bool comes_later(const Waiting& x, const Waiting& y) {
    if (x.gap != y.gap) return x.gap > y.gap;
    return x.from != y.from ? x.from > y.from : x.to > y.to;
  }

  const PosedBlocks& blocks_;
  const PosedHierarchies& bodies_;
  NodeBall kind_;
  std::size_t ball_;
  double limit_;
  double unit_[2];  // of both trees, in the frame of `a`
  std::vector<Waiting>& waiting_;
  std::size_t tests_ = 0;
};

std::size_t visit_near_blocks(const PosedBlocks& blocks, const PosedHierarchies& bodies,
                              NodeBall ball, double limit,
                              std::vector<BlockDistanceSearch::Waiting>& waiting, const void* on,
                              BlockDistanceSearch::Offer offer) {
  return NearRun(blocks, bodies, ball, limit, waiting).visit(on, offer);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(visit_near_blocks);

constexpr double kInfinite = std::numeric_limits<double>::infinity();
}  // namespace

std::size_t BlockDistanceSearch::visit_near(const PosedBlocks& blocks,
                                            const PosedHierarchies& bodies, NodeBall ball,
                                            double limit, const void* on, Offer offer) {
  PLIMSOLL_ASSERT(blocks.are_alike(), "the sizes of the bodies are beyond floats");
  return HWY_DYNAMIC_DISPATCH(visit_near_blocks)(blocks, bodies, ball, limit, waiting_, on, offer);
}

bool BlockDistanceSearch::meet(const PosedBlocks& blocks, const PosedHierarchies& bodies) {
  bool meet = false;
  visit_near(blocks, bodies, NodeBall::kPrimary, 0, [&](SpherePair, double) {
    meet = true;
    return -kInfinite;
  });
  return meet;
}

SphereDistance BlockDistanceSearch::find(const PosedBlocks& blocks, const PosedHierarchies& bodies,
                                         std::optional<SpherePair> last) {
  SphereDistance found;
  found.distance = kInfinite;
  const auto offer = [&](SpherePair pair, double gap) {
    found.distance = std::max(0.0, gap);
    found.nearest = pair;
    return gap > 0 ? gap : -kInfinite;
  };
  double limit = kInfinite;
  if (last) limit = offer(*last, sphere_gap(bodies, *last));
  found.tests = visit_near(blocks, bodies, NodeBall::kPrimary, limit, offer);
  return found;
}

double BlockDistanceSearch::lower_bound(const PosedBlocks& blocks, const PosedHierarchies& bodies) {
  double least = kInfinite;
  visit_near(blocks, bodies, NodeBall::kReach, kInfinite, [&](SpherePair, double gap) {
    least = gap;
    return gap > 0 ? gap : -kInfinite;
  });
  return std::max(0.0, least - bodies.rounding());
}

}  // namespace plimsoll
#endif  // HWY_ONCE
