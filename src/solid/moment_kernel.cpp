// The wide kernel, compiled once per instruction set. A machine with fewer than eight lanes goes
// through the chunk several times, each time for some of the lanes.
#include "solid/moment_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solid/moment_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "solid/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "solid/tetrahedron_terms.inc"

template <bool kIndexed, class Scalar>
HWY_INLINE const Scalar* corner(const Corners<Scalar>& c, std::size_t t, std::size_t k) {
  const std::size_t vertex = kIndexed ? c.indices[3 * t + k] : 3 * t + k;
  return c.base + 3 * vertex;
}

// Corner k of triangles t, t + 1, ... of the mesh, one per lane, as x, y and z. Reading four
// scalars at a time and transposing beats gathers; masking the fourth would keep the memory
// prefetcher of some processors from starting, so the caller sees to it that there is one.
#if HWY_CAP_GE256
HWY_INLINE hn::Vec<hn::FixedTag<double, 4>> load_point(const double* p) {
  return hn::LoadU(hn::FixedTag<double, 4>(), p);
}
HWY_INLINE hn::Vec<hn::FixedTag<double, 4>> load_point(const float* p) {
  return hn::PromoteTo(hn::FixedTag<double, 4>(), hn::LoadU(hn::FixedTag<float, 4>(), p));
}

/// That of triangle t and, if there are eight lanes, of t + 4.
template <bool kIndexed, class Scalar>
HWY_INLINE WideVector load_points(const Corners<Scalar>& c, std::size_t t, std::size_t k) {
  const auto low = load_point(corner<kIndexed>(c, t, k));
#if HWY_CAP_GE512
  return hn::Combine(Wide(), load_point(corner<kIndexed>(c, t + 4, k)), low);
#else
  return low;
#endif
}

template <bool kIndexed, class Scalar>
HWY_INLINE void load_corner(const Corners<Scalar>& c, std::size_t t, std::size_t k,
                            WideVector (&v)[3]) {
  const WideVector v0 = load_points<kIndexed>(c, t, k);
  const WideVector v1 = load_points<kIndexed>(c, t + 1, k);
  const WideVector v2 = load_points<kIndexed>(c, t + 2, k);
  const WideVector v3 = load_points<kIndexed>(c, t + 3, k);
  const WideVector xz01 = hn::InterleaveLower(Wide(), v0, v1);
  const WideVector xz23 = hn::InterleaveLower(Wide(), v2, v3);
  const WideVector y01 = hn::InterleaveUpper(Wide(), v0, v1);
  const WideVector y23 = hn::InterleaveUpper(Wide(), v2, v3);
  v[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(xz23), xz01);
  v[1] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y23), y01);
  v[2] = hn::OddEvenBlocks(xz23, hn::SwapAdjacentBlocks(xz01));
}
#else
template <bool kIndexed, class Scalar>
HWY_INLINE void load_corner(const Corners<Scalar>& c, std::size_t t, std::size_t k,
                            WideVector (&v)[3]) {
  alignas(64) double lanes[3][kLanes];
  for (std::size_t lane = 0; lane < hn::Lanes(Wide()); ++lane) {
    const Scalar* p = corner<kIndexed>(c, t + lane, k);
    for (int i = 0; i < 3; ++i) lanes[i][lane] = static_cast<double>(p[i]);
  }
  for (int i = 0; i < 3; ++i) v[i] = hn::Load(Wide(), lanes[i]);
}
#endif

template <class Number>
struct Sums {
  Number term[10];
  WideVector magnitude;
  WideVector width[3];
};

HWY_INLINE void clear(Plain& a) { a.v = hn::Zero(Wide()); }
HWY_INLINE void clear(DoubleDouble& a) { a.h = a.l = hn::Zero(Wide()); }
HWY_INLINE void accumulate(Plain& sum, Plain term) { sum = sum + term; }
HWY_INLINE void accumulate(DoubleDouble& sum, DoubleDouble term) {
  const WideVector s = hn::Add(sum.h, term.h);
  sum.l = hn::Add(sum.l, hn::Add(term.l, sum_error(sum.h, term.h, s)));
  sum.h = s;
}
HWY_INLINE void store(Plain a, double* high, double* /*low*/) { hn::Store(a.v, Wide(), high); }
HWY_INLINE void store(DoubleDouble a, double* high, double* low) {
  hn::Store(a.h, Wide(), high);
  hn::Store(a.l, Wide(), low);
}

