// Arrays for programs in other languages.
#pragma once

#include <plimsoll/result.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace plimsoll::bench {

/// Writes the values as they lie in memory.
template <class T>
Result<void> write_bytes(const std::vector<T>& values, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) return Error{ErrorCode::kUnreadable, "cannot be written", path.string()};
  return {};
}

}  // namespace plimsoll::bench
