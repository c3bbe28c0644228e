// A picture in memory and what is drawn into it: rectangles and small text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
};

struct PixelSize {
  int width = 0;
  int height = 0;
};

/// Three bytes a pixel, top row first.
class Picture {
 public:
  Picture(int width, int height, Color background);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  /// Precondition: within the picture.
  [[nodiscard]] Color at(int x, int y) const;

  /// Outside the picture nothing happens.
  void set(int x, int y, Color color);
  void fill(int x, int y, int width, int height, Color color);

  /// `text` in Latin-1 with its upper left corner at (x, y); letters that the font lacks are blank.
  void write(int x, int y, std::string_view text, int scale, Color color);

 private:
  int width_;
  int height_;
  std::vector<std::uint8_t> bytes_;
};

/// Of a picture whose sides are multiples of `factor`, the mean of each square of so many pixels.
[[nodiscard]] Picture reduced(const Picture& fine, int factor);

/// The dots of a letter: eight rows of a byte, the top one in the highest, of which the last five
/// bits are its dots; the last row is for descenders. 0 of letters that the font lacks.
[[nodiscard]] std::uint64_t letter_rows(char name);

/// The letters' cell at scale 1, with the space to the next.
constexpr int kLetterWidth = 6;
constexpr int kLetterHeight = 8;

[[nodiscard]] inline int text_width(std::string_view text, int scale) {
  return static_cast<int>(text.size()) * kLetterWidth * scale;
}

}  // namespace plimsoll::cli
