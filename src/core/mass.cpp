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

// I = sum I_k + m_k (|d_k|^2 1 - d_k d_k^T), d_k = c_k - c. The center moves by what the centers
// are off and by what wrong masses weigh them; the inertia by |d I / d c| <= 2 m_k |d_k|.
WeighedBody combined(std::span<const WeighedBody> bodies) {
  WeighedBody total;
  MassProperties& sum = total.properties;
  Vec3 first = Vec3::Zero();
  sum.error_bound = {};
  for (const WeighedBody& body : bodies) {
    const MassProperties& p = body.properties;
    if (p.volume == 0) continue;
    sum.volume += p.volume;
    sum.mass += p.mass;
    first += p.mass * p.center_of_mass;
    sum.inverted = sum.inverted || p.inverted;
    total.error.volume += body.error.volume;
  }
  sum.density = sum.mass / sum.volume;
  sum.center_of_mass = first / sum.mass;
  if (sum.volume == 0) sum.inertia.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (const WeighedBody& body : bodies) {
    const MassProperties& p = body.properties;
    if (p.volume == 0) continue;
    const Vec3 d = p.center_of_mass - sum.center_of_mass;
    const double mass_error = p.mass * body.error.volume / p.volume;
    sum.inertia += p.inertia + p.mass * inertia_of(d * d.transpose());
    total.error.center_of_mass +=
        (p.mass * body.error.center_of_mass + mass_error * d.norm()) / sum.mass;
    total.error.inertia += body.error.inertia + mass_error * d.squaredNorm() +
                           2 * p.mass * d.norm() * body.error.center_of_mass;
  }
  sum.error_bound = total.error;
  return total;
}

WeighedBody with_density_times(double factor, const WeighedBody& body) {
  WeighedBody scaled = body;
  scaled.properties.density *= factor;
  scaled.properties.mass *= factor;
  scaled.properties.inertia *= factor;
  scaled.error.inertia *= factor;
  return scaled;
}

VolumeMoments central(const VolumeMoments& m) {
  const Vec3 c = m.first / m.volume;
  return {m.volume, Vec3::Zero(), m.second - m.volume * c * c.transpose()};
}

Mat3 inertia_of(const Mat3& second) { return second.trace() * Mat3::Identity() - second; }

MassProperties mass_from_moments(const VolumeMoments& m, const Similarity& world_from_frame,
                                 double density, double mass) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  MassProperties p;
  p.error_bound = {kInfinity, kInfinity, kInfinity};
  p.inverted = m.volume < 0;
  const double scale3 = std::abs(world_from_frame.linear().determinant());
  p.volume = std::abs(m.volume) * scale3;
  const bool is_given = mass != 0;
  p.mass = !is_given ? density * p.volume : mass > 0 ? mass : kNaN;
  p.density = is_given ? p.mass / p.volume : density;
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
