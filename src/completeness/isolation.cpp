#include "completeness/isolation.h"

#include <algorithm>
#include <cmath>

#include "hydro/heave.h"

namespace plimsoll {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// A bound of |S (C(S z) - C(0)) S| [m^4], for centers no farther than `near_center` if that can
/// be.
double moment_change(const FloatingBody& body, const FloatingState& at, const LevelChart& chart,
                     double near_center, double slope, double enough) {
  if (!body.solid->knows_surface()) return kUnknown;
  const WaterSection& section = at.wet.waterplane;
  // Centers of waterplanes lie in the box, hence the second try.
  for (const double offset : {near_center, body.box.diagonal().norm()}) {
    const ProjectedSurface near = body.solid->surface_between(
        {at.up, at.level}, {section.center, chart.axes(), slope, offset}, enough);
    const double left = section.area - near.area;
    if (near.second > enough || !(left > 0)) return kUnknown;
    if (near.first < offset * left) return near.second * section.area / left;
  }
  return kUnknown;
}

}  // namespace

LevelChart::LevelChart(const FloatingState& at) : up_(at.up) {
  // C / V has the eigenvalues H + E.
  const Eigen::Array2d moments = at.metacentric_heights.array() + at.energy;
  Eigen::Array2d s(1, 1);
  if (moments.minCoeff() > 0) s = (moments.minCoeff() / moments).sqrt();
  axes_ = s.matrix().asDiagonal() * at.heel_axes;
  from_up_ = s.inverse().matrix().asDiagonal() * at.heel_axes;
  arm_ = axes_ * at.righting_arm;
  curvature_ = at.metacentric_heights.array() * s * s;
  largest_ = (moments * s * s).maxCoeff();
}

// S (DF - H) S = S (C(y) - C(0)) S / V + S y y^T C(y) S / V - (q(y) - q(0)) . n S S. As grad phi,
// continued, is of degree 0, n . dq = -y . C dy / V along the way: |z|^2 / 2 |S C S| / V at most.
// With y = S z and |S| = 1 the other term is |z|^2 |S C S| / V at most.
double curvature_change(const FloatingBody& body, const FloatingState& at, const LevelChart& chart,
                        double slope, double enough) {
  const double area = at.wet.waterplane.area;
  // The planes lean from one that is as far off as the volume that is missing is thick.
  const double off = std::fabs(body.displacement - at.wet.volume) / area;
  if (!(off <= 1e-9 * body.box.diagonal().norm())) return kUnknown;
  const double max_change = enough * body.displacement;
  const double gyration = std::sqrt(2 * chart.largest() * body.displacement / area);
  // A coarse body tells what is hopeless in a fraction of the time.
  if (body.coarse &&
      !(moment_change(*body.coarse, at, chart, gyration, slope, 1.5 * max_change) < kUnknown))
    return kUnknown;
  const double change =
      moment_change(body, at, chart, gyration, slope, max_change) / body.displacement;
  return change + 1.5 * slope * slope * (chart.largest() + change);
}

FloatingState probe_state(const FloatingBody& body, const Vec3& up, double level,
                          std::size_t* cost) {
  const HeaveState found = heave(body, up, level, 1e-10);
  if (cost != nullptr) *cost += found.cost();
  return state_of(body, up, found);
}

// The first moment is off by no more than the volume times the size.
double center_error(const FloatingBody& body, const FloatingState& at) {
  const double size = body.box.diagonal().norm();
  // Shapes that are not meshes are right to 1e-12 of the whole.
  const double rule = body.solid->knows_surface() ? 0 : 1e-12 * body.volume;
  const double far = body.box.center().norm() + body.center_of_mass.norm();
  return size * (4 * (at.wet.volume_error + rule) / body.displacement + 1e-15) + 0x1p-50 * far;
}

// B of another volume is off by the part of it that is missing, times its distance from B.
double state_error(const FloatingBody& body, const FloatingState& at) {
  const double missing = std::fabs(body.displacement - at.wet.volume);
  const double size = body.box.diagonal().norm();
  return center_error(body, at) + 4 * size * missing / body.displacement;
}

IsolatedPose isolated_pose(const FloatingBody& body, const FloatingState& at) {
  constexpr double kMinSlope = 1e-7, kMaxSlope = 1, kNearEnough = 1.3;  // of slopes
  IsolatedPose pose{at.up, LevelChart(at)};
  const double smallest = pose.chart.curvature().cwiseAbs().minCoeff();
  const double arm = at.righting_arm.norm() + state_error(body, at);
  // The change grows about as the slope.
  double slope = 0.1, too_wide = kMaxSlope;
  for (int i = 0; i < 12 && slope > kMinSlope && too_wide > kNearEnough * pose.slope; ++i) {
    const double change = curvature_change(body, at, pose.chart, slope, smallest);
    if (change < smallest && arm <= slope * (smallest - change)) {
      pose.slope = slope;
      slope *= std::min(0.8 * smallest / change, 4.0);
      if (slope < kNearEnough * pose.slope) break;
    } else {
      too_wide = slope;
      slope *= std::isfinite(change) ? std::clamp(0.8 * smallest / change, 0.05, 0.7) : 0.25;
    }
    if (pose.slope > 0) slope = std::clamp(slope, pose.slope, std::sqrt(pose.slope * too_wide));
  }
  return pose;
}

}  // namespace plimsoll
