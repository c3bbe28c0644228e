// Numbers from and to bytes in a stated order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace plimsoll {

/// `value` with its bytes in the other order unless `order` is this machine's.
template <class T>
[[nodiscard]] inline auto ordered_bytes(T value, std::endian order) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class T>
[[nodiscard]] inline T load(const std::byte* from, std::endian order) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return std::bit_cast<T>(ordered_bytes(value, order));
}

}  // namespace plimsoll
