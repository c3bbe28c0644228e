// Triangles seen in parallel projection, the nearest in front.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "picture.h"

namespace plimsoll::cli {

/// Orthographic: x to the right, y up, z towards the eye, in pixels.
struct View {
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
[[nodiscard]] View view_from(double elevation_deg, double turn_deg);

/// The largest scale at which a view of the box fits into so many pixels.
[[nodiscard]] double fitting(const View& view, const Box3& box, double width, double height);

[[nodiscard]] Color mixed(Color a, Color b, double share_of_b);

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

/// A picture and how near to the eye each of its pixels is.
class Canvas {
 public:
  Canvas(int width, int height, Color background)
      : picture(width, height, background),
        depth_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
               -std::numeric_limits<double>::infinity()) {}

  Picture picture;

  /// Calls shade(u, v, w), the shares of the corners, for the color of each pixel of the triangle
  /// that is nearest to the eye.
  template <class Shade>
  void triangle(const std::array<Vec3, 3>& p, const Shade& shade) {
    const PixelSize size{picture.width(), picture.height()};
    for_each_pixel(p, size, [&](int x, int y, double z, double u, double v, double w) {
      double& nearest = depth(x, y);
      if (z <= nearest) return;
      nearest = z;
      picture.set(x, y, shade(u, v, w));
    });
  }

  /// A line of squares of `width` pixels where it is no more than `hidden` behind what is drawn.
  void line(const Vec3& a, const Vec3& b, int width, Color color, double hidden) {
    const int steps =
        1 + static_cast<int>(std::max(std::fabs(b.x() - a.x()), std::fabs(b.y() - a.y())));
    for (int i = 0; i <= steps; ++i) {
      const Vec3 p = a + (b - a) * (static_cast<double>(i) / steps);
      const int x = static_cast<int>(std::floor(p.x())), y = static_cast<int>(std::floor(p.y()));
      if (x < 0 || y < 0 || x >= picture.width() || y >= picture.height()) continue;
      if (p.z() >= depth(x, y) - hidden)
        picture.fill(x - width / 2, y - width / 2, width, width, color);
    }
  }

  /// -infinity where nothing is.
  [[nodiscard]] double depth_at(int x, int y) const {
    return const_cast<Canvas*>(this)->depth(x, y);
  }

 private:
  double& depth(int x, int y) {
    return depth_[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width()) +
                  static_cast<std::size_t>(x)];
  }

  std::vector<double> depth_;
};

constexpr double kAlways = std::numeric_limits<double>::infinity();

}  // namespace plimsoll::cli
