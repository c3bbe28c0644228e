#include <plimsoll/mass.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "core/mass_from_moments.h"

namespace plimsoll {

PrincipalAxes principal_axes(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  PrincipalAxes result{solver.eigenvalues(), solver.eigenvectors().transpose()};
  // An axis has no sign of its own: let its largest component be positive, the last one follow.
  for (int i = 0; i < 2; ++i) {
    Eigen::Index largest = 0;
    result.axes.row(i).cwiseAbs().maxCoeff(&largest);
    if (result.axes(i, largest) < 0) result.axes.row(i) *= -1;
  }
  result.axes.row(2) = result.axes.row(0).cross(result.axes.row(1));
  return result;
}

bool is_physical(const Mat3& inertia) {
  const Vec3 m = principal_axes(inertia).moments;
  const double rounding = 16 * 0x1p-53 * m.cwiseAbs().maxCoeff();
  return m[0] >= -rounding && m[0] + m[1] >= m[2] - rounding;
}

VolumeMoments central(const VolumeMoments& m) {
  const Vec3 c = m.first / m.volume;
  return {m.volume, Vec3::Zero(), m.second - m.volume * c * c.transpose()};
}

Mat3 inertia_of(const Mat3& second) { return second.trace() * Mat3::Identity() - second; }

MassProperties mass_from_moments(const VolumeMoments& m, const Eigen::Affine3d& world_from_frame,
                                 double density, double mass) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  MassProperties p;
  p.error_bound = {kInfinity, kInfinity, kInfinity};
  p.inverted = m.volume < 0;
  const double scale3 = std::abs(world_from_frame.linear().determinant());
  p.volume = std::abs(m.volume) * scale3;
  p.mass = mass > 0 ? mass : density * p.volume;
  p.density = mass > 0 ? mass / p.volume : density;
  if (m.volume == 0) {
    p.center_of_mass.setConstant(kNaN);
    p.inertia.setConstant(kNaN);
    return p;
  }
  p.center_of_mass = world_from_frame * Vec3(m.first / m.volume);
  const Mat3 a = world_from_frame.linear();
  const Mat3 second = a * (central(m).second / m.volume) * a.transpose() * p.mass;
  p.inertia = inertia_of((second + second.transpose()) / 2);
  return p;
}

}  // namespace plimsoll
