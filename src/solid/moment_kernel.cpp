// The wide kernel, compiled once per instruction set. A machine with fewer than eight lanes goes
// through the chunk several times, each time for some of the lanes.
#include "solid/moment_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solid/moment_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/kernel.h"
#include "simd/wide_number.h"
#include "simd/wide_triangles.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "solid/tetrahedron_terms.inc"

template <class Number>
struct Sums {
  Number term[10];
  WideVector magnitude;
  WideVector square[3];
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
  for (WideVector& square : sums.square) square = hn::Zero(Wide());
}
template <class Number>
HWY_INLINE void accumulate(Sums<Number>& sums, const Sums<Number>& more) {
  for (int i = 0; i < 10; ++i) accumulate(sums.term[i], more.term[i]);
  sums.magnitude = hn::Add(sums.magnitude, more.magnitude);
  for (int i = 0; i < 3; ++i) sums.square[i] = hn::Max(sums.square[i], more.square[i]);
}

/// |a| |b|; the product is one that cross_component takes anyway.
template <class Number>
HWY_INLINE WideVector absolute_product(const Number& a, const Number& b) {
  return hn::Abs(hn::Mul(leading(a), leading(b)));
}

/// The magnitude of 2 D of moment_sums.cpp.
template <class Number>
HWY_INLINE WideVector magnitude_of(const Number (&a2)[3], const Number (&e)[3],
                                   const Number (&f)[3]) {
  WideVector m[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const WideVector cross = hn::Add(absolute_product(e[j], f[k]), absolute_product(e[k], f[j]));
    m[i] = hn::Mul(hn::Abs(leading(a2[i])), cross);
  }
  return hn::Add(hn::Add(m[0], m[1]), m[2]);
}

template <class Number>
HWY_INLINE void add_triangles(const Triangles& triangles, const WideVector (&apex)[3],
                              Sums<Number>& sums) {
  const auto& [va, vb, vc] = triangles.corner;
  Number a2[3];
  Number e[3];
  Number f[3];
  for (int i = 0; i < 3; ++i) {
    difference(va[i], apex[i], a2[i]);
    a2[i] = doubled(a2[i]);
    difference(vb[i], va[i], e[i]);
    difference(vc[i], va[i], f[i]);
  }
  const TetrahedronTerms<Number> terms =
      tetrahedron_terms(doubled_volume(a2, e, f), doubled_midpoints(a2, e, f));
  for (int i = 0; i < 10; ++i) accumulate(sums.term[i], terms.sum[i]);
  for (int i = 0; i < 3; ++i) sums.square[i] = hn::Max(sums.square[i], leading(terms.square[i]));
  sums.magnitude = hn::Add(sums.magnitude, magnitude_of(a2, e, f));
}

/// One chunk, starting at triangle `first`. c.count is a multiple of eight. The next triangles are
/// loaded before these are summed: the processor does not look far enough ahead to do so itself.
template <class Number, bool kIndexed, class Scalar>
void moments_of_chunk(const PackedCorners<Scalar>& c, std::size_t first, const Vec3& apex,
                      ChunkSums& out) {
  const WideVector about[3] = {hn::Set(Wide(), apex[0]), hn::Set(Wide(), apex[1]),
                               hn::Set(Wide(), apex[2])};
  const std::size_t groups = HWY_MIN(kChunk, c.count - first) / kLanes;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    Sums<Number> total;
    clear(total);
    Triangles next;
    load_triangles<kIndexed>(c, first + lane, next);
    for (std::size_t begin = 0; begin < groups; begin += kBlockGroups) {
      Sums<Number> sums;
      clear(sums);
      const std::size_t end = HWY_MIN(begin + kBlockGroups, groups);
      for (std::size_t group = begin; group < end; ++group) {
        const Triangles now = next;
        const std::size_t then = HWY_MIN(group + 1, groups - 1);
        load_triangles<kIndexed>(c, first + then * kLanes + lane, next);
        add_triangles(now, about, sums);
      }
      accumulate(total, sums);
    }
    for (int i = 0; i < 10; ++i) store(total.term[i], &out.high[i][lane], &out.low[i][lane]);
    hn::Store(total.magnitude, Wide(), &out.magnitude[lane]);
    for (int i = 0; i < 3; ++i) hn::Store(total.square[i], Wide(), &out.square[i][lane]);
  }
}

template <class Number, class Scalar>
void moments_of_chunk(const PackedCorners<Scalar>& c, std::size_t first, const Vec3& apex,
                      ChunkSums& out) {
  if (c.indices != nullptr) {
    moments_of_chunk<Number, true>(c, first, apex, out);
  } else {
    moments_of_chunk<Number, false>(c, first, apex, out);
  }
}

