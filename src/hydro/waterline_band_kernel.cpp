// Bands about the waterline, compiled once per instruction set. Virtual lanes as in
// moment_tree_kernel.cpp, so that neither what is captured nor the sums depend on the width of the
// vectors.
#include "hydro/waterline_band.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hydro/waterline_band_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hydro/moment_tree_walk.h"
#include "hydro/wide_clip.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

HWY_INLINE void normal_of(const Plain (&p)[3][3], Plain (&normal)[3]) {
  Plain e[3], f[3];
  for (int i = 0; i < 3; ++i) {
    e[i] = p[1][i] - p[0][i];
    f[i] = p[2][i] - p[0][i];
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = e[j] * f[k] - e[k] * f[j];
  }
}

/// The integrals over triangles more (moment_tree.h), with N and D given.
HWY_INLINE void add_patch(const Plain (&p)[3][3], const Plain (&normal)[3], const Plain& d,
                          Plain (&sums)[kPatchSums]) {
  for (int i = 0; i < 3; ++i) {
    const Plain s = p[0][i] + p[1][i] + p[2][i];
    for (int j = 0; j < 3; ++j) sums[3 * i + j] = sums[3 * i + j] + s * normal[j];
    sums[kPatchNormal + i] = sums[kPatchNormal + i] + normal[i];
    sums[kPatchFirst + i] = sums[kPatchFirst + i] + d * s;
  }
  sums[kPatchArea] = sums[kPatchArea] + square_root(dot(normal, normal));
}

HWY_INLINE void add_patch_lanes(const double (&lanes)[kPatchSums][kLanes],
                                SurfaceMoments& moments) {
  for (std::size_t i = 0; i < kPatchSums; ++i)
    for (const double lane : lanes[i]) moments.sum[i] += lane;
}

/// Leaves near the waterline: of their triangles the wholly wet are summed, the dry forgotten, and
/// the others listed.
class BandLeaves {
 public:
  BandLeaves(const TriangleTree& tree, const ClipPlane& plane, double margin, WaterlineBand& band)
      : tree_(tree), margin_(hn::Set(Wide(), margin)), band_(band) {
    for (int i = 0; i < 3; ++i) normal_[i] = everywhere(plane.unit[i]);
    level_ = everywhere(plane.level);
  }

  Waiting<kBatch + kTogether * TriangleTree::kChildren> waiting;

