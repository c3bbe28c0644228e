#include "picture/picture.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "picture/pen.h"

namespace plimsoll::picture {
namespace {

constexpr cairo_format_t kFormat = CAIRO_FORMAT_RGB24;  // rows of 4 bytes a pixel have no gaps

std::uint32_t pixel_of(Color color) {
  return std::uint32_t{color.red} << 16 | std::uint32_t{color.green} << 8 | color.blue;
}

}  // namespace

Color mixed(Color a, Color b, double share_of_b) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * share_of_b));
  };
  return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

Picture::Picture(int width, int height, Color background)
    : width_(width), height_(height), surface_(cairo_image_surface_create(kFormat, width, height)) {
  if (cairo_surface_status(surface_.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  pixels_ = reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(surface_.get()));
  std::fill_n(pixels_, index(0, height_), pixel_of(background));
}

std::span<const std::uint32_t> Picture::pixels() const { return {pixels_, index(0, height_)}; }

Color Picture::at(int x, int y) const {
  const std::uint32_t pixel = pixels_[index(x, y)];
  return {static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
          static_cast<std::uint8_t>(pixel)};
}

void Picture::set(int x, int y, Color color) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  pixels_[index(x, y)] = pixel_of(color);
}

std::string png_file(const Picture& picture) {
  std::string file;
  cairo_surface_mark_dirty(picture.surface());  // pixels may have been set
  // Nothing but memory can be missing: the file is in memory, and a picture's surface is sound.
  if (cairo_surface_write_to_png_stream(picture.surface(), append_to_string, &file) !=
      CAIRO_STATUS_SUCCESS)
    throw std::bad_alloc();
  return file;
}

}  // namespace plimsoll::picture