template <class Number>
HWY_INLINE void clear(Sums<Number>& sums) {
  for (Number& term : sums.term) clear(term);
  sums.magnitude = hn::Zero(Wide());
  for (WideVector& width : sums.width) width = hn::Zero(Wide());
}
template <class Number>
HWY_INLINE void accumulate(Sums<Number>& sums, const Sums<Number>& more) {
  for (int i = 0; i < 10; ++i) accumulate(sums.term[i], more.term[i]);
  sums.magnitude = hn::Add(sums.magnitude, more.magnitude);
  for (int i = 0; i < 3; ++i) sums.width[i] = hn::Max(sums.width[i], more.width[i]);
}

/// The magnitude of 2 D, and W, of moment_sums.cpp.
template <class Number>
HWY_INLINE void add_magnitudes(const Number (&a2)[3], const Number (&e)[3], const Number (&f)[3],
                               Sums<Number>& sums) {
  WideVector a[3];
  WideVector u[3];
  WideVector w[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = hn::Abs(leading(a2[i]));
    u[i] = hn::Abs(leading(e[i]));
    w[i] = hn::Abs(leading(f[i]));
    sums.width[i] = hn::Max(sums.width[i], hn::Add(a[i], hn::Add(u[i], w[i])));
  }
  const WideVector x = hn::Mul(a[0], hn::Add(hn::Mul(u[1], w[2]), hn::Mul(u[2], w[1])));
  const WideVector y = hn::Mul(a[1], hn::Add(hn::Mul(u[2], w[0]), hn::Mul(u[0], w[2])));
  const WideVector z = hn::Mul(a[2], hn::Add(hn::Mul(u[0], w[1]), hn::Mul(u[1], w[0])));
  sums.magnitude = hn::Add(sums.magnitude, hn::Add(hn::Add(x, y), z));
}

template <bool kIndexed, class Number, class Scalar>
HWY_INLINE void add_triangles(const Corners<Scalar>& c, std::size_t t, const WideVector (&apex)[3],
                              Sums<Number>& sums) {
  WideVector va[3];
  WideVector vb[3];
  WideVector vc[3];
  load_corner<kIndexed>(c, t, 0, va);
  load_corner<kIndexed>(c, t, 1, vb);
  load_corner<kIndexed>(c, t, 2, vc);
  Number a2[3];
  Number e[3];
  Number f[3];
  for (int i = 0; i < 3; ++i) {
    difference(va[i], apex[i], a2[i]);
    a2[i] = doubled(a2[i]);
    difference(vb[i], va[i], e[i]);
    difference(vc[i], va[i], f[i]);
  }
  const TetrahedronTerms<Number> terms = tetrahedron_terms(a2, e, f);
  for (int i = 0; i < 10; ++i) accumulate(sums.term[i], terms.sum[i]);
  add_magnitudes(a2, e, f, sums);
}

/// One chunk, starting at triangle `first`. c.count is a multiple of eight.
template <class Number, bool kIndexed, class Scalar>
void moments_of_chunk(const Corners<Scalar>& c, std::size_t first, const Vec3& apex,
                      ChunkSums& out) {
  const WideVector about[3] = {hn::Set(Wide(), apex[0]), hn::Set(Wide(), apex[1]),
                               hn::Set(Wide(), apex[2])};
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    Sums<Number> total;
    clear(total);
    for (std::size_t block = 0; block < kChunkBlocks; ++block) {
      const std::size_t begin = first + block * kBlockGroups * kLanes;
      if (begin >= c.count) break;
      Sums<Number> sums;
      clear(sums);
      for (std::size_t group = 0; group < kBlockGroups; ++group) {
        const std::size_t t = begin + group * kLanes + lane;
        if (t < c.count) add_triangles<kIndexed>(c, t, about, sums);
      }
      accumulate(total, sums);
    }
    for (int i = 0; i < 10; ++i) store(total.term[i], &out.high[i][lane], &out.low[i][lane]);
    hn::Store(total.magnitude, Wide(), &out.magnitude[lane]);
    for (int i = 0; i < 3; ++i) hn::Store(total.width[i], Wide(), &out.width[i][lane]);
  }
}

template <class Number, class Scalar>
void moments_of_chunk(const Corners<Scalar>& c, std::size_t first, const Vec3& apex,
                      ChunkSums& out) {
  if (c.indices != nullptr) {
    moments_of_chunk<Number, true>(c, first, apex, out);
  } else {
    moments_of_chunk<Number, false>(c, first, apex, out);
  }
}

