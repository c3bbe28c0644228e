// Vectors of numbers with the operators of one: plain ones and double-doubles, for whichever
// instruction set is being compiled. Included once per target by a Highway translation unit, so it
// has no include guard of the usual kind.
#if defined(PLIMSOLL_WIDE_NUMBER_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_WIDE_NUMBER_H
#undef PLIMSOLL_WIDE_NUMBER_H
#else
#define PLIMSOLL_WIDE_NUMBER_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<double, 8>;  // at most the eight virtual lanes of a group
using WideVector = hn::Vec<Wide>;

/// As many numbers as `Tag` has lanes, with the operators of one. No two operations are fused: the
/// bits are the same for any instruction set.
template <class Tag>
struct WideNumber {
  using Scalar = hn::TFromD<Tag>;
  using Mask = hn::Mask<Tag>;
  static constexpr Tag kTag{};
  static constexpr std::size_t kWidth = hn::MaxLanes(kTag);

  hn::Vec<Tag> v;
};
using Plain = WideNumber<Wide>;

template <class Tag>
HWY_INLINE WideNumber<Tag> operator+(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Add(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> operator-(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Sub(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> operator*(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Mul(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> operator/(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Div(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> operator-(WideNumber<Tag> a) {
  return {hn::Neg(a.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> absolute(WideNumber<Tag> a) {
  return {hn::Abs(a.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> square_root(WideNumber<Tag> a) {
  return {hn::Sqrt(a.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> min(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Min(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> max(WideNumber<Tag> a, WideNumber<Tag> b) {
  return {hn::Max(a.v, b.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> clamped(WideNumber<Tag> x, WideNumber<Tag> low, WideNumber<Tag> high) {
  return min(max(x, low), high);
}
/// a / b for b above 0; any number for others.
template <class Tag>
HWY_INLINE WideNumber<Tag> quotient(WideNumber<Tag> a, WideNumber<Tag> b) {
  return a / b;
}

/// `x` in each lane.
template <class Number = Plain>
HWY_INLINE Number everywhere(typename Number::Scalar x) {
  return {hn::Set(Number::kTag, x)};
}
/// Precondition of load and store: the place is aligned to the size of a number.
template <class Number = Plain>
HWY_INLINE Number load(const typename Number::Scalar* from) {
  return {hn::Load(Number::kTag, from)};
}
template <class Tag>
HWY_INLINE void store(WideNumber<Tag> a, hn::TFromD<Tag>* to) {
  hn::Store(a.v, Tag(), to);
}

template <class Tag>
HWY_INLINE hn::Mask<Tag> operator<(WideNumber<Tag> a, WideNumber<Tag> b) {
  return hn::Lt(a.v, b.v);
}
template <class Tag>
HWY_INLINE hn::Mask<Tag> operator>(WideNumber<Tag> a, WideNumber<Tag> b) {
  return hn::Gt(a.v, b.v);
}
template <class Tag>
HWY_INLINE hn::Mask<Tag> operator<=(WideNumber<Tag> a, WideNumber<Tag> b) {
  return hn::Le(a.v, b.v);
}
template <class Tag>
HWY_INLINE hn::Mask<Tag> operator>=(WideNumber<Tag> a, WideNumber<Tag> b) {
  return hn::Ge(a.v, b.v);
}
template <class Mask, class... More>
HWY_INLINE Mask all_hold(Mask first, More... more) {
  ((first = hn::And(first, more)), ...);
  return first;
}
template <class Tag>
HWY_INLINE WideNumber<Tag> select(hn::Mask<Tag> mask, WideNumber<Tag> yes, WideNumber<Tag> no) {
  return {hn::IfThenElse(mask, yes.v, no.v)};
}
template <class Tag>
HWY_INLINE WideNumber<Tag> select_or_zero(hn::Mask<Tag> mask, WideNumber<Tag> yes) {
  return {hn::IfThenElseZero(mask, yes.v)};
}
/// A bit for each lane, of sixteen at most.
template <class Tag>
HWY_INLINE unsigned bits_of(Tag tag, hn::Mask<Tag> mask) {
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(tag, mask, bits);
  return hn::MaxLanes(tag) > 8 ? bits[0] | bits[1] << 8U : bits[0];
}

/// h + l, not renormalized; growth.h counts its errors.
struct DoubleDouble {
  WideVector h;
  WideVector l;
};

/// The rounding error of s = a + b, exactly. [Knuth1997, sec. 4.2.2]
HWY_INLINE WideVector sum_error(WideVector a, WideVector b, WideVector s) {
  const WideVector t = hn::Sub(s, a);
  return hn::Add(hn::Sub(a, hn::Sub(s, t)), hn::Sub(b, t));
}

/// The rounding error of p = a * b, exactly: by a fused multiply-add where the instruction set has
/// one, else by splitting into halves of 26 bits [Dekker1971]. Both are exact, hence equal.
HWY_INLINE WideVector product_error(WideVector a, WideVector b, WideVector p) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, p);
#else
  const WideVector splitter = hn::Set(Wide(), 0x1p27 + 1);
  const WideVector as = hn::Mul(splitter, a);
  const WideVector bs = hn::Mul(splitter, b);
  const WideVector ah = hn::Sub(as, hn::Sub(as, a));
  const WideVector bh = hn::Sub(bs, hn::Sub(bs, b));
  const WideVector al = hn::Sub(a, ah);
  const WideVector bl = hn::Sub(b, bh);
  const WideVector e1 = hn::Sub(hn::Mul(ah, bh), p);
  const WideVector e2 = hn::Add(e1, hn::Mul(ah, bl));
  const WideVector e3 = hn::Add(e2, hn::Mul(al, bh));
  return hn::Add(e3, hn::Mul(al, bl));
#endif
}

HWY_INLINE DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const WideVector s = hn::Add(a.h, b.h);
  return {s, hn::Add(hn::Add(a.l, b.l), sum_error(a.h, b.h, s))};
}
HWY_INLINE DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + DoubleDouble{hn::Neg(b.h), hn::Neg(b.l)};
}
HWY_INLINE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const WideVector p = hn::Mul(a.h, b.h);
  const WideVector cross = hn::Add(hn::Mul(a.h, b.l), hn::Mul(a.l, b.h));
  return {p, hn::Add(cross, product_error(a.h, b.h, p))};
}

/// a - b of plain vectors.
HWY_INLINE void difference(WideVector a, WideVector b, Plain& d) { d.v = hn::Sub(a, b); }
HWY_INLINE void difference(WideVector a, WideVector b, DoubleDouble& d) {
  d.h = hn::Sub(a, b);
  d.l = sum_error(a, hn::Neg(b), d.h);
}
HWY_INLINE Plain doubled(Plain a) { return {hn::Add(a.v, a.v)}; }
HWY_INLINE DoubleDouble doubled(DoubleDouble a) { return {hn::Add(a.h, a.h), hn::Add(a.l, a.l)}; }
HWY_INLINE WideVector leading(Plain a) { return a.v; }
HWY_INLINE WideVector leading(DoubleDouble a) { return a.h; }

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
