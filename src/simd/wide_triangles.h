// Triangles read from a mesh into vectors, as many as there are lanes, for whichever instruction
// set is being compiled. Included once per target by a Highway translation unit, so it has no
// include guard of the usual kind.
#if defined(PLIMSOLL_WIDE_TRIANGLES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_WIDE_TRIANGLES_H
#undef PLIMSOLL_WIDE_TRIANGLES_H
#else
#define PLIMSOLL_WIDE_TRIANGLES_H
#endif

#include "simd/packed_corners.h"
#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {

/// The corners a, b, c of as many triangles as there are lanes: x, y and z of each.
struct Triangles {
  WideVector corner[3][3];
};

template <bool kIndexed, class Scalar>
HWY_INLINE const Scalar* corner(const PackedCorners<Scalar>& c, std::size_t t, std::size_t k) {
  const std::size_t vertex = kIndexed ? c.indices[3 * t + k] : 3 * t + k;
  return c.base + 3 * vertex;
}

// Reading four scalars at a time and transposing beats gathers; masking the fourth would keep the
// memory prefetcher of some processors from starting, so load_triangles sees to it that there is
// one.
#if HWY_CAP_GE256
HWY_INLINE hn::Vec<hn::FixedTag<double, 4>> load_point(const double* p) {
  return hn::LoadU(hn::FixedTag<double, 4>(), p);
}
HWY_INLINE hn::Vec<hn::FixedTag<double, 4>> load_point(const float* p) {
  return hn::PromoteTo(hn::FixedTag<double, 4>(), hn::LoadU(hn::FixedTag<float, 4>(), p));
}

/// That of lane i and, if there are eight lanes, of lane i + 4.
template <class At>
HWY_INLINE WideVector load_points(const At& at, std::size_t i) {
  const auto low = load_point(at(i));
#if HWY_CAP_GE512
  return hn::Combine(Wide(), load_point(at(i + 4)), low);
#else
  return low;
#endif
}

/// x, y and z of the points at(0), at(1), ..., one for each lane.
template <class At>
HWY_INLINE void load_transposed(const At& at, WideVector (&v)[3]) {
  const WideVector v0 = load_points(at, 0);
  const WideVector v1 = load_points(at, 1);
  const WideVector v2 = load_points(at, 2);
  const WideVector v3 = load_points(at, 3);
  const WideVector xz01 = hn::InterleaveLower(Wide(), v0, v1);
  const WideVector xz23 = hn::InterleaveLower(Wide(), v2, v3);
  const WideVector y01 = hn::InterleaveUpper(Wide(), v0, v1);
  const WideVector y23 = hn::InterleaveUpper(Wide(), v2, v3);
  v[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(xz23), xz01);
  v[1] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y23), y01);
  v[2] = hn::OddEvenBlocks(xz23, hn::SwapAdjacentBlocks(xz01));
}
#else
template <class At>
HWY_INLINE void load_transposed(const At& at, WideVector (&v)[3]) {
  alignas(64) double lanes[3][kLanes];
  for (std::size_t lane = 0; lane < hn::Lanes(Wide()); ++lane) {
    const auto* p = at(lane);
    for (int i = 0; i < 3; ++i) lanes[i][lane] = static_cast<double>(p[i]);
  }
  for (int i = 0; i < 3; ++i) v[i] = hn::Load(Wide(), lanes[i]);
}
#endif

/// Corner k of triangles t, t + 1, ...
template <bool kIndexed, class Scalar>
HWY_INLINE void load_corner(const PackedCorners<Scalar>& c, std::size_t t, std::size_t k,
                            WideVector (&v)[3]) {
  load_transposed([&](std::size_t lane) { return corner<kIndexed>(c, t + lane, k); }, v);
}

/// Whether one of the triangles t, t + 1, ... has the vertex `last` for a corner.
template <class Scalar>
HWY_INLINE bool names_last(const PackedCorners<Scalar>& c, std::size_t t) {
  using Indices = hn::Rebind<std::uint32_t, Wide>;
  const auto last = hn::Set(Indices(), c.last);
  const std::uint32_t* p = c.indices + 3 * t;
  const std::size_t lanes = hn::Lanes(Indices());
  const auto at = [&](std::size_t k) { return hn::Eq(hn::LoadU(Indices(), p + k * lanes), last); };
  return !hn::AllFalse(Indices(), hn::Or(hn::Or(at(0), at(1)), at(2)));
}

template <bool kIndexed, class Scalar>
HWY_INLINE void load_triangles(const PackedCorners<Scalar>& c, std::size_t t, Triangles& out) {
  if constexpr (kIndexed) {
    if (HWY_UNLIKELY(names_last(c, t))) {
      Scalar copies[9 * kLanes + 1] = {};
      for (std::size_t i = 0; i < 3 * hn::Lanes(Wide()); ++i) {
        const Scalar* p = c.base + 3 * std::size_t{c.indices[3 * t + i]};
        for (std::size_t k = 0; k < 3; ++k) copies[3 * i + k] = p[k];
      }
      const PackedCorners<Scalar> copied{copies, nullptr, kLanes, 0};
      for (std::size_t k = 0; k < 3; ++k) load_corner<false>(copied, 0, k, out.corner[k]);
      return;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) load_corner<kIndexed>(c, t, k, out.corner[k]);
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
