#include "hydro/isolation.h"

#include <algorithm>
#include <cmath>

#include "hydro/heave.h"

namespace plimsoll {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// A bound of |C(y) - C(0)| [m^4].
double moment_change(const FloatingBody& body, const FloatingState& at, double slope,
                     double enough) {
  const WaterSection& section = at.wet.waterplane;
  // Centers of waterplanes lie in the box, hence the second try; the first is narrower.
  for (const double offset : {0.3 * std::sqrt(section.area), body.box.diagonal().norm()}) {
    const LayerSurface near =
        body.surface_in({at.up, at.level}, {section.center, slope, offset}, enough);
    const double left = section.area - near.area;
    if (near.second > enough || !(left > 0)) return kUnknown;
    if (near.first < offset * left) return near.second * section.area / left;
  }
  return kUnknown;
}

}  // namespace

// DF - H = (C(y) - C(0)) / V + y y^T C(y) / V - (q(y) - q(0)) . n 1. As grad phi, continued, is of
// degree 0, n . dq = -y . C dy / V along the way: the last term is at most |y|^2 |C| / 2 V.
double curvature_change(const FloatingBody& body, const FloatingState& at, double slope,
                        double enough) {
  if (!body.surface_in || !(at.wet.waterplane.area > 0)) return kUnknown;
  const double change =
      moment_change(body, at, slope, enough * body.displacement) / body.displacement;
  const double largest = at.metacentric_heights[1] + at.energy + change;  // |C| / V
  const double tilt = slope * slope;
  return change + 1.5 * tilt * largest;
}

FloatingState probe_state(const FloatingBody& body, const Vec3& up, double level) {
  return state_of(body, up, heave(body, up, level, 1e-10));
}

// B of another volume is off by the part of it that is missing, times its distance from B. The
// first moment is off by no more than the volume times the size.
double state_error(const FloatingBody& body, const FloatingState& at) {
  const double missing = std::fabs(body.displacement - at.wet.volume);
  const double size = body.box.diagonal().norm();
  return size * (4 * (at.wet.volume_error + missing) / body.displacement + 1e-15);
}

double isolation_slope(const FloatingBody& body, const FloatingState& at) {
  constexpr double kLeast = 1e-7;
  const double smallest = at.metacentric_heights.cwiseAbs().minCoeff();
  const double arm = at.righting_arm.norm() + state_error(body, at);
  double found = 0;
  // The change grows about as the slope.
  double slope = 0.1;
  for (int i = 0; i < 12 && slope > kLeast; ++i) {
    const double change = curvature_change(body, at, slope, smallest);
    if (change < smallest && arm <= slope * (smallest - change)) {
      found = slope;
      const double wider = std::min(0.8 * smallest / change, 4.0) * slope;
      if (wider < 1.3 * slope || wider > 1) break;
      slope = wider;
    } else {
      if (found > 0) break;
      slope *= std::isfinite(change) ? std::clamp(0.8 * smallest / change, 0.05, 0.7) : 0.25;
    }
  }
  return found;
}

}  // namespace plimsoll
