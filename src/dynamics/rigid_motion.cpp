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

/// A body free to turn about one principal axis only: its angular momentum about it stays, so that
/// the angle is L / I times the time. The other two turn backward in the body's frame.
template <int kAxis>
void turn_about(RigidMotion& motion, const Inertia& inertia, double time) {
  const double angle = time * motion.spin[kAxis] / inertia.moments[kAxis];
  const auto [s, c] = sine_cosine(angle / 2);
  Eigen::Quaterniond turn(c, 0, 0, 0);
  turn.coeffs()[kAxis] = s;
  motion.turn = motion.turn * turn;
  constexpr int j = (kAxis + 1) % 3, k = (kAxis + 2) % 3;
  const double sine = 2 * s * c, cosine = (c - s) * (c + s);
  const double old_j = motion.spin[j], old_k = motion.spin[k];
  motion.spin[j] = cosine * old_j + sine * old_k;
  motion.spin[k] = cosine * old_k - sine * old_j;
}

template <int kAxis>
void turn_all_about(std::span<const Drifting> bodies, double share) {
  for (const Drifting& body : bodies)
    if (!body.motion->spin.isZero(0))
      turn_about<kAxis>(*body.motion, *body.inertia, share * body.time);
}

/// exp(-x) and (1 - exp(-x)) / x for x >= 0 by 1 / (1 + x + x^2 / 2): as good as a step of second
/// order is, positive and falling for any x.
struct Decay {
  double left, mean;
};
Decay decay(double x) {
  const double left = 1 / (1 + x + x * x / 2);
  return {left, (1 + x / 2) * left};
}

/// Along its own direction d the point where drag acts has the inverse mass
/// k = 1 / m + (r x d) . I^-1 (r x d), so that its speed s obeys s' = -(a + b s) k s; solved by
/// s = s0 e / (1 + b k s0 (1 - e) / (a k)), e = exp(-a k t). The impulse along d that does this
/// takes (s0^2 - s^2) / 2 k of energy. It leaves out that other directions are slowed differently
/// where the inverse mass is not the same along all: an error of first order in the step.
double resist_at_point(RigidMotion& motion, const Inertia& inertia, const Resistance& drag,
                       double time) {
  const Vec3 arm = drag.center - motion.center;
  const Vec3 spinning = motion.turn * motion.rates(inertia);
  const Vec3 velocity = motion.velocity + spinning.cross(arm);
  const Vec3 relative = velocity - drag.fluid_velocity;
  const double speed = relative.norm();
  if (!(speed > 0)) return 0;
  const Vec3 along = relative / speed;
  const Vec3 lever = motion.turn.conjugate() * arm.cross(along);
  const double inverse_mass =
      1 / inertia.mass + lever.cwiseAbs2().cwiseQuotient(inertia.moments).sum();
  const Decay slowed = decay(drag.linear * inverse_mass * time);
  const double slower =
      speed * slowed.left / (1 + drag.quadratic * inverse_mass * speed * slowed.mean * time);
  const double impulse = (speed - slower) / inverse_mass;
  kick(motion, inertia, -impulse * along, -impulse * arm.cross(along));
  return impulse * (velocity.dot(along) - impulse * inverse_mass / 2);
}

}  // namespace

void kick(RigidMotion& motion, const Inertia& inertia, const Vec3& impulse,
          const Vec3& angular_impulse) {
  motion.velocity += impulse / inertia.mass;
  motion.spin += motion.turn.conjugate() * angular_impulse;
}

void drift(std::span<const Drifting> bodies) {
  for (const Drifting& body : bodies) body.motion->center += body.time * body.motion->velocity;
  turn_all_about<0>(bodies, 0.5);
  turn_all_about<1>(bodies, 0.5);
  turn_all_about<2>(bodies, 1);
  turn_all_about<1>(bodies, 0.5);
  turn_all_about<0>(bodies, 0.5);
  for (const Drifting& body : bodies)
    if (!body.motion->spin.isZero(0)) body.motion->turn.normalize();
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
  double lost = resist_at_point(motion, inertia, drag, time);
  for (int i = 0; i < 3; ++i) {
    const double moment = inertia.moments[i], before = motion.spin[i];
    motion.spin[i] *= decay(drag.angular / moment * time).left;
    lost += (before * before - motion.spin[i] * motion.spin[i]) / (2 * moment);
  }
  return lost;
}

double kinetic_energy(const RigidMotion& motion, const Inertia& inertia) {
  return (inertia.mass * motion.velocity.squaredNorm() +
          motion.spin.cwiseAbs2().cwiseQuotient(inertia.moments).sum()) /
         2;
}

}  // namespace plimsoll
