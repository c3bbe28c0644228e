// Triangles seen in parallel projection, the nearest in front.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "picture/picture.h"

namespace plimsoll::picture {

/// Orthographic: x to the right, y up, z towards the eye, in pixels.
struct ParallelView {
  Mat3 turn = Mat3::Identity();
  double scale = 1;
  Vec3 middle = Vec3::Zero();  // is seen at (center_x, center_y)
  double center_x = 0, center_y = 0;

  [[nodiscard]] Vec3 operator()(const Vec3& p) const {
    const Vec3 q = scale * (turn * (p - middle));
    return {center_x + q[0], center_y - q[1], q[2]};
  }
  /// The point that is seen there.
  [[nodiscard]] Vec3 back(const Vec3& seen) const {
    const Vec3 q(seen[0] - center_x, center_y - seen[1], seen[2]);
    return middle + turn.transpose() * (q / scale);
  }
};

/// From -y, turned about the vertical and raised by so much; at 90 degrees straight down, y up.
[[nodiscard]] ParallelView view_from(double elevation_deg, double turn_deg);

/// The largest scale at which a view of the box fits into so many pixels.
[[nodiscard]] double fitting(const ParallelView& view, const Box3& box, double width,
                             double height);

/// The picture whose pixels are the means of squares of factor x factor of color(x, y).
template <class ColorAt>
Picture averaged(PixelSize size, int factor, const ColorAt& color) {
  const int count = factor * factor;
  Picture picture(size.width, size.height, {});
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      int red = 0, green = 0, blue = 0;
      for (int k = 0; k < count; ++k) {
        const Color c = color(x * factor + k % factor, y * factor + k / factor);
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

/// Calls take(x, y, z, u, v, w) for each pixel whose middle lies in the triangle: its place, how
/// near to the eye the triangle is there, and the shares of the corners.
template <class Take>
void for_each_pixel(const std::array<Vec3, 3>& p, PixelSize size, const Take& take) {
  const double area =
      (p[1] - p[0]).head<2>().x() * (p[2] - p[0]).y() - (p[1] - p[0]).y() * (p[2] - p[0]).x();
  if (area == 0) return;
  const auto low = [](double a, double b, double c) {
    constexpr double kFar = 1e8;
    return static_cast<int>(std::clamp(std::floor(std::min({a, b, c})), -kFar, kFar));
  };
  const int x0 = std::max(0, low(p[0].x(), p[1].x(), p[2].x()));
  const int y0 = std::max(0, low(p[0].y(), p[1].y(), p[2].y()));
  const int x1 = std::min(size.width - 1, -low(-p[0].x(), -p[1].x(), -p[2].x()));
  const int y1 = std::min(size.height - 1, -low(-p[0].y(), -p[1].y(), -p[2].y()));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Vec3 at(x + 0.5, y + 0.5, 0);
      const auto share = [&](const Vec3& a, const Vec3& b) {
        return ((b.x() - a.x()) * (at.y() - a.y()) - (b.y() - a.y()) * (at.x() - a.x())) / area;
      };
      const double u = share(p[1], p[2]), v = share(p[2], p[0]), w = share(p[0], p[1]);
      if (u < 0 || v < 0 || w < 0) continue;
      take(x, y, u * p[0].z() + v * p[1].z() + w * p[2].z(), u, v, w);
    }
}

/// Colors, and how near to the eye each of them is: `factor` x `factor` for each pixel of a
/// picture.
class Canvas {
 public:
  Canvas(PixelSize picture, int factor, Color background)
      : picture_(picture),
        factor_(factor),
        size_{factor * picture.width, factor * picture.height},
        colors_(index(0, size_.height), background),
        depths_(colors_.size(), -std::numeric_limits<double>::infinity()) {}

  [[nodiscard]] PixelSize size() const { return size_; }
  [[nodiscard]] Color& color(int x, int y) { return colors_[index(x, y)]; }
  /// -infinity where nothing is.
  [[nodiscard]] double depth(int x, int y) const { return depths_[index(x, y)]; }

  /// Gives each pixel of the triangle that is nearest to the eye that color.
  void triangle(const std::array<Vec3, 3>& p, Color color) {
    for_each_pixel(p, size_, [&](int x, int y, double z, double, double, double) {
      double& nearest = depths_[index(x, y)];
      if (z <= nearest) return;
      nearest = z;
      colors_[index(x, y)] = color;
    });
  }

  /// A line of squares of `width` pixels where it is no more than `hidden` behind what is drawn.
  void line(const Vec3& a, const Vec3& b, int width, Color color, double hidden) {
    const int steps =
        1 + static_cast<int>(std::max(std::fabs(b.x() - a.x()), std::fabs(b.y() - a.y())));
    for (int i = 0; i <= steps; ++i) {
      const Vec3 p = a + (b - a) * (static_cast<double>(i) / steps);
      const int x = static_cast<int>(std::floor(p.x())), y = static_cast<int>(std::floor(p.y()));
      if (x < 0 || y < 0 || x >= size_.width || y >= size_.height) continue;
      if (p.z() >= depth(x, y) - hidden) fill(x - width / 2, y - width / 2, width, width, color);
    }
  }

  /// Outside the canvas nothing happens.
  void fill(int x, int y, int width, int height, Color color) {
    for (int j = std::max(0, y); j < std::min(y + height, size_.height); ++j)
      for (int i = std::max(0, x); i < std::min(x + width, size_.width); ++i)
        colors_[index(i, j)] = color;
  }

  [[nodiscard]] Picture picture() const {
    return averaged(picture_, factor_, [&](int x, int y) { return colors_[index(x, y)]; });
  }

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(x);
  }

  PixelSize picture_;
  int factor_;
  PixelSize size_;
  std::vector<Color> colors_;
  std::vector<double> depths_;
};

constexpr double kAlways = std::numeric_limits<double>::infinity();

}  // namespace plimsoll::picture
