// The wet part of triangles, as many at once as there are lanes, for whichever instruction set is
// being compiled. Included once per target by a Highway translation unit, so it has no include
// guard of the usual kind.
//
// A plane cuts a triangle into a smaller triangle at the one corner A that is alone on its side,
// and the rest. With heights h over the plane and B, C the corners after A,
//
//   t1 = h_A / (h_A - h_B),   t2 = h_A / (h_A - h_C)
//
// are where the edges AB and AC meet the plane, and the small triangle has the share f = t1 t2 of
// the area and the centroid (3 A + t1 (B - A) + t2 (C - A)) / 3. The wet part is the small triangle
// if A is wet, else all but it; where no edge is cut f = 0 and "all but it" is all or nothing.
// Corners on the plane are wet. The volume between the wet part and the apex is D f / 6, and so on,
// since all of it lies in the triangle's own plane.
#if defined(PLIMSOLL_WIDE_CLIP_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_WIDE_CLIP_H
#undef PLIMSOLL_WIDE_CLIP_H
#else
#define PLIMSOLL_WIDE_CLIP_H
#endif

#include "hydro/clip_sums.h"
#include "hydro/exact_heights.h"
#include "simd/wide_triangles.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {

using WideMask = hn::Mask<Wide>;

/// A ClipPlane in all lanes.
struct WidePlane {
  Plain center[3], apex[3], normal[3];
  Plain level;  // in lengths of `normal`
  WideVector nearness;
  WideMask section_first_is_y;   // the axis is x: sections are taken in (y, z)
  WideMask section_second_is_y;  // the axis is z: in (x, y); else in (x, z)
  ExactHeights* heights;         // over the plane
};

HWY_INLINE WidePlane widened(const ClipPlane& plane, ExactHeights& heights) {
  WidePlane wide;
  for (int i = 0; i < 3; ++i) {
    wide.center[i] = everywhere(plane.center[i]);
    wide.apex[i] = everywhere(plane.apex[i]);
    wide.normal[i] = everywhere(plane.normal[i]);
  }
  wide.level = everywhere(plane.normal.dot(plane.apex));
  wide.nearness = hn::Set(Wide(), plane.nearness);
  const auto axis = hn::Set(Wide(), static_cast<double>(plane.axis));
  wide.section_first_is_y = hn::Eq(axis, hn::Set(Wide(), 0.0));
  wide.section_second_is_y = hn::Eq(axis, hn::Set(Wide(), 2.0));
  wide.heights = &heights;
  return wide;
}

HWY_INLINE Plain dot(const Plain (&a)[3], const Plain (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Takes the center of the plane's frame off the corners, which is exact.
HWY_INLINE void subtract_center(const WidePlane& plane, Triangles& triangles) {
  for (auto& corner : triangles.corner)
    for (int i = 0; i < 3; ++i) corner[i] = hn::Sub(corner[i], plane.center[i].v);
}

/// Puts exact heights, `exact_height` of a point, in place of those that may be on the wrong side,
/// at most `nearness` over or under the plane, and tells which triangles lie in it.
template <class ExactHeight>
HWY_NOINLINE WideMask settle_heights(const Triangles& triangles, WideVector nearness,
                                     ExactHeight&& exact_height, Plain (&height)[3]) {
  const double limit = hn::GetLane(nearness);
  alignas(64) double x[3][kLanes];
  alignas(64) double h[kLanes];
  WideMask in_plane = hn::Eq(hn::Zero(Wide()), hn::Zero(Wide()));
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) hn::Store(triangles.corner[k][i], Wide(), x[i]);
    hn::Store(height[k].v, Wide(), h);
    for (std::size_t lane = 0; lane < hn::Lanes(Wide()); ++lane)
      if (std::fabs(h[lane]) <= limit)
        h[lane] = exact_height(Vec3(x[0][lane], x[1][lane], x[2][lane]));
    height[k].v = hn::Load(Wide(), h);
    in_plane = hn::And(in_plane, hn::Eq(height[k].v, hn::Zero(Wide())));
  }
  return in_plane;
}

/// Where a triangle is cut: A is corner 0, 1 or 2.
struct Cut {
  WideMask is_first, is_second;  // A is corner 0, corner 1
  WideMask others_wet;           // B and C, which are on one side
  Plain t1, t2;
};

