#include "dynamics/rigid_motion.h"

#include <cmath>

namespace plimsoll {
namespace {

/// Sine and cosine by their series, for |x| <= 1/2: the first terms left out are below 1e-17. Equal
/// on every machine, as those of the C library need not be.
struct SineCosine {
  double sine, cosine;
};
SineCosine sine_cosine(double x) {
  constexpr double kFactors[2][6] = {{6, 20, 42, 72, 110, 156}, {2, 12, 30, 56, 90, 132}};
  const double y = x * x;
  double sums[2] = {1, 1};
  double quotients[2][6];  // all at first: divisions in vectors
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 6; ++i) quotients[k][i] = y / kFactors[k][i];
  for (int i = 5; i >= 0; --i)
    for (int k = 0; k < 2; ++k) sums[k] = 1 - quotients[k][i] * sums[k];
  return {x * sums[0], sums[1]};
}

}  // namespace

void kick(RigidMotion& motion, const Inertia& inertia, const Vec3& impulse,
          const Vec3& angular_impulse) {
  motion.velocity += impulse / inertia.mass;
  motion.spin += motion.turn.conjugate() * angular_impulse;
}

// By the series for half the angle, halved until they are good for it, and squared as often: each
// squaring doubles the angle and its error.
Eigen::Quaterniond turn_by(const Vec3& v) {
  const double angle = v.norm();
  if (!(angle > 0)) return Eigen::Quaterniond::Identity();
  const Vec3 axis = v / angle;
  double part = angle / 2;
  int halvings = 0;
  for (; part > 0.5 && std::isfinite(part); part /= 2) ++halvings;
  const auto [s, c] = sine_cosine(part);
  Eigen::Quaterniond turn(c, s * axis[0], s * axis[1], s * axis[2]);
  for (; halvings > 0; --halvings) turn = (turn * turn).normalized();
  return turn;
}

void drift(RigidMotion& motion, const Inertia& inertia, double time) {
  const Drifting body{&motion, &inertia, time};
  drift({&body, 1});
}

double resist(RigidMotion& motion, const Inertia& inertia, const Resistance& drag, double time) {
  Resisting body{&motion, &inertia, &drag, time};
  resist({&body, 1});
  return body.lost;
}

double kinetic_energy(const RigidMotion& motion, const Inertia& inertia) {
  return (inertia.mass * motion.velocity.squaredNorm() +
          motion.spin.cwiseAbs2().cwiseQuotient(inertia.moments).sum()) /
         2;
}

}  // namespace plimsoll
