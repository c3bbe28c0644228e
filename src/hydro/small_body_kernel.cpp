// What a plane leaves wet of blocks of triangles, compiled once per instruction set: all of a query
// in one place, since the calls and the way through memory would take as long as the clip. A
// machine with fewer than eight lanes goes through the blocks several times, each time for some of
// the lanes.
#include "hydro/small_body.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hydro/small_body_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hydro/wide_clip.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

/// Where corners come from: blocks as they stand.
struct GivenCorners {
  const CornerBlock* blocks;

  HWY_INLINE Plain corner(std::size_t block, int k, int i, std::size_t lane) const {
    return {hn::Load(Wide(), blocks[block].corner[k][i] + lane)};
  }
};

/// Those of a small body, and the normals with them.
struct PreparedBlocks : GivenCorners {
  const NormalBlock* normals;

  explicit PreparedBlocks(const SmallBody& body)
      : GivenCorners{body.blocks.data()}, normals(body.normals.data()) {}

  HWY_INLINE Plain normal(std::size_t block, int i, std::size_t lane) const {
    return {hn::Load(Wide(), normals[block].normal[i] + lane)};
  }
  HWY_INLINE Plain first(std::size_t block, std::size_t lane) const {
    return {hn::Load(Wide(), normals[block].first + lane)};
  }
};

/// Those of a box, by its half edges.
struct BoxBlocks {
  double half[3], face[3], volume;

  explicit BoxBlocks(const Vec3& h)
      : half{h[0], h[1], h[2]},
        face{h[1] * h[2], h[2] * h[0], h[0] * h[1]},
        volume(face[0] * h[0]) {}

  HWY_INLINE Plain corner(std::size_t block, int k, int i, std::size_t lane) const {
    return Plain{hn::Load(Wide(), kCube.corners[block].corner[k][i] + lane)} * everywhere(half[i]);
  }
  HWY_INLINE Plain normal(std::size_t block, int i, std::size_t lane) const {
    return Plain{hn::Load(Wide(), kCube.normals[block].normal[i] + lane)} * everywhere(face[i]);
  }
  HWY_INLINE Plain first(std::size_t block, std::size_t lane) const {
    return Plain{hn::Load(Wide(), kCube.normals[block].first + lane)} * everywhere(volume);
  }
};

template <class Blocks>
HWY_INLINE void load_corners(const Blocks& blocks, std::size_t block, std::size_t lane,
                             Triangles& triangles) {
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) triangles.corner[k][i] = blocks.corner(block, k, i, lane).v;
}

