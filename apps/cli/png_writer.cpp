#include "png_writer.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <new>
#include <string>

#include "failure.h"
#include "file_writer.h"

namespace plimsoll::cli {
namespace {

std::string encoded(const Picture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width());
  image.height = static_cast<png_uint_32>(picture.height());
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, 0);
  if (png_image_write_to_memory(&image, file.data(), &size, 0, picture.bytes().data(), 0,
                                nullptr) == 0)
    throw output_failure(path, image.message);
  file.resize(size);
  return file;
}

}  // namespace

void write_png(const Picture& picture, const std::string& path) {
  write_file(encoded(picture, path), path);
}

void check_png_name(const std::optional<std::string>& path, const char* option) {
  if (!path) return;
  std::string ending = std::filesystem::path(*path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!ending.empty() && ending != ".png")
    throw usage_failure(
        fmt::format("found \"{}\", expected a name that ends in .png: pictures are PNG", *path),
        option);
}

}  // namespace plimsoll::cli