void sum_chunk_fast_double(const Corners<double>& c, std::size_t first, const Vec3& apex,
                           ChunkSums& out) {
  moments_of_chunk<Plain>(c, first, apex, out);
}
void sum_chunk_fast_float(const Corners<float>& c, std::size_t first, const Vec3& apex,
                          ChunkSums& out) {
  moments_of_chunk<Plain>(c, first, apex, out);
}
void sum_chunk_tight_double(const Corners<double>& c, std::size_t first, const Vec3& apex,
                            ChunkSums& out) {
  moments_of_chunk<DoubleDouble>(c, first, apex, out);
}
void sum_chunk_tight_float(const Corners<float>& c, std::size_t first, const Vec3& apex,
                           ChunkSums& out) {
  moments_of_chunk<DoubleDouble>(c, first, apex, out);
}

/// Adds |N| and N of some triangles to sums, N = e x f in double-double: it cancels in slivers.
template <bool kIndexed, class Scalar>
HWY_INLINE void add_areas(const Corners<Scalar>& c, std::size_t t, WideVector (&sums)[4]) {
  WideVector va[3];
  WideVector vb[3];
  WideVector vc[3];
  load_corner<kIndexed>(c, t, 0, va);
  load_corner<kIndexed>(c, t, 1, vb);
  load_corner<kIndexed>(c, t, 2, vc);
  DoubleDouble e[3];
  DoubleDouble f[3];
  for (int i = 0; i < 3; ++i) {
    difference(vb[i], va[i], e[i]);
    difference(vc[i], va[i], f[i]);
  }
  WideVector square = hn::Zero(Wide());
  for (int i = 0; i < 3; ++i) {
    const DoubleDouble n = cross_component(e, f, i);
    const WideVector rounded = hn::Add(n.h, n.l);
    sums[i + 1] = hn::Add(sums[i + 1], rounded);
    square = hn::Add(square, hn::Mul(rounded, rounded));
  }
  sums[0] = hn::Add(sums[0], hn::Sqrt(square));
}

/// One chunk's |N| and N into out.high[0..3].
template <bool kIndexed, class Scalar>
void areas_of_chunk(const Corners<Scalar>& c, std::size_t first, ChunkSums& out) {
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    WideVector sums[4];
    for (WideVector& v : sums) v = hn::Zero(Wide());
    for (std::size_t group = 0; group < kChunkBlocks * kBlockGroups; ++group) {
      const std::size_t t = first + group * kLanes + lane;
      if (t < c.count) add_areas<kIndexed>(c, t, sums);
    }
    for (int i = 0; i < 4; ++i) hn::Store(sums[i], Wide(), &out.high[i][lane]);
  }
}
template <class Scalar>
void areas_of_chunk(const Corners<Scalar>& c, std::size_t first, ChunkSums& out) {
  if (c.indices != nullptr) {
    areas_of_chunk<true>(c, first, out);
  } else {
    areas_of_chunk<false>(c, first, out);
  }
}

void sum_chunk_areas_double(const Corners<double>& c, std::size_t first, ChunkSums& out) {
  areas_of_chunk(c, first, out);
}
void sum_chunk_areas_float(const Corners<float>& c, std::size_t first, ChunkSums& out) {
  areas_of_chunk(c, first, out);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(sum_chunk_fast_double);
HWY_EXPORT(sum_chunk_fast_float);
HWY_EXPORT(sum_chunk_tight_double);
HWY_EXPORT(sum_chunk_tight_float);
HWY_EXPORT(sum_chunk_areas_double);
HWY_EXPORT(sum_chunk_areas_float);
}  // namespace

void sum_chunk(const Corners<double>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out) {
  if (precision == Precision::kTight) {
    HWY_DYNAMIC_DISPATCH(sum_chunk_tight_double)(corners, first, apex, out);
  } else {
    HWY_DYNAMIC_DISPATCH(sum_chunk_fast_double)(corners, first, apex, out);
  }
}
void sum_chunk(const Corners<float>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out) {
  if (precision == Precision::kTight) {
    HWY_DYNAMIC_DISPATCH(sum_chunk_tight_float)(corners, first, apex, out);
  } else {
    HWY_DYNAMIC_DISPATCH(sum_chunk_fast_float)(corners, first, apex, out);
  }
}
void sum_chunk_areas(const Corners<double>& corners, std::size_t first, ChunkSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_chunk_areas_double)(corners, first, out);
}
void sum_chunk_areas(const Corners<float>& corners, std::size_t first, ChunkSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_chunk_areas_float)(corners, first, out);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