/// The sum of eight lanes, in pairs, so that no addition waits for more than two others.
HWY_INLINE double sum_of(const double (&lane)[kLanes]) {
  return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/// The same of four sums at once.
HWY_INLINE void sums_of(const double (&lanes)[4][kLanes], double (&sums)[4]) {
#if HWY_CAP_GE256
  const hn::FixedTag<double, 4> fours;
  const hn::Half<decltype(fours)> twos;
  for (int i = 0; i < 4; i += 2) {
    const auto four = [&](int k) {
      return hn::Add(hn::Load(fours, lanes[k]), hn::Load(fours, lanes[k] + 4));
    };
    const auto low = four(i), high = four(i + 1);
    const auto pairs =
        hn::Add(hn::InterleaveLower(fours, low, high), hn::InterleaveUpper(fours, low, high));
    hn::StoreU(hn::Add(hn::LowerHalf(twos, pairs), hn::UpperHalf(twos, pairs)), twos, sums + i);
  }
#else
  for (int i = 0; i < 4; ++i) sums[i] = sum_of(lanes[i]);
#endif
}

// ---- volume and center alone

struct Heights {
  Plain of[3];
};

/// As settle_heights, but triangles that lie in the plane, which have no volume under it, are put
/// above it.
template <class Blocks>
HWY_NOINLINE Heights settled(const Blocks& blocks, std::size_t block, std::size_t lane,
                             const ClipPlane& plane, Heights heights) {
  Triangles triangles;
  load_corners(blocks, block, lane, triangles);
  const WideMask in_plane = settle_heights(
      triangles, hn::Set(Wide(), plane.nearness),
      [&](const Vec3& x) { return plane.exact_height(x); }, heights.of);
  for (Plain& h : heights.of) h = select(in_plane, everywhere(1), h);
  return heights;
}

/// A ClipPlane in all lanes, as far as volumes need it.
struct VolumePlane {
  explicit VolumePlane(const ClipPlane& given) : plane(&given) {
    for (int i = 0; i < 3; ++i) {
      apex[i] = everywhere(given.apex[i]);
      normal[i] = everywhere(given.normal[i]);
    }
    level = everywhere(given.normal.dot(given.apex));
    nearness = hn::Set(Wide(), given.nearness);
  }

  Plain apex[3], normal[3], level;
  WideVector nearness;
  const ClipPlane* plane;
};

/// Adds kWetVolume and kWetFirst of the triangles from `lane` on.
template <class Blocks>
HWY_INLINE void add_wet_volumes(const Blocks& blocks, std::size_t block, std::size_t lane,
                                const VolumePlane& plane, Plain (&sums)[4]) {
  Plain p[3][3];
  Heights h;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) p[k][i] = blocks.corner(block, k, i, lane);
    h.of[k] = dot(plane.normal, p[k]) - plane.level;
  }
  const auto lowest = hn::Min(hn::Abs(h.of[0].v), hn::Min(hn::Abs(h.of[1].v), hn::Abs(h.of[2].v)));
  if (HWY_UNLIKELY(!hn::AllFalse(Wide(), hn::Le(lowest, plane.nearness))))
    h = settled(blocks, block, lane, *plane.plane, h);
  Plain weight[3];
  wet_weights(cut_of(h.of), weight);
  Plain d = blocks.first(block, lane);
  for (int i = 0; i < 3; ++i) d = d - plane.apex[i] * blocks.normal(block, i, lane);
  sums[kWetVolume] = sums[kWetVolume] + d * (weight[0] + weight[1] + weight[2]);
  for (int i = 0; i < 3; ++i) {
    const Plain moment = weight[0] * p[0][i] + weight[1] * p[1][i] + weight[2] * p[2][i];
    sums[kWetFirst + i] = sums[kWetFirst + i] + d * moment;
  }
}

/// Of the blocks number(0), number(1), ...
template <class Blocks, class Number>
HWY_INLINE WetVolume wet_volume(const Blocks& blocks, std::size_t count, const Number& number,
                                const ClipPlane& plane) {
  const VolumePlane wide(plane);
  alignas(64) double lanes[4][kLanes];
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    Plain sums[4];
    for (Plain& sum : sums) sum = everywhere(0);
    for (std::size_t i = 0; i < count; ++i) add_wet_volumes(blocks, number(i), lane, wide, sums);
    for (std::size_t i = 0; i < 4; ++i) hn::Store(sums[i].v, Wide(), lanes[i] + lane);
  }
  double sums[4];
  sums_of(lanes, sums);
  return {sums[kWetVolume], {sums[kWetFirst], sums[kWetFirst + 1], sums[kWetFirst + 2]}};
}

// ---- all parts

/// Which of the sums a clip makes.
template <Among kAmong, bool kArea, bool kSection>
constexpr bool is_made(std::size_t sum) {
  if (sum < kWetArea) return true;
  if (sum == kWetArea) return kArea;
  return sum < kWholeVolume ? kSection : kAmong == Among::kAll;
}

/// Of the blocks number(0), number(1), ...
template <Among kAmong, bool kArea, bool kSection, class Blocks, class Number>
HWY_INLINE void clip(const Blocks& blocks, std::size_t count, const Number& number,
                     const ClipPlane& plane, WetTotals& totals) {
  ExactHeights heights(plane);
  const WidePlane wide = widened(plane, heights);
  alignas(64) double lanes[kWetSums][kLanes];
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    Plain sums[kWetSums];
    for (Plain& sum : sums) sum = everywhere(0);
    for (std::size_t i = 0; i < count; ++i) {
      Triangles triangles;
      load_corners(blocks, number(i), lane, triangles);
      if constexpr (kAmong == Among::kAll) subtract_center(wide, triangles);
      add_wet_parts<kAmong, kArea, kSection>(triangles, wide, sums);
    }
    for (std::size_t i = 0; i < kWetSums; ++i)
      if (is_made<kAmong, kArea, kSection>(i)) hn::Store(sums[i].v, Wide(), lanes[i] + lane);
  }
  for (std::size_t i = 0; i < kWetSums; ++i)
    totals[i] = is_made<kAmong, kArea, kSection>(i) ? sum_of(lanes[i]) : 0;
}

// ---- blocks by where they are

