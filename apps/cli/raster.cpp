#include "raster.h"

namespace plimsoll::cli {

View view_from(double elevation_deg, double turn_deg) {
  const double degree = std::acos(-1.0) / 180;
  View view;
  // From -y and above; at 90 degrees straight down, y up.
  view.turn = (Eigen::AngleAxisd((elevation_deg - 90) * degree, Vec3::UnitX()) *
               Eigen::AngleAxisd(-turn_deg * degree, Vec3::UnitZ()))
                  .toRotationMatrix();
  return view;
}

double fitting(const View& view, const Box3& box, double width, double height) {
  const Vec3 half = view.turn.cwiseAbs() * (box.sizes() / 2);
  return std::min(width / (2 * half[0]), height / (2 * half[1]));
}

Color mixed(Color a, Color b, double share_of_b) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * share_of_b));
  };
  return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

}  // namespace plimsoll::cli
