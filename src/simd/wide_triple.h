// Vectors of space side by side, one to a lane, for whichever instruction set is being compiled.
// Included once per target by a Highway translation unit, so it has no include guard of the usual
// kind.
#if defined(PLIMSOLL_WIDE_TRIPLE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_WIDE_TRIPLE_H
#undef PLIMSOLL_WIDE_TRIPLE_H
#else
#define PLIMSOLL_WIDE_TRIPLE_H
#endif

#include "simd/triple.h"
#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
#include "simd/triple.inc"

/// `v` in each lane.
template <class Number = Plain>
HWY_INLINE Triple<Number> everywhere(const Triple<typename Number::Scalar>& v) {
  return {everywhere<Number>(v[0]), everywhere<Number>(v[1]), everywhere<Number>(v[2])};
}
/// Number k of each row, in each lane.
template <class Number, std::size_t kCount>
HWY_INLINE Triple<Number> everywhere(const typename Number::Scalar (&rows)[3][kCount],
                                     std::size_t k) {
  return {everywhere<Number>(rows[0][k]), everywhere<Number>(rows[1][k]),
          everywhere<Number>(rows[2][k])};
}
/// The numbers of each row from `lane` on.
template <class Number = Plain, std::size_t kCount>
HWY_INLINE Triple<Number> load(const typename Number::Scalar (&rows)[3][kCount], std::size_t lane) {
  return {load<Number>(rows[0] + lane), load<Number>(rows[1] + lane), load<Number>(rows[2] + lane)};
}
template <class Tag, std::size_t kCount>
HWY_INLINE void store(const Triple<WideNumber<Tag>>& a, hn::TFromD<Tag> (&rows)[3][kCount],
                      std::size_t lane) {
  for (std::size_t i = 0; i < 3; ++i) store(a[i], rows[i] + lane);
}

}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per target
