// From sums to integrals. With p the apex, n the unit normal, and x, s and t relative to the center
// of the frame, s and t the coordinates that are left when that of the plane's axis k is dropped,
//
//   V = kWetVolume / 18,   int x = (kWetFirst + p kWetVolume / 3) / 24,
//   x_k = (level - n_s s - n_t t) / n_k,
//
// since a tetrahedron's centroid is the mean of its corners, and an area of the plane is that of
// its image in (s, t) over n_k, the sign of n_k included: seen against the normal the image turns
// round if n_k < 0.
//
// Error of the volume, in units of u r M / 6 with u = 2^-53, r = reach + |level| and M the sum of
// |e_j f_k|: a term of D takes 8 roundings and its wet share 6, and every addition one. Rounding a
// vertex relative to the apex moves it by at most 3 u r, hence the volume by 3 u r times the area,
// which is at most M / 2; a height wrong by 24 u r (clip_plane.cpp; the normal is longer than 1/2)
// moves the water there by 48 u r. 14 + 6 (1.5 + 24) < 192, and additions come on top.
#include "hydro/wet_sums.h"

#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double kRoundings = 192;

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
  section.axes = axes_in_plane(plane.unit);
  section.area = totals[kSectionArea] / 2 * per_image;
  if (section.area == 0) {
    section.center.setConstant(kNaN);
    return section;
  }
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

/// No part of a solid has a volume below zero: where a body just touches the water, such a sum is
/// rounding. The error grows by what is cut off, for the sake of surfaces that bound no solid.
void remove_noise(Submersion& wet, double sign) {
  const double below = -sign * wet.volume;
  if (!(below > 0 && below <= wet.volume_error)) return;
  wet.volume = 0;
  wet.volume_error += below;
}

/// Turned with the body's sign, moved from the center and brought from units of the frame to
/// meters. Neither axes nor centers know a sign.
void place(Submersion& wet, double sign, const BodyFrame& frame) {
  const int e = frame.exponent;
  const auto placed = [&](const Vec3& x) {
    return Vec3((frame.center + x).unaryExpr([e](double c) { return std::ldexp(c, e); }));
  };
  wet.volume = std::ldexp(sign * wet.volume, 3 * e);
  wet.volume_error = std::ldexp(wet.volume_error, 3 * e);
  wet.center_of_buoyancy = placed(wet.center_of_buoyancy);
  wet.wetted_area = std::ldexp(wet.wetted_area, 2 * e);
  wet.waterplane.area = std::ldexp(sign * wet.waterplane.area, 2 * e);
  wet.waterplane.center = placed(wet.waterplane.center);
  wet.waterplane.second_moments = (sign * wet.waterplane.second_moments).unaryExpr([e](double m) {
    return std::ldexp(m, 4 * e);
  });
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
                         const WholeBody& whole, std::size_t additions) {
  Submersion wet;
  wet.volume = totals[kWetVolume] / 18;
  const double roundings = kRoundings + static_cast<double>(additions);
  wet.volume_error =
      roundings * 0x1p-53 / 6 * (frame.reach + std::fabs(plane.level)) * whole.magnitude;
  const double sign = whole.volume < 0 ? -1 : 1;
  remove_noise(wet, sign);
  if (wet.volume == 0) {
    wet.center_of_buoyancy.setConstant(kNaN);
  } else {
    const Vec3 first(totals[kWetFirst], totals[kWetFirst + 1], totals[kWetFirst + 2]);
    wet.center_of_buoyancy = plane.apex / 4 + first * (0.75 / totals[kWetVolume]);
  }
  wet.wetted_area = totals[kWetArea] / 6;
  wet.waterplane = section_of(totals, plane);
  place(wet, sign, frame);
  return wet;
}

}  // namespace plimsoll
