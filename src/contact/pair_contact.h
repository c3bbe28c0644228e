// What two bodies in motion do to each other where they meet: pressed apart by the potential of
// contact.h, damped, and held by friction.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/overlap.h>
#include <plimsoll/sphere_tree.h>

#include <limits>
#include <optional>
#include <vector>

#include "contact/spheres_in_solid.h"
#include "contact/sticking_patch.h"

namespace plimsoll {

/// Whose gradient the forces of a method are that are ContactSearch's.
[[nodiscard]] constexpr ContactPotential potential_of(ContactMethod method) {
  return method == ContactMethod::kLesserDepth ? ContactPotential::kLesserDepth
                                               : ContactPotential::kMeanDepth;
}

/// ContactLaw, of two bodies.
struct PairLaw {
  double stiffness = 1e6;
  double damping = 0.2;
  double friction = 0.5;
  ContactMethod method = ContactMethod::kExact;
  double max_time = std::numeric_limits<double>::infinity();  ///< Of a query, of spheres [s].
};

/// A body and how it moves, in the world.
struct MovingSolid {
  const SolidTree* solid = nullptr;
  const SphereTree* spheres = nullptr;  ///< With kSpheres; one of two bodies may have none.
  Similarity world_from_solid = Similarity::Identity();
  Vec3 center = Vec3::Zero();            ///< Of mass [m].
  Vec3 velocity = Vec3::Zero();          ///< Of the center [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< [1/s]
  double inverse_mass = 0;               ///< 0 for one that moves as it is told [1/kg].

  [[nodiscard]] Vec3 velocity_at(const Vec3& x) const {
    return velocity + angular_velocity.cross(x - center);
  }
};

/// A force on A, and its opposite on B.
struct PairForce {
  Vec3 force = Vec3::Zero();                              ///< [N]
  Vec3 torque_a = Vec3::Zero(), torque_b = Vec3::Zero();  ///< About centers of mass [N m].

  void add(const Vec3& push, const Vec3& arm_a, const Vec3& arm_b) {
    force += push;
    torque_a += arm_a.cross(push);
    torque_b -= arm_b.cross(push);
  }
};

struct PairForces {
  bool overlaps = false;
  PairForce elastic;     ///< Minus the gradient of the potential.
  PairForce resisting;   ///< Of damping and friction.
  double stiffness = 0;  ///< A translation by d changes the push by about that times d [N/m].
  /// What turns about the centers of mass change in the torques [N m]: bounds.
  Mat3 turning_a = Mat3::Zero(), turning_b = Mat3::Zero();
  /// Of the potential where faces are flat: half of push times depth, over all points [J].
  double pressed = 0;
  double held = 0;             ///< Energy of the springs of friction [J].
  Vec3 center = Vec3::Zero();  ///< The middle of the pressure, where bodies are pressed together.
  double depth = 0;            ///< Of the deepest point that was looked at [m].
};

/// What a pair of bodies remembers from question to question: how friction holds them, and where
/// they were.
struct PairContact {
  struct Poses {
    Similarity a, b;
  };
  StickingPatch patch;
  std::optional<Poses> last;
};

/// Asks about one pair after the other, and keeps its memory. One thread at a time.
class PairContactSearch {
 public:
  /// The pressure at a point is stiffness times half its depth, more as it goes in and less as it
  /// comes out, up to twice as much and down to nothing: damping never pulls, and begins at 0 where
  /// bodies touch. How fast it goes in is the lesser of how fast its depth grows and how fast it
  /// moves against the push: rims of a face, a corner and a thread do not plough as they slide. Of
  /// two spheres it is the push of their lens, over the area of its disk, and the depth grows along
  /// the mean of the push there and of all of it, the more so the more these agree; what is only
  /// expected of spheres pushes alone. Errors: as ContactSearch::forces.
  [[nodiscard]] Result<PairForces> forces(PairContact& pair, const MovingSolid& a,
                                          const MovingSolid& b, const PairLaw& law,
                                          double max_work = PairSearch::kMaxWork);

 private:
  struct Points {
    bool overlaps = false;
    double area = 0;
    std::vector<ContactPoint> points;
    double depth = 0;  // at least, where points do not tell [m]
  };
  [[nodiscard]] Result<Points> points_of(const MovingSolid& a, const MovingSolid& b,
                                         const PairLaw& law, double max_work);
  [[nodiscard]] Result<Points> points_of_spheres(const MovingSolid& a, const MovingSolid& b,
                                                 double max_time);
  [[nodiscard]] Result<Points> points_of_volume(const MovingSolid& a, const MovingSolid& b,
                                                double max_work);
  ContactSearch search_;
  OverlapSearch overlap_search_;
  SphereSearch sphere_search_;
  SpheresInSolidSearch surface_search_;
  std::vector<LoadedPoint> loaded_;
  StickingPatch::Springs springs_;
};

}  // namespace plimsoll
