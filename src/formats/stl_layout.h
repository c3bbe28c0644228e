// Binary STL: 80 bytes of any text, a count, and 50 bytes per triangle: the normal and three
// corners as floats, and 2 bytes of attributes. Little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll {

inline constexpr std::size_t kStlCountAt = 80;
inline constexpr std::size_t kStlHeaderBytes = 84;
inline constexpr std::size_t kStlNormalBytes = 12;
inline constexpr std::size_t kStlTriangleBytes = 50;

constexpr std::uint64_t stl_file_bytes(std::uint32_t triangles) {
  return kStlHeaderBytes + std::uint64_t{kStlTriangleBytes} * triangles;
}

/// Whether `data` is exactly as long as its count of triangles says: nothing but binary STL is.
[[nodiscard]] bool is_whole_binary_stl(std::span<const std::byte> data);

}  // namespace plimsoll
