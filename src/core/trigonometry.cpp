// Sines, tangents and their inverses. The angle is reduced to [-pi/4, pi/4] as a sum of two doubles
// and the series of Taylor summed there; inverse ones take the nearest of 17 known angles away and
// sum the series of the rest.
#include <plimsoll/elementary.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/double_double.h"

namespace plimsoll::elementary {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Parts kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Parts kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// x = quadrant pi/2 + rest, |rest| <= pi/4 and a little.
struct Reduced {
  Parts rest;
  unsigned quadrant;  // modulo 4
};

// 64 zeros, then the first 1216 binary digits of 2/pi behind the point, computed with 2000 bits.
constexpr std::uint64_t kTwoOverPi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

struct WideProduct {
  std::uint64_t high, low;
};
WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kHalf = 0xffffffff;
  const std::uint64_t a0 = a & kHalf, a1 = a >> 32, b0 = b & kHalf, b1 = b >> 32;
  const std::uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
  const std::uint64_t other = a0 * b1 + (middle & kHalf);
  return {a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (low & kHalf)};
}

/// For any finite x with |x| >= 1/2 [PayneHanek1983]. With x = m 2^e, m a whole number of 53 bits,
/// digit i of 2/pi adds m 2^(e - i) to x 2/pi: those with i < e - 1 add multiples of 4 and are left
/// out. The 192 digits that follow leave 2^-137 of a quadrant, and no double is within 2^-62 of a
/// multiple of pi/2 [Muller2016].
Reduced reduced_exactly(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int e = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
  const int first = 62 + e, shift = first % 64;
  std::array<std::uint64_t, 3> digits{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t* words = kTwoOverPi + first / 64 + i;
    digits[i] = shift == 0 ? words[0] : words[0] << shift | words[1] >> (64 - shift);
  }
  // x 2/pi modulo 4 in units of 2^-190.
  const WideProduct low = wide_product(m, digits[2]), middle = wide_product(m, digits[1]);
  std::array<std::uint64_t, 3> turn = {m * digits[0] + middle.high, low.high + middle.low, low.low};
  turn[0] += turn[1] < middle.low;
  unsigned quadrant = static_cast<unsigned>(turn[0] >> 62);
  turn = {turn[0] << 2 | turn[1] >> 62, turn[1] << 2 | turn[2] >> 62, turn[2] << 2};
  // Past the middle of the quadrant the rest is what lacks to the next, and negative.
  const bool is_past = turn[0] >> 63 != 0;
  if (is_past) {
    ++quadrant;
    turn = {~turn[0], ~turn[1], ~turn[2]};  // less 2^-192
  }
  int exponent = -64;  // of the last bit of turn[0]
  for (; turn[0] == 0; exponent -= 64) turn = {turn[1], turn[2], 0};
  if (const int zeros = std::countl_zero(turn[0]); zeros > 0) {
    turn[0] = turn[0] << zeros | turn[1] >> (64 - zeros);
    turn[1] = turn[1] << zeros | turn[2] >> (64 - zeros);
    exponent -= zeros;
  }
  const double high = std::ldexp(static_cast<double>(turn[0] >> 11), exponent + 11);
  const double rest = std::ldexp(static_cast<double>(turn[0] << 53 | turn[1] >> 11), exponent - 53);
  const Parts angle = ordered_sum(high, rest) * kHalfPi;
  const bool is_negative = is_past != (x < 0);
  return {is_negative ? -angle : angle, (x < 0 ? 0u - quadrant : quadrant) % 4};
}

/// For any finite x. Below 2^20 by three parts of pi/2, of which p1 and p2 have 33 digits, so that
/// their products with a whole number n are exact [CodyWaite1980]: rest = ((x - n p1) - n p2) - n
/// p3, where the first difference is exact too. The parts lack less than 2^-98, which is 2^-78 of
/// the smallest rest that is found so.
Reduced reduced(double x) {
  constexpr double kFirst = 0x1.921fb544p+0, kSecond = 0x1.0b4611a6p-34,
                   kThird = 0x1.3198a2e037073p-69;
  constexpr double kWhole = 0x1.8p52;  // added, it rounds to a whole number
  if (std::fabs(x) <= kHalfPi.high / 2) return {{x, 0}, 0};
  if (std::fabs(x) < 0x1p20) {
    const double n = (x * (1 / kHalfPi.high) + kWhole) - kWhole;
    const Parts near = exact_sum(x - n * kFirst, -n * kSecond);
    if (std::fabs(near.high) > 0x1p-20)
      return {ordered_sum(near.high, near.low - n * kThird),
              static_cast<unsigned>(static_cast<int>(n)) % 4};
  }
  return reduced_exactly(x);
}

/// Taylor's series to the power 17. The first term left out is 5e-20 of the sum at pi/4.
Parts sine_near_0(const Parts& x) {
  const double z = x.high * x.high;
  const double series =
      -1.0 / 6 +
      z * (1.0 / 120 +
           z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                       z * (1.0 / 6227020800 +
                                                            z * (-1.0 / 1307674368000 +
                                                                 z * (1.0 / 355687428096000)))))));
  return {x.high, x.low * (1 - z / 2) + x.high * z * series};
}

/// Taylor's series to the power 18. Half the square is taken in two: that of the first 26 digits is
/// exact.
Parts cosine_near_0(const Parts& x) {
  const double z = x.high * x.high;
  const double series =
      1.0 / 24 + z * (-1.0 / 720 +
                      z * (1.0 / 40320 +
                           z * (-1.0 / 3628800 +
                                z * (1.0 / 479001600 + z * (-1.0 / 87178291200 +
                                                            z * (1.0 / 20922789888000 -
                                                                 z * (1.0 / 6402373705728000)))))));
  const Parts half = halves(x.high);
  const Parts sum = ordered_sum(1, -half.high * half.high / 2);
  return {sum.high,
          sum.low - half.low * (x.high + half.high) / 2 + (z * z * series - x.high * x.low)};
}

