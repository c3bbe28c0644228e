#include "formats/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace plimsoll {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Error unreadable(const std::filesystem::path& path, const std::string& why) {
  return {ErrorCode::kUnreadable, "cannot be read: " + why, path.string()};
}

Error too_large(const std::filesystem::path& path, std::uint64_t max_bytes, bool is_stream) {
  return {ErrorCode::kResourceLimit,
          "found more than " + std::to_string(max_bytes) + " bytes, which are the most that " +
              (is_stream ? "a device or pipe may hold: give a file" : "such a file may hold"),
          path.string()};
}

/// Makes room for `capacity` bytes, keeping what is there. False if there is no memory.
bool grow(FileBytes& bytes, std::size_t capacity) {
  auto* moved = static_cast<std::byte*>(std::realloc(bytes.data.get(), capacity));
  if (moved == nullptr) return false;
  static_cast<void>(bytes.data.release());
  bytes.data.reset(moved);
  return true;
}

}  // namespace

Result<FileBytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes,
                            std::uint64_t max_stream_bytes) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return unreadable(path, "it is a directory");
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return unreadable(path, std::generic_category().message(errno));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);

  const bool is_stream = !std::filesystem::is_regular_file(path, failure);
  if (is_stream) max_bytes = std::min(max_bytes, max_stream_bytes);

  // The size of a regular file, and one byte more to see its end; pipes have none and grow.
  const std::uintmax_t stated = std::filesystem::file_size(path, failure);
  if (!failure && stated > max_bytes) return too_large(path, max_bytes, is_stream);
  std::size_t capacity = failure || stated == 0 ? std::size_t{1} << 16 : stated + 1;

  FileBytes bytes;
  while (true) {
    if (!grow(bytes, capacity))
      return Error{ErrorCode::kResourceLimit, "not enough memory to hold the file", path.string()};
    bytes.size += std::fread(bytes.data.get() + bytes.size, 1, capacity - bytes.size, file.get());
    if (std::ferror(file.get()) != 0)
      return unreadable(path, std::generic_category().message(errno));
    if (bytes.size > max_bytes) return too_large(path, max_bytes, is_stream);
    if (bytes.size < capacity) return bytes;
    capacity = std::min<std::uint64_t>(2 * capacity, max_bytes + 1);
  }
}

}  // namespace plimsoll
