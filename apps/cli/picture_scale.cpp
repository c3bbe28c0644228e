#include "picture_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "raster.h"

namespace plimsoll::cli {
namespace {

constexpr Color kInk{20, 30, 40};
constexpr Color kPaper{255, 255, 255};

/// Of letters: twice the size for each 480 pixels.
int letter_scale(const Picture& picture) {
  return std::max(1, static_cast<int>(std::lround(picture.width() / 480.0)));
}

/// A light ground, so that ink is read on anything.
void lighten(Picture& picture, int x, int y, int width, int height) {
  for (int j = std::max(0, y); j < std::min(picture.height(), y + height); ++j)
    for (int i = std::max(0, x); i < std::min(picture.width(), x + width); ++i)
      picture.set(i, j, mixed(picture.at(i, j), kPaper, 0.6));
}

}  // namespace

double round_length(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  const double share = length / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

void draw_scale_bar(Picture& picture, double pixels_per_meter) {
  const int scale = letter_scale(picture), margin = 4 * scale, thick = 2 * scale;
  const double length = round_length(picture.width() / 5.0 / pixels_per_meter);
  const int bar = static_cast<int>(std::lround(length * pixels_per_meter));
  const std::string label = fmt::format("{:g} m", length);
  const int height = kLetterHeight * scale;
  const int x = 2 * margin, y = picture.height() - 2 * margin - height;
  const int middle = y + height / 2 - thick / 2;
  lighten(picture, x - margin, y - margin, bar + text_width(label, scale) + 3 * margin,
          height + 2 * margin);
  picture.fill(x, middle, bar, thick, kInk);
  for (const int end : {x, x + bar - thick}) picture.fill(end, y, thick, height, kInk);
  picture.write(x + bar + margin, y, label, scale, kInk);
}

void write_caption(Picture& picture, std::string_view text) {
  const int scale = letter_scale(picture), margin = 4 * scale;
  lighten(picture, margin, margin, text_width(text, scale) + 2 * margin - scale,
          kLetterHeight * scale + 2 * margin);
  picture.write(2 * margin, 2 * margin, text, scale, kInk);
}

}  // namespace plimsoll::cli