/// The series leave more in `low` than the last place of `high`.
Parts normalized(const Parts& a) { return ordered_sum(a.high, a.low); }

struct SineCosineParts {
  Parts sine, cosine;
};
SineCosineParts turned(const Reduced& angle) {
  const Parts s = sine_near_0(angle.rest), c = cosine_near_0(angle.rest);
  switch (angle.quadrant) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

constexpr double kSmall = 0x1p-27;  // sines, tangents and their inverses are their argument below

// The angles whose tangents are i / 16.
constexpr std::array<Parts, 17> kAngles = {{{0, 0},
                                            {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                            {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                            {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                            {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                            {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                            {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                            {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                            {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                            {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                            {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                            {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                            {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                            {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                            {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                            {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                            {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

/// The angle of (x, y), both at least 0 and one not. With c = i / 16 next to the smaller over the
/// larger and t = (smaller - c larger) / (larger + c smaller), the angle from the larger's axis is
/// atan(c) + atan(t), |t| <= 1/32 and a little; the first term left out is 2^-63 of t. Neither may
/// be more than 2^100 times the other, nor far from 1.
Parts angle_of(const Parts& y, const Parts& x) {
  const bool is_steep = y.high > x.high;
  const Parts &smaller = is_steep ? x : y, &larger = is_steep ? y : x;
  const auto i = static_cast<std::size_t>(16 * (smaller.high / larger.high) + 0.5);
  const double c = static_cast<double>(i) / 16;
  const Parts half = halves(larger.high);  // c, of 5 digits, times each is exact
  const Parts ahead = exact_sum(smaller.high - c * half.high, -c * half.low);
  const Parts across = exact_sum(larger.high, c * smaller.high);
  const Parts t = Parts{ahead.high, ahead.low + (smaller.low - c * larger.low)} /
                  Parts{across.high, across.low + larger.low};
  const double z = t.high * t.high;
  const double series = -1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 - z * (1.0 / 11))));
  const Parts angle = kAngles[i] + t + t.high * z * series;
  return is_steep ? kHalfPi - angle : angle;
}

}  // namespace

SineAndCosine sin_cos(double x) {
  if (std::fabs(x) < kSmall) return {x, 1};
  if (!std::isfinite(x)) return {kNan, kNan};
  const SineCosineParts found = turned(reduced(x));
  return {rounded(found.sine), rounded(found.cosine)};
}

double sin(double x) {
  if (std::fabs(x) < kSmall) return x;
  if (!std::isfinite(x)) return kNan;
  const Reduced angle = reduced(x);
  const double size =
      rounded(angle.quadrant % 2 == 0 ? sine_near_0(angle.rest) : cosine_near_0(angle.rest));
  return angle.quadrant < 2 ? size : -size;
}

double cos(double x) {
  if (!std::isfinite(x)) return kNan;
  const Reduced angle = reduced(x);
  const double size =
      rounded(angle.quadrant % 2 == 0 ? cosine_near_0(angle.rest) : sine_near_0(angle.rest));
  return angle.quadrant == 0 || angle.quadrant == 3 ? size : -size;
}

double tan(double x) {
  if (std::fabs(x) < kSmall) return x;
  if (!std::isfinite(x)) return kNan;
  const SineCosineParts found = turned(reduced(x));
  return rounded(normalized(found.sine) / normalized(found.cosine));
}

double asin(double x) {
  const double size = std::fabs(x);
  if (size < kSmall) return x;
  if (!(size <= 1)) return kNan;
  const Parts across = square_root(Parts{1, 0} - exact_product(x, x));
  return std::copysign(rounded(angle_of({size, 0}, across)), x);
}

double acos(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1)) return kNan;
  if (size < 0x1p-60) return kHalfPi.high;
  const Parts angle = angle_of(square_root(Parts{1, 0} - exact_product(x, x)), {size, 0});
  return rounded(x < 0 ? kPi - angle : angle);
}

double atan2(double y, double x) {
  double a = std::fabs(y), b = std::fabs(x);
  Parts angle{0, 0};
  constexpr double kLeast = 0x1p-400, kMost = 0x1p400, kApart = 0x1p60;
  if (a > kLeast && b > kLeast && a < kMost && b < kMost && a < kApart * b && b < kApart * a) {
    angle = angle_of({a, 0}, {b, 0});
    return std::copysign(rounded(x < 0 ? kPi - angle : angle), y);
  }
  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (a == 0 && b == 0) b = 1;
  if (std::isinf(a) && std::isinf(b)) a = b = 1;
  const bool is_behind = a == 0 || std::isinf(b), is_ahead = b == 0 || std::isinf(a);
  const int ahead = is_behind ? -2000 : is_ahead ? 2000 : std::ilogb(a) - std::ilogb(b);
  constexpr int kFar = 60;  // the series ends with its first term
  if (ahead > kFar) {
    angle = kHalfPi;
  } else if (ahead < -kFar) {
    angle = {std::signbit(x) ? 0 : a / b, 0};
  } else {
    const int exponent = std::ilogb(b);
    angle = angle_of({std::ldexp(a, -exponent), 0}, {std::ldexp(b, -exponent), 0});
  }
  return std::copysign(rounded(std::signbit(x) ? kPi - angle : angle), y);
}

}  // namespace plimsoll::elementary