/// Numbers of blocks by the side of the plane that their balls are on; of dry ones none.
struct Sides {
  static constexpr std::size_t kRoom = SmallBody::kMaxTriangles / kLanes + 2 * kLanes;
  alignas(64) std::uint64_t cut[kRoom];
  alignas(64) std::uint64_t wet[kRoom];
  std::size_t cuts = 0, wets = 0;
};

HWY_INLINE void find_sides(const SmallBody& body, const ClipPlane& plane, Sides& sides) {
  using Numbers = hn::RebindToUnsigned<Wide>;
  WideVector unit[3];
  for (int i = 0; i < 3; ++i) unit[i] = hn::Set(Wide(), plane.unit[i]);
  const auto level = hn::Set(Wide(), plane.level);
  for (std::size_t i = 0; i < body.balls.size(); ++i) {
    const BlockBalls& balls = body.balls[i];
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
      const auto along = [&](int axis) {
        return hn::Mul(hn::Load(Wide(), balls.center[axis] + lane), unit[axis]);
      };
      const auto height = hn::Sub(hn::Add(hn::Add(along(0), along(1)), along(2)), level);
      const auto radius = hn::Load(Wide(), balls.radius + lane);
      const auto dry = hn::Gt(height, radius);
      const auto wet = hn::AndNot(dry, hn::Lt(height, hn::Neg(radius)));
      const auto numbers = hn::Iota(Numbers(), kLanes * i + lane);
      const auto append = [&](auto mask, std::uint64_t* list, std::size_t& count) {
        count +=
            hn::CompressStore(numbers, hn::RebindMask(Numbers(), mask), Numbers(), list + count);
      };
      append(wet, sides.wet, sides.wets);
      append(hn::Not(hn::Or(dry, wet)), sides.cut, sides.cuts);
    }
  }
}

HWY_INLINE SurfaceMoments moments_of_wet(const SmallBody& body, const Sides& sides) {
  constexpr std::size_t kVectors = kPatchSums / hn::MaxLanes(Wide());
  WideVector sums[kVectors];
  for (WideVector& sum : sums) sum = hn::Zero(Wide());
  for (std::size_t i = 0; i < sides.wets; ++i) {
    const double* of_block = body.moments[sides.wet[i]].sum;
    for (std::size_t v = 0; v < kVectors; ++v)
      sums[v] = hn::Add(sums[v], hn::Load(Wide(), of_block + v * hn::MaxLanes(Wide())));
  }
  SurfaceMoments moments;
  for (std::size_t v = 0; v < kVectors; ++v)
    hn::Store(sums[v], Wide(), moments.sum + v * hn::MaxLanes(Wide()));
  return moments;
}

constexpr std::size_t kFewBlocks = 4;  // of which a plane cuts most

/// For lists of blocks that are all there are.
struct Each {
  HWY_INLINE std::size_t operator()(std::size_t i) const { return i; }
};

HWY_INLINE WetVolume wet_volume_of(const SmallBody& body, const ClipPlane& plane) {
  const PreparedBlocks blocks(body);
  if (body.blocks.size() <= kFewBlocks)
    return wet_volume(blocks, body.blocks.size(), Each(), plane);
  Sides sides;
  find_sides(body, plane, sides);
  WetVolume sums =
      wet_volume(blocks, sides.cuts, [&](std::size_t i) { return sides.cut[i]; }, plane);
  if (sides.wets > 0) add_wet_patch(moments_of_wet(body, sides), plane.apex, sums);
  return sums;
}

template <bool kArea, bool kSection>
HWY_INLINE void clip_body(const SmallBody& body, const ClipPlane& plane, WetTotals& totals) {
  const PreparedBlocks blocks(body);
  if (body.blocks.size() <= kFewBlocks)
    return clip<Among::kNear, kArea, kSection>(blocks, body.blocks.size(), Each(), plane, totals);
  Sides sides;
  find_sides(body, plane, sides);
  clip<Among::kNear, kArea, kSection>(
      blocks, sides.cuts, [&](std::size_t i) { return sides.cut[i]; }, plane, totals);
  if (sides.wets > 0) add_wet_patch(moments_of_wet(body, sides), plane.apex, totals);
}

// ---- queries

void find_volume(const SmallBody& body, const WaterPlane& water, Submersion& wet) {
  const ClipPlane plane = clip_plane(water, body.frame);
  set_volume(wet_volume_of(body, plane), body.frame, plane, body.whole,
             block_additions(body.blocks.size()), wet);
}