  HWY_NOINLINE void take_waiting() {
    const std::size_t count = waiting.count / 2 * 2;
    if (is_large(tree_)) fetch_leaves(tree_, waiting.number, count);
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
      Plain sums[kPatchSums];
      for (Plain& sum : sums) sum = everywhere(0);
      for (std::size_t pair = 0; pair < count; pair += 2) take(waiting.number + pair, lane, sums);
      for (std::size_t i = 0; i < kPatchSums; ++i)
        store(load(sums_[i] + lane) + sums[i], sums_[i] + lane);
    }
    list(count);
    waiting.number[0] = waiting.number[count];
    waiting.count -= count;
    ++batches_;
  }

  void finish() {
    if (waiting.count % 2 == 1)
      waiting.number[waiting.count++] = static_cast<std::uint32_t>(tree_.leaves.size() - 1);
    take_waiting();
    add_patch_lanes(sums_, band_.wet);
    band_.additions += kBatch + batches_ + kLanes;
  }

 private:
  HWY_INLINE void take(const std::uint32_t* pair, std::size_t lane, Plain (&sums)[kPatchSums]) {
    Triangles triangles;
    load_leaves(tree_, pair, lane, triangles);
    Plain p[3][3], h[3];
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) p[k][i] = {triangles.corner[k][i]};
      h[k] = dot(normal_, p[k]) - level_;
    }
    const auto low = hn::Min(hn::Min(h[0].v, h[1].v), h[2].v);
    const auto high = hn::Max(hn::Max(h[0].v, h[1].v), h[2].v);
    const WideMask wet = hn::Lt(high, hn::Neg(margin_));
    const WideMask others = hn::Not(hn::Or(wet, hn::Gt(low, margin_)));
    const auto middle = hn::Max(hn::Min(h[0].v, h[1].v), hn::Min(hn::Max(h[0].v, h[1].v), h[2].v));
    const auto alone = hn::IfThenElse(hn::Gt(middle, hn::Zero(Wide())), low, high);
    const auto corner = hn::IfThenElse(
        hn::Eq(h[0].v, alone), hn::Zero(Wide()),
        hn::IfThenElse(hn::Eq(h[1].v, alone), hn::Set(Wide(), 1.0), hn::Set(Wide(), 2.0)));
    const std::size_t at = static_cast<std::size_t>(pair - waiting.number) / 2;
    hn::Store(hn::IfThenElse(others, middle, hn::Set(Wide(), kUnlisted)), Wide(),
              second_[at] + lane);
    hn::Store(corner, Wide(), corner_[at] + lane);
    const auto clearance = hn::IfThenElse(hn::Gt(middle, hn::Zero(Wide())), low, hn::Neg(high));
    hn::Store(clearance, Wide(), clearance_[at] + lane);
    if (hn::AllFalse(Wide(), wet)) return;
    band_.some_is_wet = true;
    Plain normal[3];
    normal_of(p, normal);
    for (Plain& n : normal) n = select_or_zero(wet, n);
    add_patch(p, normal, dot(p[0], normal), sums);
  }

  /// Without branches, which nothing could predict.
  void list(std::size_t leaves) {
    std::size_t end = band_.found.size();
    band_.found.resize(end + TriangleTree::kLeafTriangles * leaves);
    for (std::size_t i = 0; i < leaves; ++i) {
      const std::uint32_t number = waiting.number[i];
      const TriangleTree::Leaf& leaf = tree_.leaves[number];
      for (std::uint32_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
        const std::size_t lane = TriangleTree::kLeafTriangles * (i % 2) + t;
        const double second = second_[i / 2][lane];
        band_.found[end] = {static_cast<std::uint32_t>(TriangleTree::kLeafTriangles) * number + t,
                            static_cast<std::uint32_t>(corner_[i / 2][lane]),
                            static_cast<float>(second),
                            static_cast<float>(clearance_[i / 2][lane])};
        const bool is_point = leaf.corner[0][t] == leaf.corner[1][t];
        end += second != kUnlisted && !is_point ? 1 : 0;
      }
    }
    band_.found.resize(end);
  }

  static constexpr double kUnlisted = 1e300;
  static constexpr std::size_t kMaxFound = kBatch + (kTogether + 1) * TriangleTree::kChildren;

  const TriangleTree& tree_;
  Plain normal_[3], level_;
  WideVector margin_;
  WaterlineBand& band_;
  alignas(64) double sums_[kPatchSums][kLanes] = {};
  alignas(64) double second_[kMaxFound / 2][kLanes];
  alignas(64) double corner_[kMaxFound / 2][kLanes];
  alignas(64) double clearance_[kMaxFound / 2][kLanes];
  std::size_t batches_ = 0;
};

void find_band(const MomentTree& tree, const ClipPlane& plane, double margin, WaterlineBand& band) {
  TreeTotals totals;
  WetSubtrees wet(tree);
  const TriangleTree& triangles = *tree.triangles;
  BandLeaves leaves(triangles, plane, margin, band);
  walk(triangles, NodeTest(plane, triangles.frame.reach, margin), wet, leaves);
  wet.finish(totals);
  band.wet = totals.wet;
  band.some_is_wet = totals.additions > 0;
  band.additions = totals.additions;
  leaves.finish();
}

using Group = WaterlineBand::Group;