HWY_INLINE Cut cut_of(const Plain (&h)[3]) {
  const auto zero = hn::Zero(Wide());
  const WideMask wet0 = hn::Le(h[0].v, zero);
  const WideMask wet1 = hn::Le(h[1].v, zero);
  const WideMask wet2 = hn::Le(h[2].v, zero);
  const WideMask differ01 = hn::Xor(wet0, wet1);
  const WideMask differ12 = hn::Xor(wet1, wet2);
  const WideMask is_cut = hn::Or(differ01, differ12);
  Cut cut;
  cut.is_first = hn::Not(differ12);
  cut.is_second = hn::And(differ01, differ12);
  const Plain a = select(cut.is_first, h[0], select(cut.is_second, h[1], h[2]));
  const Plain b = select(cut.is_first, h[1], select(cut.is_second, h[2], h[0]));
  const Plain c = select(cut.is_first, h[2], select(cut.is_second, h[0], h[1]));
  cut.others_wet = hn::Le(b.v, zero);
  cut.t1 = select_or_zero(is_cut, a / (a - b));
  cut.t2 = select_or_zero(is_cut, a / (a - c));
  return cut;
}

/// Whether all of these triangles are on one side each.
HWY_INLINE bool are_whole(const Plain (&h)[3]) {
  const auto zero = hn::Zero(Wide());
  const WideMask wet1 = hn::Le(h[1].v, zero);
  const WideMask differ01 = hn::Xor(hn::Le(h[0].v, zero), wet1);
  const WideMask differ12 = hn::Xor(hn::Le(h[2].v, zero), wet1);
  return hn::AllFalse(Wide(), hn::Or(differ01, differ12));
}

/// What corners 0, 1, 2 count for in three times the first moment of the wet part.
HWY_INLINE void wet_weights(const Cut& cut, Plain (&weight)[3]) {
  const Plain base = select_or_zero(cut.others_wet, everywhere(1));
  const Plain share = cut.t1 * cut.t2;
  const Plain f{hn::IfThenElse(cut.others_wet, hn::Neg(share.v), share.v)};
  const Plain b = f * cut.t1, c = f * cut.t2;
  const Plain a = everywhere(3) * f - b - c;
  weight[0] = base + select(cut.is_first, a, select(cut.is_second, c, b));
  weight[1] = base + select(cut.is_first, b, select(cut.is_second, a, c));
  weight[2] = base + select(cut.is_first, c, select(cut.is_second, b, a));
}

/// Adds the segment that the section's border runs along in these triangles: from AC to AB if A is
/// wet, so that the section lies to its left seen from above, else from AB to AC.
HWY_INLINE void add_segment(const Plain (&p)[3][3], const Cut& cut, const WidePlane& plane,
                            Plain (&sums)[kWetSums]) {
  Plain s[3], t[3];
  for (int k = 0; k < 3; ++k) {
    s[k] = select(plane.section_first_is_y, p[k][1], p[k][0]);
    t[k] = select(plane.section_second_is_y, p[k][1], p[k][2]);
  }
  const auto rotated = [&](const Plain(&x)[3], Plain& a, Plain& b, Plain& c) {
    a = select(cut.is_first, x[0], select(cut.is_second, x[1], x[2]));
    b = select(cut.is_first, x[1], select(cut.is_second, x[2], x[0]));
    c = select(cut.is_first, x[2], select(cut.is_second, x[0], x[1]));
  };
  Plain sa, sb, sc, ta, tb, tc;
  rotated(s, sa, sb, sc);
  rotated(t, ta, tb, tc);
  const Plain s1 = sa + cut.t1 * (sb - sa), s2 = sa + cut.t2 * (sc - sa);
  const Plain t1 = ta + cut.t1 * (tb - ta), t2 = ta + cut.t2 * (tc - ta);
  const Plain forward = s1 * t2 - s2 * t1;
  const Plain d{hn::IfThenElse(cut.others_wet, forward.v, hn::Neg(forward.v))};
  const Plain ss = s1 + s2, tt = t1 + t2;
  sums[kSectionArea] = sums[kSectionArea] + d;
  sums[kSectionFirst] = sums[kSectionFirst] + d * ss;
  sums[kSectionFirst + 1] = sums[kSectionFirst + 1] + d * tt;
  sums[kSectionSecond] = sums[kSectionSecond] + d * (ss * ss - s1 * s2);
  sums[kSectionSecond + 1] = sums[kSectionSecond + 1] + d * (tt * tt - t1 * t2);
  sums[kSectionSecond + 2] = sums[kSectionSecond + 2] + d * (ss * tt + s1 * t1 + s2 * t2);
}

