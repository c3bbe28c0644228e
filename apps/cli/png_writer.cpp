#include "png_writer.h"

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "failure.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

Failure output_failure(const std::string& path, const std::string& reason) {
  return {kInternalError, "output", fmt::format("cannot be written: {}", reason), path};
}

std::vector<std::uint8_t> encoded(const Picture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width());
  image.height = static_cast<png_uint_32>(picture.height());
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::uint8_t> file(size);
  if (png_image_write_to_memory(&image, file.data(), &size, 0, picture.bytes().data(), 0,
                                nullptr) == 0)
    throw output_failure(path, image.message);
  file.resize(size);
  return file;
}

// `mode`: "wb", or "wbx" for a file that must be new.
void write_file(const fs::path& path, const char* mode, const std::vector<std::uint8_t>& data) {
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

void write_and_move(const fs::path& path, const std::vector<std::uint8_t>& data) {
  fs::path draft = path;
  draft += fmt::format(".{}.part", getpid());
  try {
    write_file(draft, "wbx", data);
    fs::rename(draft, path);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    if (error.code() != std::errc::file_exists) fs::remove(draft, ignored);
    throw;
  }
}

}  // namespace

void write_png(const Picture& picture, const std::string& path) {
  const std::vector<std::uint8_t> data = encoded(picture, path);
  try {
    const fs::file_status there = fs::status(path);
    if (fs::is_directory(there))
      throw std::system_error(std::make_error_code(std::errc::is_a_directory));
    if (fs::exists(there) && !fs::is_regular_file(there))
      write_file(path, "wb", data);
    else
      write_and_move(behind_links(path), data);
  } catch (const std::system_error& error) {
    throw output_failure(path, error.code().message());
  }
}

}  // namespace plimsoll::cli