void clip_parts(const SmallBody& body, const ClipPlane& plane, const SubmersionParts& parts,
                WetTotals& totals) {
  if (!parts.wetted_area) return clip_body<false, true>(body, plane, totals);
  if (!parts.waterplane) return clip_body<true, false>(body, plane, totals);
  clip_body<true, true>(body, plane, totals);
}

/// The sum over the edges of |e_j f_k| is 4 h_j h_k for each of the two triangles of a face.
void find_box(const Vec3& size, const WaterPlane& water, const SubmersionParts& parts,
              Submersion& wet) {
  constexpr std::size_t kBlocks = 2;
  BodyFrame frame;
  frame.exponent = frame_exponent(size.maxCoeff() / 2);
  const Vec3 half =
      size.unaryExpr([&](double s) { return times_power_of_two(s / 2, -frame.exponent); });
  frame.reach = half.maxCoeff();
  const ClipPlane plane = clip_plane(water, frame);
  const BoxBlocks blocks(half);
  const WholeBody whole{48 * blocks.volume,
                        16 * (blocks.face[0] + blocks.face[1] + blocks.face[2])};
  if (!parts.wetted_area && !parts.waterplane) {
    set_volume(wet_volume(blocks, kBlocks, Each(), plane), frame, plane, whole,
               block_additions(kBlocks), wet);
    return;
  }
  WetTotals totals;
  clip<Among::kNear, true, true>(blocks, kBlocks, Each(), plane, totals);
  wet = submersion_of(totals, frame, plane, whole, block_additions(kBlocks), parts);
}

Box3 box_of(const CornerBlock* blocks, std::size_t count) {
  Box3 box;
  if (count == 0) return box;
  for (int i = 0; i < 3; ++i) {
    WideVector low = hn::Load(Wide(), blocks[0].corner[0][i]), high = low;
    for (std::size_t b = 0; b < count; ++b)
      for (const auto& corner : blocks[b].corner)
        for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
          const WideVector x = hn::Load(Wide(), corner[i] + lane);
          low = hn::Min(low, x);
          high = hn::Max(high, x);
        }
    box.min()[i] = hn::GetLane(hn::MinOfLanes(Wide(), low));
    box.max()[i] = hn::GetLane(hn::MaxOfLanes(Wide(), high));
  }
  return box;
}

void find_all(CornerBlock* blocks, std::size_t count, const WaterPlane& water, Submersion& wet) {
  const BodyFrame frame = body_frame(box_of(blocks, count));
  if (frame.exponent != 0)
    for (std::size_t b = 0; b < count; ++b)
      for (auto& corner : blocks[b].corner)
        for (auto& lanes : corner)
          for (double& x : lanes) x = times_power_of_two(x, -frame.exponent);
  const ClipPlane plane = clip_plane(water, frame);
  WetTotals totals;
  clip<Among::kAll, true, true>(GivenCorners{blocks}, count, Each(), plane, totals);
  wet = submersion_of(totals, frame, plane, whole_body(totals, plane), block_additions(count));
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_volume);
HWY_EXPORT(clip_parts);
HWY_EXPORT(find_all);
HWY_EXPORT(find_box);
}  // namespace

Submersion small_body_submersion(const SmallBody& body, const WaterPlane& water,
                                 const SubmersionParts& parts) {
  if (!parts.wetted_area && !parts.waterplane) {
    Submersion wet;
    HWY_DYNAMIC_DISPATCH(find_volume)(body, water, wet);
    return wet;
  }
  const ClipPlane plane = clip_plane(water, body.frame);
  WetTotals totals;
  HWY_DYNAMIC_DISPATCH(clip_parts)(body, plane, parts, totals);
  return submersion_of(totals, body.frame, plane, body.whole, block_additions(body.blocks.size()),
                       parts);
}

Submersion blocks_submersion(CornerBlock* blocks, std::size_t count, const WaterPlane& water) {
  Submersion wet;
  HWY_DYNAMIC_DISPATCH(find_all)(blocks, count, water, wet);
  return wet;
}

Submersion box_submersion(const BoxSolid& box, const WaterPlane& water,
                          const SubmersionParts& parts) {
  Submersion wet;
  HWY_DYNAMIC_DISPATCH(find_box)(box.size, water, parts, wet);
  return wet;
}

}  // namespace plimsoll
#endif  // HWY_ONCE
