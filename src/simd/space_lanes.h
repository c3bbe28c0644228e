// Vectors of space side by side, one to a lane, for whichever instruction set is being compiled.
// Included once per target by a Highway translation unit, so it has no include guard of the usual
// kind. Multiplications and additions are apart: the bits are the same for any instruction set.
#if defined(PLIMSOLL_SPACE_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_SPACE_LANES_H
#undef PLIMSOLL_SPACE_LANES_H
#else
#define PLIMSOLL_SPACE_LANES_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Tag>
struct SpaceLanes {
  hn::Vec<Tag> x[3];
};

/// Of each row, those from `lane` on.
template <class Tag, std::size_t kCount>
HWY_INLINE SpaceLanes<Tag> load_space(Tag tag, const hn::TFromD<Tag> (&rows)[3][kCount],
                                      std::size_t lane) {
  return {{hn::Load(tag, rows[0] + lane), hn::Load(tag, rows[1] + lane),
           hn::Load(tag, rows[2] + lane)}};
}

/// The same vector in each lane.
template <class Tag, class Vector>
HWY_INLINE SpaceLanes<Tag> set_space(Tag tag, const Vector& v) {
  return {{hn::Set(tag, v[0]), hn::Set(tag, v[1]), hn::Set(tag, v[2])}};
}

template <class Tag>
HWY_INLINE SpaceLanes<Tag> sum(const SpaceLanes<Tag>& a, const SpaceLanes<Tag>& b) {
  return {{hn::Add(a.x[0], b.x[0]), hn::Add(a.x[1], b.x[1]), hn::Add(a.x[2], b.x[2])}};
}
template <class Tag>
HWY_INLINE SpaceLanes<Tag> difference(const SpaceLanes<Tag>& a, const SpaceLanes<Tag>& b) {
  return {{hn::Sub(a.x[0], b.x[0]), hn::Sub(a.x[1], b.x[1]), hn::Sub(a.x[2], b.x[2])}};
}
template <class Tag>
HWY_INLINE hn::Vec<Tag> dot(const SpaceLanes<Tag>& a, const SpaceLanes<Tag>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x[0], b.x[0]), hn::Mul(a.x[1], b.x[1])),
                 hn::Mul(a.x[2], b.x[2]));
}

/// A bit for each lane, of sixteen at most.
template <class Tag>
HWY_INLINE unsigned bits_of(Tag tag, hn::Mask<Tag> mask) {
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(tag, mask, bits);
  return hn::MaxLanes(tag) > 8 ? bits[0] | bits[1] << 8U : bits[0];
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLIMSOLL_SPACE_LANES_H
