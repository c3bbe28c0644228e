#include "picture.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::cli {
namespace {

struct Letter {
  char name;
  std::uint64_t rows;
};

constexpr Letter kLetters[] = {
    {'a', 0x00000e010f110f00},    {'b', 0x1010161911111e00},    {'c', 0x00000e1010110e00},
    {'d', 0x01010d1311110f00},    {'e', 0x00000e111f100e00},    {'f', 0x0609081c08080800},
    {'g', 0x00000f11110f010e},    {'h', 0x1010161911111100},    {'i', 0x04000c0404040e00},
    {'j', 0x020006020202120c},    {'k', 0x1010121418141200},    {'l', 0x0c04040404040e00},
    {'m', 0x00001a1515111100},    {'n', 0x0000161911111100},    {'o', 0x00000e1111110e00},
    {'p', 0x00001e11111e1010},    {'q', 0x00000f11110f0101},    {'r', 0x0000161910101000},
    {'s', 0x00000f100e011e00},    {'t', 0x08081c0808090600},    {'u', 0x0000111111130d00},
    {'v', 0x00001111110a0400},    {'w', 0x0000111115150a00},    {'x', 0x0000110a040a1100},
    {'y', 0x000011110a040810},    {'z', 0x00001f0204081f00},    {'0', 0x0e11131519110e00},
    {'1', 0x040c040404040e00},    {'2', 0x0e11010204081f00},    {'3', 0x1f02040201110e00},
    {'4', 0x02060a121f020200},    {'5', 0x1f101e0101110e00},    {'6', 0x0608101e11110e00},
    {'7', 0x1f01020408080800},    {'8', 0x0e11110e11110e00},    {'9', 0x0e11110f01020c00},
    {'.', 0x00000000000c0c00},    {',', 0x000000000c0c0408},    {'-', 0x0000001f00000000},
    {'+', 0x0004041f04040000},    {'/', 0x0001020408100000},    {'=', 0x00001f001f000000},
    {':', 0x000c0c000c0c0000},    {';', 0x000c0c000c040800},    {'(', 0x0204080808040200},
    {')', 0x0804020202040800},    {'B', 0x1e11111e11111e00},    {'E', 0x1f10101e10101f00},
    {'F', 0x1f10101e10101000},    {'G', 0x0e11101711110f00},    {'M', 0x111b151511111100},
    {'\xb1', 0x04041f0404001f00}, {'\xb2', 0x0c0204080e000000}, {'\xb3', 0x0c0204020c000000},
    {'\xb7', 0x0000000400000000}, {'A', 0x0e11111f11111100},    {'C', 0x0e11101010110e00},
    {'D', 0x1e11111111111e00},    {'H', 0x1111111f11111100},    {'I', 0x0e04040404040e00},
    {'J', 0x0702020202120c00},    {'K', 0x1112141814121100},    {'L', 0x1010101010101f00},
    {'N', 0x1111191513111100},    {'O', 0x0e11111111110e00},    {'P', 0x1e11111e10101000},
    {'Q', 0x0e11111115120d00},    {'R', 0x1e11111e14121100},    {'S', 0x0f10100e01011e00},
    {'T', 0x1f04040404040400},    {'U', 0x1111111111110e00},    {'V', 0x11111111110a0400},
    {'W', 0x11111115151b1100},    {'X', 0x11110a040a111100},    {'Y', 0x11110a0404040400},
    {'Z', 0x1f01020408101f00},    {'_', 0x0000000000001f00},    {'%', 0x1819020408130300},
    {'\xb0', 0x0c12120c00000000}, {'[', 0x0e08080808080e00},    {']', 0x0e02020202020e00}};

}  // namespace

Picture::Picture(int width, int height, Color background)
    : width_(width),
      height_(height),
      bytes_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
  fill(0, 0, width, height, background);
}

Color Picture::at(int x, int y) const {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                             static_cast<std::size_t>(x));
  return {bytes_[i], bytes_[i + 1], bytes_[i + 2]};
}

void Picture::set(int x, int y, Color color) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  std::uint8_t* pixel =
      bytes_.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                           static_cast<std::size_t>(x));
  pixel[0] = color.red;
  pixel[1] = color.green;
  pixel[2] = color.blue;
}

void Picture::fill(int x, int y, int width, int height, Color color) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) set(i, j, color);
}

void Picture::write(int x, int y, std::string_view text, int scale, Color color) {
  for (const char name : text) {
    const std::uint64_t rows = letter_rows(name);
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 5; ++i)
        if ((rows >> (8 * (7 - j) + (4 - i)) & 1) != 0)
          fill(x + scale * i, y + scale * j, scale, scale, color);
    x += kLetterWidth * scale;
  }
}

Picture reduced(const Picture& fine, int factor) {
  const int count = factor * factor;
  Picture picture(fine.width() / factor, fine.height() / factor, {});
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      int red = 0, green = 0, blue = 0;
      for (int k = 0; k < count; ++k) {
        const Color c = fine.at(x * factor + k % factor, y * factor + k / factor);
        red += c.red;
        green += c.green;
        blue += c.blue;
      }
      picture.set(x, y,
                  {static_cast<std::uint8_t>(red / count), static_cast<std::uint8_t>(green / count),
                   static_cast<std::uint8_t>(blue / count)});
    }
  return picture;
}

std::uint64_t letter_rows(char name) {
  const auto* const found = std::find_if(std::begin(kLetters), std::end(kLetters),
                                         [name](const Letter& l) { return l.name == name; });
  return found != std::end(kLetters) ? found->rows : 0;
}

}  // namespace plimsoll::cli
