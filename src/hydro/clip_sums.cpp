// From sums to integrals. With p the apex, n the unit normal, and x, s and t relative to the center
// of the frame, s and t the coordinates that are left when that of the plane's axis k is dropped,
//
//   V = kWetVolume / 18,   int x = (kWetFirst + p kWetVolume / 3) / 24,
//   x_k = (level - n_s s - n_t t) / n_k,
//
// since a tetrahedron's centroid is the mean of its corners, and an area of the plane is that of
// its image in (s, t) over n_k, the sign of n_k included: seen against the normal the image turns
// round if n_k < 0.
#include "hydro/clip_sums.h"

#include <cmath>
#include <limits>

#include "core/power_of_two.h"

namespace plimsoll {
namespace {

/// Unit axes in the plane; u square to the axis that the normal is farthest from.
Mat23 axes_in_plane(const Vec3& normal) {
  int flattest = 0;
  normal.cwiseAbs().minCoeff(&flattest);
  const Vec3 u = Vec3::Unit(flattest).cross(normal).normalized();
  Mat23 axes;
  axes.row(0) = u;
  axes.row(1) = normal.cross(u);
  return axes;
}

/// The section, in units of the frame and relative to its center.
WaterSection section_of(const WetTotals& totals, const ClipPlane& plane) {
  const int k = plane.axis;
  const int s = k == 0 ? 1 : 0;
  const int t = k == 2 ? 1 : 2;
  // (x, z) is left-handed about y.
  const double per_image = (k == 1 ? -1 : 1) / plane.unit[k];
  WaterSection section;
  section.area = totals[kSectionArea] / 2 * per_image;
  if (section.area == 0) return section;
  section.axes = axes_in_plane(plane.unit);
  // From (s, t) to the plane.
  Eigen::Matrix<double, 3, 2> lift = Eigen::Matrix<double, 3, 2>::Zero();
  lift(s, 0) = 1;
  lift(t, 1) = 1;
  lift(k, 0) = -plane.unit[s] / plane.unit[k];
  lift(k, 1) = -plane.unit[t] / plane.unit[k];
  const Vec2 center =
      Vec2(totals[kSectionFirst], totals[kSectionFirst + 1]) / (3 * totals[kSectionArea]);
  Mat2 second;
  second << totals[kSectionSecond] / 12, totals[kSectionSecond + 2] / 24,
      totals[kSectionSecond + 2] / 24, totals[kSectionSecond + 1] / 12;
  second -= totals[kSectionArea] / 2 * center * center.transpose();
  const Mat2 to_axes = section.axes * lift;
  section.center = lift * center;
  section.center[k] += plane.level / plane.unit[k];
  section.second_moments = per_image * (to_axes * second * to_axes.transpose());
  return section;
}

/// From units of the frame, turned with the body's sign: neither axes nor centers know a sign.
WaterSection placed(WaterSection section, double sign, const BodyFrame& frame) {
  const int e = frame.exponent;
  section.area = times_power_of_two(sign * section.area, 2 * e);
  if (section.area != 0) section.center = frame.to_meters(section.center);
  section.second_moments = (sign * section.second_moments).unaryExpr([e](double m) {
    return times_power_of_two(m, 4 * e);
  });
  return section;
}

}  // namespace

void add_lanes(const WetLanes& lanes, WetTotals& totals) {
  for (std::size_t i = 0; i < kWetSums; ++i) {
    double sum = 0;
    for (const double lane : lanes.sum[i]) sum += lane;
    totals[i] += sum;
  }
}

Submersion submersion_of(const WetTotals& totals, const BodyFrame& frame, const ClipPlane& plane,
                         const WholeBody& whole, std::size_t additions,
                         const SubmersionParts& parts) {
  const WetVolume volume{totals[kWetVolume],
                         {totals[kWetFirst], totals[kWetFirst + 1], totals[kWetFirst + 2]}};
  Submersion wet;
  set_volume(volume, frame, plane, whole, additions, wet);
  const int e = frame.exponent;
  if (parts.wetted_area) wet.wetted_area = times_power_of_two(totals[kWetArea] / 6, 2 * e);
  if (parts.waterplane) wet.waterplane = placed(section_of(totals, plane), sign_of(whole), frame);
  return wet;
}

}  // namespace plimsoll
