// What two bodies in motion do to each other where they meet: pressed apart by the potential of
// contact.h, damped, and held by friction.
#pragma once

#include <plimsoll/contact.h>

#include <optional>
#include <vector>

#include "contact/sticking_patch.h"

namespace plimsoll {

struct ContactLaw {
  double stiffness = 1e6;  ///< Of the potential [N/m^3].
  /// Of critical for the bodies' motion along the contact's push.
  double damping = 0.2;
  double friction = 0.5;  ///< Coulomb's coefficient.
};

/// A body and how it moves, in the world.
struct MovingSolid {
  const SolidTree* solid = nullptr;
  Similarity world_from_solid = Similarity::Identity();
  Vec3 center = Vec3::Zero();            ///< Of mass [m].
  Vec3 velocity = Vec3::Zero();          ///< Of the center [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< [1/s]
  double inverse_mass = 0;               ///< 0 for one that moves as it is told [1/kg].

  [[nodiscard]] Vec3 velocity_at(const Vec3& x) const {
    return velocity + angular_velocity.cross(x - center);
  }
};

struct PairForces {
  bool overlaps = false;
  /// Forces [N] and torques about the centers of mass [N m].
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  double stiffness = 0;     ///< A translation by d changes the push by about that times d [N/m].
  double damped_power = 0;  ///< What damping takes, not below 0 [W].
  double slipped = 0;       ///< What friction took since the last question [J].
  double held = 0;          ///< Energy of the springs of friction [J].
};

/// One pair of bodies, from question to question: friction remembers how they were displaced.
class PairContact {
 public:
  /// The pressure at a point is stiffness times half its depth, more as it goes in and less as it
  /// comes out, up to twice as much and down to nothing: damping never pulls, and begins at 0 where
  /// bodies touch. Errors: as ContactSearch::forces.
  [[nodiscard]] Result<PairForces> forces(ContactSearch& search, const MovingSolid& a,
                                          const MovingSolid& b, const ContactLaw& law,
                                          double max_work = PairSearch::kMaxWork);

 private:
  struct Poses {
    Similarity a, b;
  };
  StickingPatch patch_;
  std::optional<Poses> last_;
  std::vector<LoadedPoint> loaded_;

  [[nodiscard]] Displacement displacement(const Poses& now, const Vec3& center) const;
};

}  // namespace plimsoll
