// A whole file in memory.
#pragma once

#include <plimsoll/mesh_io.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>

namespace plimsoll {

/// No mesh file may be larger. It also keeps every count of vertices below 2^32.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 30;

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

struct FileBytes {
  std::unique_ptr<std::byte, FreeBytes> data;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> span() const { return {data.get(), size}; }
};

/// Reads `path`, which may be a pipe, to its end.
/// Errors: `Unreadable`; `ResourceLimit` beyond `max_bytes`, of a device or pipe
/// `max_stream_bytes`, or the memory there is.
[[nodiscard]] Result<FileBytes> read_file(const std::filesystem::path& path,
                                          std::uint64_t max_bytes = kMaxFileBytes,
                                          std::uint64_t max_stream_bytes = kMaxStreamBytes);

}  // namespace plimsoll
