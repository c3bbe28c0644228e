#include "picture/picture_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "picture/lettering.h"

namespace plimsoll::picture {
namespace {

constexpr Color kInk{20, 30, 40};
constexpr Color kPaper{255, 255, 255};

/// How thick lines and how high letters are, in pixels of a picture 480 wide.
int unit_of(const Picture& picture) {
  return std::max(1, static_cast<int>(std::lround(picture.width() / 480.0)));
}

constexpr double kCapital = 7, kMargin = 4, kLine = 8;  // units

/// A light ground, so that ink is read on anything.
void lighten(Picture& picture, const Rectangle& frame) { fill(picture, frame, kPaper, 0.6); }

}  // namespace

double round_length(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  const double share = length / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

void draw_scale_bar(Picture& picture, double pixels_per_meter) {
  const int unit = unit_of(picture);
  const double margin = kMargin * unit, thick = 2 * unit, height = kLine * unit;
  const double length = round_length(picture.width() / 5.0 / pixels_per_meter);
  const double bar = std::round(length * pixels_per_meter);
  const std::string label = fmt::format("{:g} m", length);
  const double x = 2 * margin, y = picture.height() - 2 * margin - height;
  lighten(picture,
          {x - margin, y - margin, bar + lettered_width(label, kCapital * unit) + 3 * margin,
           height + 2 * margin});
  fill(picture, {x, y + (height - thick) / 2, bar, thick}, kInk);
  for (const double end : {x, x + bar - thick}) fill(picture, {end, y, thick, height}, kInk);
  letter(picture, {x + bar + margin, y + (kLine + kCapital) / 2 * unit}, label, kCapital * unit,
         kInk);
}

void write_caption(Picture& picture, std::string_view text) {
  const int unit = unit_of(picture);
  const double margin = kMargin * unit;
  lighten(picture, {margin, margin, lettered_width(text, kCapital * unit) + 2 * margin,
                    kLine * unit + 2 * margin});
  letter(picture, {2 * margin, 2 * margin + (kLine + kCapital) / 2 * unit}, text, kCapital * unit,
         kInk);
}

}  // namespace plimsoll::picture
