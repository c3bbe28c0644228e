// Exponents of doubles by their bits, where a call of the C library would cost more than the rest
// of a short formula.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace plimsoll {

/// As std::ilogb.
inline int exponent_of(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63);
  const int biased = static_cast<int>(bits >> 52);
  if (biased > 0 && biased < 0x7FF) return biased - 0x3FF;
  return biased == 0 && bits != 0 ? -1011 - std::countl_zero(bits) : std::ilogb(x);
}

/// As std::ldexp, to the last bit: 2^e is a double, or the product of two that are no smaller than
/// 1, and the only rounding is that of a product below the normal range.
inline double times_power_of_two(double x, int e) {
  const auto power = [](int n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 0x3FF) << 52);
  };
  if (e >= -1022 && e <= 1023) return x * power(e);
  return e > 1023 && e <= 2046 ? x * power(1023) * power(e - 1023) : std::ldexp(x, e);
}

}  // namespace plimsoll
