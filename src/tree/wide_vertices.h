// Corners of a leaf's triangles side by side, one to a lane, for whichever instruction set is being
// compiled. Included once per target by a Highway translation unit, so it has no include guard of
// the usual kind.
#if defined(PLIMSOLL_WIDE_VERTICES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_WIDE_VERTICES_H
#undef PLIMSOLL_WIDE_VERTICES_H
#else
#define PLIMSOLL_WIDE_VERTICES_H
#endif

#include "simd/wide_triple.h"
#include "tree/triangle_tree.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {

/// A number of each triangle of a leaf, or of as many as there are lanes.
using LeafNumber = WideNumber<hn::CappedTag<double, TriangleTree::kLeafTriangles>>;

/// x, y and z of the vertices named, one for each lane.
HWY_INLINE Triple<LeafNumber> load_vertices(const TriangleTree::Vertex* vertices,
                                            const std::uint32_t* named) {
#if HWY_CAP_GE256
  constexpr auto kTag = LeafNumber::kTag;
  const auto row = [&](int i) { return hn::Load(kTag, vertices[named[i]].x); };
  const auto v0 = row(0), v1 = row(1), v2 = row(2), v3 = row(3);
  const auto xz01 = hn::InterleaveLower(kTag, v0, v1);
  const auto xz23 = hn::InterleaveLower(kTag, v2, v3);
  const auto y01 = hn::InterleaveUpper(kTag, v0, v1);
  const auto y23 = hn::InterleaveUpper(kTag, v2, v3);
  return {LeafNumber{hn::ConcatLowerLower(kTag, xz23, xz01)},
          LeafNumber{hn::ConcatLowerLower(kTag, y23, y01)},
          LeafNumber{hn::ConcatUpperUpper(kTag, xz23, xz01)}};
#else
  alignas(32) double lanes[3][TriangleTree::kLeafTriangles];
  for (std::size_t lane = 0; lane < LeafNumber::kWidth; ++lane)
    for (int i = 0; i < 3; ++i) lanes[i][lane] = vertices[named[lane]].x[i];
  return load<LeafNumber>(lanes, 0);
#endif
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
