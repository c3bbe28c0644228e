// The three motions of a step, each solved by itself: a kick by forces, free flight, and drag.
#pragma once

#include <plimsoll/forces.h>
#include <plimsoll/types.h>

#include <span>

namespace plimsoll {

/// Along the principal axes.
struct Inertia {
  double mass = 1;              ///< [kg]
  Vec3 moments = Vec3::Ones();  ///< [kg m^2]
};

struct RigidMotion {
  Vec3 center = Vec3::Zero();                                ///< Of mass, in the world [m].
  Vec3 velocity = Vec3::Zero();                              ///< Its own [m/s].
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< world_from_principal
  Vec3 spin = Vec3::Zero();  ///< Angular momentum about the center, principal axes [kg m^2/s].

  [[nodiscard]] Vec3 rates(const Inertia& inertia) const {  ///< Angular velocity, principal axes.
    return spin.cwiseQuotient(inertia.moments);
  }
};

/// Adds an impulse through the center and an angular one, both in the world.
void kick(RigidMotion& motion, const Inertia& inertia, const Vec3& impulse,
          const Vec3& angular_impulse);

/// The turn by the angle |v| [rad] about the direction v. Equal on every machine.
[[nodiscard]] Eigen::Quaterniond turn_by(const Vec3& v);

/// Moves freely for `time`. Precondition: it turns by less than a radian about each axis.
void drift(RigidMotion& motion, const Inertia& inertia, double time);

/// A body in free flight for a time of its own.
struct Drifting {
  RigidMotion* motion;
  const Inertia* inertia;
  double time;
};

/// As drift() of each, to the last bit, eight side by side: motion_kernel.cpp.
void drift(std::span<const Drifting> bodies);

/// A body in drag alone for a time of its own.
struct Resisting {
  RigidMotion* motion;
  const Inertia* inertia;
  const Resistance* drag;
  double time;
  double lost = 0;  ///< The answer [J].
};

/// As resist() of each, to the last bit, eight side by side.
void resist(std::span<Resisting> bodies);

/// Drag alone for `time`. Returns the energy that the body lost [J].
double resist(RigidMotion& motion, const Inertia& inertia, const Resistance& drag, double time);

[[nodiscard]] double kinetic_energy(const RigidMotion& motion, const Inertia& inertia);

}  // namespace plimsoll
