// The checksum of zip and PNG files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

namespace detail {

/// Remainders of single bytes by the polynomial 0x04C11DB7, lowest bit first.
inline constexpr std::array<std::uint32_t, 256> kCrcOfByte = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0U);
    table[byte] = rest;
  }
  return table;
}();

}  // namespace detail

/// CRC-32 of ISO 3309: it differs for data that differ within 32 bits in a row.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> data) {
  std::uint32_t rest = 0xFFFFFFFFU;
  for (const std::byte byte : data)
    rest = (rest >> 8) ^ detail::kCrcOfByte[(rest ^ static_cast<std::uint32_t>(byte)) & 0xFF];
  return ~rest;
}

}  // namespace plimsoll
