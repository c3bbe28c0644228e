// Pixels, and the files of them.
#include "picture/picture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "picture/strokes.h"

namespace plimsoll::picture {
namespace {

TEST_CASE("pixels are what they were set to, and outside there are none to set") {
  Picture picture(3, 2, {1, 2, 3});
  picture.set(2, 1, {250, 128, 7});
  for (const auto& [x, y] : {std::pair(-1, 0), {3, 0}, {0, -1}, {0, 2}}) picture.set(x, y, {});
  CHECK(picture.at(2, 1) == Color{250, 128, 7});
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x)
      if (x != 2 || y != 1) CHECK(picture.at(x, y) == Color{1, 2, 3});
  CHECK((picture.pixels()[5] & 0xffffff) == 0xfa8007);
}

// Cairo takes colors as reals.
TEST_CASE("what Cairo fills has the color that was asked for") {
  Picture picture(256, 1, {});
  for (int x = 0; x < 256; ++x) {
    const auto shade = static_cast<std::uint8_t>(x), other = static_cast<std::uint8_t>(255 - x);
    fill(picture, {static_cast<double>(x), 0, 1, 1}, {shade, other, shade});
    CHECK(picture.at(x, 0) == Color{shade, other, shade});
  }
}

TEST_CASE("mixed colors lie between, and are one or the other at the ends") {
  const Color a{10, 200, 0}, b{30, 100, 255};
  CHECK(mixed(a, b, 0) == a);
  CHECK(mixed(a, b, 1) == b);
  CHECK(mixed(a, b, 0.5) == Color{20, 150, 128});
}

struct Reader {
  std::string file;
  std::size_t at = 0;
};
cairo_status_t read(void* reader, unsigned char* into, unsigned int length) {
  auto& [file, at] = *static_cast<Reader*>(reader);
  if (at + length > file.size()) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(into, file.data() + at, length);
  at += length;
  return CAIRO_STATUS_SUCCESS;
}

TEST_CASE("a file has the pixels of the picture in three bytes each") {
  Picture picture(7, 5, {255, 255, 255});
  for (int x = 0; x < 7; ++x)
    for (int y = 0; y < 5; ++y)
      picture.set(x, y, {static_cast<std::uint8_t>(36 * x), static_cast<std::uint8_t>(63 * y), 9});
  Reader reader{png_file(picture)};
  // The header [PNG, third edition, 11.2.1]: width and height, 8 bits, color type 2, which is RGB.
  CHECK(reader.file.substr(12, 14) == std::string("IHDR\0\0\0\7\0\0\0\5\10\2", 14));
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> back(
      cairo_image_surface_create_from_png_stream(read, &reader), cairo_surface_destroy);
  REQUIRE(cairo_surface_status(back.get()) == CAIRO_STATUS_SUCCESS);
  Picture copy(7, 5, {});
  const unsigned char* rows = cairo_image_surface_get_data(back.get());
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, rows + y * cairo_image_surface_get_stride(back.get()) + 4 * x, 4);
      CHECK((pixel & 0xffffff) ==
            (picture.pixels()[static_cast<std::size_t>(7 * y + x)] & 0xffffff));
    }
}

TEST_CASE("a picture put onto another is there, pixel by pixel, as far as it has room") {
  Picture part(4, 4, {}), picture(6, 6, {9, 9, 9});
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      part.set(x, y, {static_cast<std::uint8_t>(50 * x), static_cast<std::uint8_t>(50 * y), 1});
  put(picture, part, 3, 1);
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y) {
      const bool is_part = x >= 3 && y >= 1 && y < 5;
      CHECK(picture.at(x, y) == (is_part ? part.at(x - 3, y - 1) : Color{9, 9, 9}));
    }
}

}  // namespace
}  // namespace plimsoll::picture
