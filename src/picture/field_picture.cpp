#include "picture/field_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "picture/bodies_picture.h"
#include "picture/picture_scale.h"

namespace plimsoll::picture {
namespace {

constexpr Color kNearInside{206, 222, 240}, kDeepInside{30, 72, 146};
constexpr Color kNearOutside{250, 240, 222}, kFarOutside{196, 140, 70};
constexpr double kPixelsForSquare = 2;

/// The field between the middles of its squares.
class Field {
 public:
  Field(const FieldSlice& slice, double pixels) : slice_(slice), squares_(1 / pixels) {
    const auto [least, most] = std::minmax_element(slice.values.begin(), slice.values.end());
    least_ = *least;
    most_ = *most;
    band_ = round_length(std::max(most_ - least_, 1e-300) / 24);
  }

  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double band() const { return band_; }

  /// At a pixel from the upper left corner.
  [[nodiscard]] double at(int x, int y) const {
    const double u = place(x, slice_.columns), v = place(y, slice_.rows);
    const auto i = static_cast<std::size_t>(u), j = static_cast<std::size_t>(v);
    const double a = u - static_cast<double>(i), b = v - static_cast<double>(j);
    return (1 - b) * ((1 - a) * value(i, j) + a * value(i + 1, j)) +
           b * ((1 - a) * value(i, j + 1) + a * value(i + 1, j + 1));
  }

  [[nodiscard]] Color color(double value) const {
    const double middle = (std::floor(std::fabs(value) / band_) + 0.5) * band_;
    const double range = value < 0 ? -least_ : most_;
    const double share = std::clamp(range > 0 ? middle / range : 0, 0.0, 1.0);
    return value < 0 ? mixed(kNearInside, kDeepInside, share)
                     : mixed(kNearOutside, kFarOutside, share);
  }

 private:
  [[nodiscard]] double place(int pixel, std::size_t count) const {
    return std::clamp((pixel + 0.5) * squares_ - 0.5, 0.0, static_cast<double>(count - 1));
  }
  [[nodiscard]] double value(std::size_t i, std::size_t j) const {
    return slice_
        .values[std::min(j, slice_.rows - 1) * slice_.columns + std::min(i, slice_.columns - 1)];
  }

  const FieldSlice& slice_;
  double squares_;  // in a pixel
  double least_ = 0, most_ = 0, band_ = 1;
};

void draw(Picture& picture, const Field& field, const Rectangle& frame, double surface) {
  const int width = static_cast<int>(frame.width), height = static_cast<int>(frame.height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double here = field.at(x, y), right = field.at(x + 1, y), below = field.at(x, y + 1);
      const auto differs = [&](const auto& of) {
        return of(here) != of(right) || of(here) != of(below);
      };
      Color color = field.color(here);
      if (differs([&](double v) { return std::floor(v / field.band()); }))
        color = mixed(color, kInk, 0.35);
      if (differs([](double v) { return v < 0; }) || std::fabs(here) < surface) color = kStrong;
      picture.set(static_cast<int>(frame.x) + x, static_cast<int>(frame.y) + y, color);
    }
}

constexpr std::size_t kFacts = 3;

}  // namespace

double field_step(double width, double height, PixelSize size) {
  const Rectangle body = layout_with_legend(size, kFacts).body;
  return kPixelsForSquare * std::max(width / body.width, height / body.height);
}

Picture draw_field(const FieldSlice& slice, PixelSize size) {
  PictureLayout layout = layout_with_legend(size, kFacts);
  const double pixels = std::min(layout.body.width / static_cast<double>(slice.columns),
                                 layout.body.height / static_cast<double>(slice.rows));
  const Field field(slice, pixels);
  Rectangle frame = layout.body;
  frame.width = std::floor(pixels * static_cast<double>(slice.columns));
  frame.height = std::floor(pixels * static_cast<double>(slice.rows));
  frame.x += std::floor((layout.body.width - frame.width) / 2);
  Picture picture(size.width, size.height, kPaper);
  draw(picture, field, frame, slice.has_sign ? 0 : slice.step / pixels);
  std::vector<LegendEntry> legend;
  if (slice.has_sign)
    legend.push_back({kNearInside, "inside, the darker the deeper", {kNearInside, kDeepInside}});
  legend.push_back({kNearOutside,
                    slice.has_sign ? "outside, the darker the farther"
                                   : "distance, which has no sign: the darker the farther",
                    {kNearOutside, kFarOutside}});
  legend.push_back({kStrong, "the surface"});
  draw_words(picture, slice.title, legend,
             {{"slice", slice.words},
              {"distances in it", fmt::format("{:.4g} to {:.4g} m", field.least(), field.most())},
              {"from line to line", fmt::format("{:.3g} m", field.band())}},
             layout, pixels / slice.step);
  return picture;
}

}  // namespace plimsoll::picture
