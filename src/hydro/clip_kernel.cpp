// Compiled once per instruction set. A machine with fewer than eight lanes goes through the chunk
// several times, each time for some of the lanes.
#include "hydro/clip_kernel.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hydro/clip_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hydro/wide_clip.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

template <bool kIndexed, class Scalar>
void clip_lanes(const PackedCorners<Scalar>& c, std::size_t first, std::size_t lane,
                const WidePlane& plane, WetLanes& out) {
  Plain total[kWetSums];
  for (Plain& sum : total) sum = everywhere(0);
  const std::size_t groups = HWY_MIN(kChunk, c.count - first) / kLanes;
  for (std::size_t begin = 0; begin < groups; begin += kBlockGroups) {
    Plain sums[kWetSums];
    for (Plain& sum : sums) sum = everywhere(0);
    const std::size_t end = HWY_MIN(begin + kBlockGroups, groups);
    for (std::size_t group = begin; group < end; ++group) {
      Triangles triangles;
      load_triangles<kIndexed>(c, first + group * kLanes + lane, triangles);
      subtract_center(plane, triangles);
      add_wet_parts<Among::kAll, true, true>(triangles, plane, sums);
    }
    for (std::size_t i = 0; i < kWetSums; ++i) total[i] = total[i] + sums[i];
  }
  for (std::size_t i = 0; i < kWetSums; ++i) hn::Store(total[i].v, Wide(), &out.sum[i][lane]);
}

template <class Scalar>
void wet_sums_of_chunk(const PackedCorners<Scalar>& c, std::size_t first, const ClipPlane& plane,
                       WetLanes& lanes) {
  ExactHeights heights(plane);
  const WidePlane wide = widened(plane, heights);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    if (c.indices != nullptr) {
      clip_lanes<true>(c, first, lane, wide, lanes);
    } else {
      clip_lanes<false>(c, first, lane, wide, lanes);
    }
  }
}

void clip_chunk_double(const PackedCorners<double>& corners, std::size_t first,
                       const ClipPlane& plane, WetLanes& lanes) {
  wet_sums_of_chunk(corners, first, plane, lanes);
}
void clip_chunk_float(const PackedCorners<float>& corners, std::size_t first,
                      const ClipPlane& plane, WetLanes& lanes) {
  wet_sums_of_chunk(corners, first, plane, lanes);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(clip_chunk_double);
HWY_EXPORT(clip_chunk_float);
}  // namespace

void clip_chunk(const PackedCorners<double>& corners, std::size_t first, const ClipPlane& plane,
                WetLanes& lanes) {
  HWY_DYNAMIC_DISPATCH(clip_chunk_double)(corners, first, plane, lanes);
}
void clip_chunk(const PackedCorners<float>& corners, std::size_t first, const ClipPlane& plane,
                WetLanes& lanes) {
  HWY_DYNAMIC_DISPATCH(clip_chunk_float)(corners, first, plane, lanes);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