/// Fills what follows from the corners.
void complete_groups(std::vector<Group>& groups, SurfaceMoments& whole) {
  alignas(64) double lanes[kPatchSums][kLanes] = {};
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    Plain sums[kPatchSums];
    for (Plain& sum : sums) sum = everywhere(0);
    for (Group& group : groups) {
      Plain p[3][3], normal[3];
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) p[k][i] = load(group.corner[k][i] + lane);
      normal_of(p, normal);
      const Plain d = dot(p[0], normal);
      for (int i = 0; i < 3; ++i) store(normal[i], group.normal[i] + lane);
      store(d, group.first + lane);
      add_patch(p, normal, d, sums);
    }
    for (std::size_t i = 0; i < kPatchSums; ++i) store(sums[i], lanes[i] + lane);
  }
  whole = {};
  add_patch_lanes(lanes, whole);
}

/// Three times the shares of the corners in the piece on the far side of `normal`, of triangles
/// that are whole on this side or have their first corner alone on the other. As in wide_clip.h,
/// but with one division: where its denominator would underflow the triangle is in the plane.
HWY_INLINE void small_pieces(const Plain (&h)[3], Plain (&weight)[3]) {
  const Plain d1 = h[0] - h[1], d2 = h[0] - h[2];
  const Plain product{hn::Max((d1 * d2).v, hn::Set(Wide(), 1e-290))};
  const Plain ratio = select_or_zero(hn::Le(h[0].v, hn::Zero(Wide())), h[0] / product);
  const Plain share = ratio * h[0];
  weight[1] = share * (ratio * d2);
  weight[2] = share * (ratio * d1);
  weight[0] = everywhere(3) * share - weight[1] - weight[2];
}

/// The same of those that `is_small` is false for.
HWY_NOINLINE void other_pieces(const Plain (&h)[3], WideMask is_small, Plain (&weight)[3]) {
  Plain other[3];
  wet_weights(cut_of(h), other);
  for (int k = 0; k < 3; ++k) weight[k] = select(is_small, weight[k], other[k]);
}

/// Adds volume and first moments of what is on the far side of `normal`.
HWY_INLINE void add_pieces(const Group& group, std::size_t lane, const Plain (&normal)[3],
                           const Plain& level, const Plain (&apex)[3], Plain (&sums)[4]) {
  Plain p[3][3], h[3];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) p[k][i] = load(group.corner[k][i] + lane);
    h[k] = dot(normal, p[k]) - level;
  }
  const auto zero = hn::Zero(Wide());
  const auto others = hn::Min(h[1].v, h[2].v);
  if (hn::AllTrue(Wide(), hn::Gt(hn::Min(h[0].v, others), zero))) return;
  Plain weight[3];
  small_pieces(h, weight);
  const WideMask is_small = hn::Gt(others, zero);
  if (HWY_UNLIKELY(!hn::AllTrue(Wide(), is_small))) other_pieces(h, is_small, weight);
  Plain d = load(group.first + lane);
  for (int i = 0; i < 3; ++i) d = d - apex[i] * load(group.normal[i] + lane);
  sums[kWetVolume] = sums[kWetVolume] + d * (weight[0] + weight[1] + weight[2]);
  for (int i = 0; i < 3; ++i) {
    const Plain moment = weight[0] * p[0][i] + weight[1] * p[1][i] + weight[2] * p[2][i];
    sums[kWetFirst + i] = sums[kWetFirst + i] + d * moment;
  }
}

