// Exponents of doubles by their bits, where a call of the C library would cost more than the rest
// of a short formula.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace plimsoll {

/// As std::ilogb.
inline int exponent_of(double x) {
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF);
  return biased > 0 && biased < 0x7FF ? biased - 0x3FF : std::ilogb(x);
}

/// As std::ldexp, to the last bit: 2^e is a double, and the product is rounded once.
inline double times_power_of_two(double x, int e) {
  if (e < -1022 || e > 1023) return std::ldexp(x, e);
  return x * std::bit_cast<double>(static_cast<std::uint64_t>(e + 0x3FF) << 52);
}

}  // namespace plimsoll
