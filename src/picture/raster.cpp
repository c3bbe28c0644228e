#include "picture/raster.h"

namespace plimsoll::picture {

ParallelView view_from(double elevation_deg, double turn_deg) {
  const double degree = std::acos(-1.0) / 180;
  ParallelView view;
  // From -y and above; at 90 degrees straight down, y up.
  view.turn = (Eigen::AngleAxisd((elevation_deg - 90) * degree, Vec3::UnitX()) *
               Eigen::AngleAxisd(-turn_deg * degree, Vec3::UnitZ()))
                  .toRotationMatrix();
  return view;
}

double fitting(const ParallelView& view, const Box3& box, double width, double height) {
  const Vec3 half = view.turn.cwiseAbs() * (box.sizes() / 2);
  return std::min(width / (2 * half[0]), height / (2 * half[1]));
}

}  // namespace plimsoll::picture