/// Volume and first moments of the pieces of one kind: `sign` is 1 for those that are wet, -1 for
/// those that are dry.
HWY_NOINLINE void sum_pieces(const WaterlineBand::Kind& kind, const ClipPlane& plane, float moved,
                             double sign, WetLanes& lanes) {
  const std::vector<Group>& groups = kind.groups;
  Plain normal[3], apex[3];
  for (int i = 0; i < 3; ++i) {
    normal[i] = everywhere(sign * plane.unit[i]);
    apex[i] = everywhere(plane.apex[i]);
  }
  const Plain level = everywhere(sign * plane.level);
  // Both halves of a group one after the other: they share cache lines.
  constexpr std::size_t kTimes = kLanes / hn::MaxLanes(Wide());
  for (std::size_t begin = 0; begin < groups.size(); begin += kBlockGroups) {
    Plain sums[kTimes][4];
    for (auto& of_lanes : sums)
      for (Plain& sum : of_lanes) sum = everywhere(0);
    const std::size_t end = HWY_MIN(begin + kBlockGroups, groups.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (kind.clearance[i] > moved) continue;
      for (std::size_t k = 0; k < kTimes; ++k)
        add_pieces(groups[i], k * hn::Lanes(Wide()), normal, level, apex, sums[k]);
    }
    for (std::size_t k = 0; k < kTimes; ++k)
      for (std::size_t i = 0; i < 4; ++i) {
        double* total = &lanes.sum[i][k * hn::Lanes(Wide())];
        store(load(total) + everywhere(sign) * sums[k][i], total);
      }
  }
}

void sum_small_pieces(const WaterlineBand& band, const ClipPlane& plane, float moved,
                      TreeTotals& totals) {
  WetLanes lanes;
  sum_pieces(band.kinds[0], plane, moved, 1, lanes);
  sum_pieces(band.kinds[1], plane, moved, -1, lanes);
  add_lanes(lanes, totals.clipped);
}

template <bool kArea, bool kSection>
void clip_kind(const std::vector<Group>& groups, const WidePlane& plane, WetLanes& lanes) {
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide()))
    for (std::size_t begin = 0; begin < groups.size(); begin += kBlockGroups) {
      Plain sums[kWetSums];
      for (Plain& sum : sums) sum = everywhere(0);
      const std::size_t end = HWY_MIN(begin + kBlockGroups, groups.size());
      for (std::size_t group = begin; group < end; ++group) {
        Triangles triangles;
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i)
            triangles.corner[k][i] = hn::Load(Wide(), groups[group].corner[k][i] + lane);
        add_wet_parts<Among::kNear, kArea, kSection>(triangles, plane, sums);
      }
      add_to(lanes, lane, sums);
    }
}

template <bool kArea, bool kSection>
void clip_band(const WaterlineBand& band, const ClipPlane& plane, TreeTotals& totals) {
  ExactHeights heights(plane);
  const WidePlane wide = widened(plane, heights);
  WetLanes lanes;
  for (const WaterlineBand::Kind& kind : band.kinds)
    clip_kind<kArea, kSection>(kind.groups, wide, lanes);
  add_lanes(lanes, totals.clipped);
}