void sum_chunk_fast_double(const PackedCorners<double>& c, std::size_t first, const Vec3& apex,
                           ChunkSums& out) {
  moments_of_chunk<Plain>(c, first, apex, out);
}
void sum_chunk_fast_float(const PackedCorners<float>& c, std::size_t first, const Vec3& apex,
                          ChunkSums& out) {
  moments_of_chunk<Plain>(c, first, apex, out);
}
void sum_chunk_tight_double(const PackedCorners<double>& c, std::size_t first, const Vec3& apex,
                            ChunkSums& out) {
  moments_of_chunk<DoubleDouble>(c, first, apex, out);
}
void sum_chunk_tight_float(const PackedCorners<float>& c, std::size_t first, const Vec3& apex,
                           ChunkSums& out) {
  moments_of_chunk<DoubleDouble>(c, first, apex, out);
}

/// Adds |N| and N of some triangles to sums, N = e x f in double-double: it cancels in slivers. The
/// fifth sum counts triangles whose |N| may be 0.
template <bool kIndexed, class Scalar>
HWY_INLINE void add_areas(const PackedCorners<Scalar>& c, std::size_t t, WideVector (&sums)[5]) {
  Triangles triangles;
  load_triangles<kIndexed>(c, t, triangles);
  const auto& [va, vb, vc] = triangles.corner;
  DoubleDouble e[3];
  DoubleDouble f[3];
  for (int i = 0; i < 3; ++i) {
    difference(vb[i], va[i], e[i]);
    difference(vc[i], va[i], f[i]);
  }
  WideVector square = hn::Zero(Wide());
  WideVector e_square = hn::Zero(Wide());
  WideVector f_square = hn::Zero(Wide());
  for (int i = 0; i < 3; ++i) {
    const DoubleDouble n = cross_component(e, f, i);
    const WideVector rounded = hn::Add(n.h, n.l);
    sums[i + 1] = hn::Add(sums[i + 1], rounded);
    square = hn::Add(square, hn::Mul(rounded, rounded));
    e_square = hn::Add(e_square, hn::Mul(e[i].h, e[i].h));
    f_square = hn::Add(f_square, hn::Mul(f[i].h, f[i].h));
  }
  sums[0] = hn::Add(sums[0], hn::Sqrt(square));
  const WideVector least = hn::Mul(hn::Mul(e_square, f_square), hn::Set(Wide(), kNarrow));
  const auto has_area = hn::Gt(square, least);
  sums[4] = hn::Add(sums[4], hn::IfThenZeroElse(has_area, hn::Set(Wide(), 1.0)));
}

/// One chunk's sums into out.high[0..4].
template <bool kIndexed, class Scalar>
void areas_of_chunk(const PackedCorners<Scalar>& c, std::size_t first, ChunkSums& out) {
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Wide())) {
    WideVector sums[5];
    for (WideVector& v : sums) v = hn::Zero(Wide());
    for (std::size_t group = 0; group < kChunkBlocks * kBlockGroups; ++group) {
      const std::size_t t = first + group * kLanes + lane;
      if (t < c.count) add_areas<kIndexed>(c, t, sums);
    }
    for (int i = 0; i < 5; ++i) hn::Store(sums[i], Wide(), &out.high[i][lane]);
  }
}
template <class Scalar>
void areas_of_chunk(const PackedCorners<Scalar>& c, std::size_t first, ChunkSums& out) {
  if (c.indices != nullptr) {
    areas_of_chunk<true>(c, first, out);
  } else {
    areas_of_chunk<false>(c, first, out);
  }
}

void sum_chunk_areas_double(const PackedCorners<double>& c, std::size_t first, ChunkSums& out) {
  areas_of_chunk(c, first, out);
}
void sum_chunk_areas_float(const PackedCorners<float>& c, std::size_t first, ChunkSums& out) {
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

void sum_chunk(const PackedCorners<double>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out) {
  if (precision == Precision::kTight) {
    HWY_DYNAMIC_DISPATCH(sum_chunk_tight_double)(corners, first, apex, out);
  } else {
    HWY_DYNAMIC_DISPATCH(sum_chunk_fast_double)(corners, first, apex, out);
  }
}
void sum_chunk(const PackedCorners<float>& corners, std::size_t first, const Vec3& apex,
               Precision precision, ChunkSums& out) {
  if (precision == Precision::kTight) {
    HWY_DYNAMIC_DISPATCH(sum_chunk_tight_float)(corners, first, apex, out);
  } else {
    HWY_DYNAMIC_DISPATCH(sum_chunk_fast_float)(corners, first, apex, out);
  }
}
void sum_chunk_areas(const PackedCorners<double>& corners, std::size_t first, ChunkSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_chunk_areas_double)(corners, first, out);
}
void sum_chunk_areas(const PackedCorners<float>& corners, std::size_t first, ChunkSums& out) {
  HWY_DYNAMIC_DISPATCH(sum_chunk_areas_float)(corners, first, out);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
