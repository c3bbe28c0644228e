#include "file_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// `mode`: "wb", or "wbx" for a file that must be new.
void write_at_once(const fs::path& path, const char* mode, std::string_view data) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (file == nullptr) throw std::system_error(errno, std::generic_category());
  const bool written = std::fwrite(data.data(), 1, data.size(), file) == data.size();
  const int reason = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed)
    throw std::system_error(written ? errno : reason, std::generic_category());
}

// What a link points to is written, there already or not, and the link stays.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  for (int k = 0; k < kMostLinks && fs::is_symlink(fs::symlink_status(path)); ++k)
    path = path.parent_path() / fs::read_symlink(path);  // the latter alone where it is absolute
  return path;
}

void write_and_move(const fs::path& path, std::string_view data) {
  fs::path draft = path;
  draft += fmt::format(".{}.part", getpid());
  try {
    write_at_once(draft, "wbx", data);
    fs::rename(draft, path);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    if (error.code() != std::errc::file_exists) fs::remove(draft, ignored);
    throw;
  }
}

}  // namespace

Failure output_failure(const std::string& path, const std::string& reason) {
  return {kInternalError, "output", fmt::format("cannot be written: {}", reason), path};
}

void write_file(std::string_view data, const std::string& path) {
  try {
    const fs::file_status there = fs::status(path);
    if (fs::is_directory(there))
      throw std::system_error(std::make_error_code(std::errc::is_a_directory));
    if (fs::exists(there) && !fs::is_regular_file(there))
      write_at_once(path, "wb", data);
    else
      write_and_move(behind_links(path), data);
  } catch (const std::system_error& error) {
    throw output_failure(path, error.code().message());
  }
}

}  // namespace plimsoll::cli