void clip_groups(const WaterlineBand& band, const ClipPlane& plane, bool area, bool section,
                 TreeTotals& totals) {
  if (area && section) return clip_band<true, true>(band, plane, totals);
  if (area) return clip_band<true, false>(band, plane, totals);
  clip_band<false, true>(band, plane, totals);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {

HWY_EXPORT(find_band);
HWY_EXPORT(complete_groups);
HWY_EXPORT(sum_small_pieces);
HWY_EXPORT(clip_groups);

constexpr auto kOfLeaf = static_cast<std::uint32_t>(TriangleTree::kLeafTriangles);

/// Puts a triangle of the tree, seen from one of its corners, at a place of the groups.
void put(const TriangleTree& tree, const WaterlineBand::Found& found, WaterlineBand::Kind& kind,
         std::size_t place) {
  WaterlineBand::Group& group = kind.groups[place / kLanes];
  const std::size_t lane = place % kLanes;
  const TriangleTree::Leaf& leaf = tree.leaves[found.triangle / kOfLeaf];
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t v = leaf.corner[(found.corner + k) % 3][found.triangle % kOfLeaf];
    for (int i = 0; i < 3; ++i) group.corner[k][i][lane] = tree.vertices[v].x[i];
  }
}

/// A point, which adds nothing, where the last group has no triangle.
void put_point(WaterlineBand::Kind& kind, std::size_t place) {
  WaterlineBand::Group& group = kind.groups[place / kLanes];
  for (auto& corner : group.corner)
    for (auto& lanes : corner) lanes[place % kLanes] = 0;
}

/// A counting sort, so that equal ones stay in order. First those that are cut, by the second
/// corner's height: groups of which one triangle needs the longer way have others that do. Then
/// those that are not, by the clearance: groups from some on need not be looked at.
void pack(const TriangleTree& tree, WaterlineBand& band) {
  constexpr std::size_t kBins = 64, kHalf = kBins / 2;
  float reach = 1e-30F;  // of a body no smaller: what is over it does not overflow
  for (const auto& found : band.found)
    reach = std::max({reach, std::fabs(found.second), found.clearance});
  const float per_height = static_cast<float>(kHalf) / reach;
  const auto bin = [&](const WaterlineBand::Found& found) {
    const bool is_cut = found.clearance < 0;
    const float height = is_cut ? std::fabs(found.second) : found.clearance;
    const auto step = std::min(static_cast<std::size_t>(height * per_height), kHalf - 1);
    return is_cut ? step : kHalf + step;
  };
  const auto kind = [&](const WaterlineBand::Found& found) {
    return found.second > 0 || !band.some_is_wet ? 0U : 1U;
  };
  std::array<std::array<std::size_t, kBins + 1>, 2> place{};
  for (const auto& found : band.found) ++place[kind(found)][bin(found) + 1];
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < kBins; ++i) place[k][i + 1] += place[k][i];
    band.kinds[k].groups.resize((place[k][kBins] + kLanes - 1) / kLanes);
    band.kinds[k].clearance.assign(band.kinds[k].groups.size(),
                                   std::numeric_limits<float>::infinity());
    for (std::size_t i = place[k][kBins]; i < kLanes * band.kinds[k].groups.size(); ++i)
      put_point(band.kinds[k], i);
  }
  for (const auto& found : band.found) {
    WaterlineBand::Kind& of_kind = band.kinds[kind(found)];
    const std::size_t at = place[kind(found)][bin(found)]++;
    put(tree, found, of_kind, at);
    // A triangle that is not what its kind takes it for is looked at always.
    const bool is_of_kind = (found.second > 0) == (kind(found) == 0);
    float& clearance = of_kind.clearance[at / kLanes];
    clearance = std::min(clearance, is_of_kind ? found.clearance : -1.0F);
  }
  for (WaterlineBand::Kind& of_kind : band.kinds)
    HWY_DYNAMIC_DISPATCH(complete_groups)(of_kind.groups, of_kind.whole);
}

}  // namespace

void capture(const MomentTree& tree, const ClipPlane& plane, double margin, WaterlineBand& band) {
  band.found.clear();
  HWY_DYNAMIC_DISPATCH(find_band)(tree, plane, margin, band);
  pack(*tree.triangles, band);
}

void sum_band(const WaterlineBand& band, const ClipPlane& plane, double moved, bool area,
              bool section, TreeTotals& totals) {
  totals.wet = band.wet;
  const std::size_t groups = band.kinds[0].groups.size() + band.kinds[1].groups.size();
  totals.additions += band.additions + kBlockGroups + groups / kBlockGroups + 2 * kLanes;
  if (area || section) {
    HWY_DYNAMIC_DISPATCH(clip_groups)(band, plane, area, section, totals);
    return;
  }
  for (std::size_t i = 0; i < kPatchSums; ++i) totals.wet.sum[i] += band.kinds[1].whole.sum[i];
  totals.additions += band.found.size();
  // Clearances are rounded to float.
  HWY_DYNAMIC_DISPATCH(sum_small_pieces)
  (band, plane, static_cast<float>(1.000001 * moved), totals);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