/// Among which triangles: at the waterline most are cut; near it many groups are not, and with the
/// same bits cost less; among all of a mesh hardly any is, and the sums over the whole are wanted.
enum class Among { kCut, kNear, kAll };

/// Adds what the wet parts of `triangles`, relative to the center, add up to.
template <Among kAmong, bool kArea, bool kSection>
HWY_INLINE void add_wet_parts(const Triangles& triangles, const WidePlane& plane,
                              Plain (&sums)[kWetSums]) {
  const Plain p[3][3] = {
      {{triangles.corner[0][0]}, {triangles.corner[0][1]}, {triangles.corner[0][2]}},
      {{triangles.corner[1][0]}, {triangles.corner[1][1]}, {triangles.corner[1][2]}},
      {{triangles.corner[2][0]}, {triangles.corner[2][1]}, {triangles.corner[2][2]}}};
  Plain h[3] = {dot(plane.normal, p[0]) - plane.level, dot(plane.normal, p[1]) - plane.level,
                dot(plane.normal, p[2]) - plane.level};
  const auto lowest = hn::Min(hn::Abs(h[0].v), hn::Min(hn::Abs(h[1].v), hn::Abs(h[2].v)));
  const auto near = hn::Le(lowest, plane.nearness);
  WideMask off_plane = hn::Ge(lowest, lowest);
  if (HWY_UNLIKELY(!hn::AllFalse(Wide(), near)))
    off_plane = hn::Not(settle_heights(triangles, plane.nearness, *plane.heights, h));

  constexpr bool kWhole = kAmong == Among::kAll;
  const bool is_whole = kAmong != Among::kCut && are_whole(h);
  if constexpr (kAmong == Among::kNear)
    if (is_whole && hn::AllTrue(Wide(), hn::Gt(h[0].v, hn::Zero(Wide())))) return;
  Cut cut{};
  Plain weight[3];
  if (is_whole) {
    for (Plain& w : weight) w = select_or_zero(hn::Le(h[0].v, hn::Zero(Wide())), everywhere(1));
  } else {
    cut = cut_of(h);
    wet_weights(cut, weight);
  }
  Plain moment[3], e[3], f[3], normal[3], from_apex[3];
  for (int i = 0; i < 3; ++i) {
    moment[i] = weight[0] * p[0][i] + weight[1] * p[1][i] + weight[2] * p[2][i];
    e[i] = p[1][i] - p[0][i];
    f[i] = p[2][i] - p[0][i];
    from_apex[i] = p[0][i] - plane.apex[i];
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Plain right = e[j] * f[k], left = e[k] * f[j];
    normal[i] = right - left;
    if constexpr (kWhole) sums[kMagnitude] = sums[kMagnitude] + absolute(right) + absolute(left);
  }
  const Plain whole = dot(from_apex, normal);
  const Plain d = select_or_zero(off_plane, whole);
  const Plain wet = weight[0] + weight[1] + weight[2];
  sums[kWetVolume] = sums[kWetVolume] + d * wet;
  for (int i = 0; i < 3; ++i) sums[kWetFirst + i] = sums[kWetFirst + i] + d * moment[i];
  if constexpr (kArea) sums[kWetArea] = sums[kWetArea] + square_root(dot(normal, normal)) * wet;
  if constexpr (kSection)
    if (!is_whole) add_segment(p, cut, plane, sums);
  if constexpr (kWhole) {
    sums[kWholeVolume] = sums[kWholeVolume] + whole;
    for (int i = 0; i < 3; ++i) sums[kWholeNormal + i] = sums[kWholeNormal + i] + normal[i];
  }
}

/// Adds the sums of lanes from `lane` on, but for those over whole bodies, to `lanes`.
HWY_INLINE void add_to(WetLanes& lanes, std::size_t lane, const Plain (&sums)[kWetSums]) {
  for (std::size_t i = 0; i < kWholeVolume; ++i) {
    double* total = &lanes.sum[i][lane];
    store(load(total) + sums[i], total);
  }
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
