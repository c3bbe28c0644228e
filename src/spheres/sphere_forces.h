// Forces and torques that push two packings apart [Weller2009, sec. 5].
#pragma once

#include <plimsoll/sphere_tree.h>

#include <vector>

#include "spheres/sphere_walk.h"

namespace plimsoll {

/// Cones of less than this angle are narrow: their axes say where outside is [rad].
inline constexpr double kNarrowCone = 0.8;

/// Where the torques are taken about, in the frame of `a`.
struct TorquePoints {
  Vec3 of_a = Vec3::Zero(), of_b = Vec3::Zero();
};

/// In the frame of `a`, for the stiffness k_c = 1: a force is a volume [m^3], a torque and an
/// energy are a volume times a length [m^4].
struct SphereForces {
  Vec3 force_on_a = Vec3::Zero(), force_on_b = Vec3::Zero();
  Vec3 torque_on_a = Vec3::Zero(), torque_on_b = Vec3::Zero();
  /// Of kCenters: the potential of all pairs, whose negative gradient the forces are; else 0.
  double energy = 0;
  /// A motion that shifts `b` by u changes either force by at most u times this, as long as the
  /// pairs that meet stay the same; others add their own bounds, beginning with forces of 0 [m^2].
  double stiffness_bound = 0;
};

/// Brings contacts into the world and keeps them in memory that the caller owns.
class ContactList {
 public:
  /// Drops what is in the memory. The memory has to outlive the list.
  ContactList(const Similarity& world_from_a, std::vector<SphereContact>& contacts);

  /// All in the frame of `a`.
  void add(const SphereContact& contact);

 private:
  Similarity world_from_a_;
  double scale_, volume_scale_, force_scale_;
  std::vector<SphereContact>& contacts_;
};

/// Sums forces of pairs by primary radii, each at the centroid of its lens [Weller2009, eq.
/// (6)-(9)].
class ForceSum {
 public:
  /// Each contact is also added to the list, unless that is null.
  ForceSum(ForceDirection direction, const TorquePoints& about, ContactList* contacts = nullptr)
      : direction_(direction), about_(about), contacts_(contacts) {}

  /// The force of two leaves whose centers are `distance` apart, times `weight`; nothing where they
  /// do not meet.
  void add(const PosedHierarchies& bodies, SpherePair pair, double distance, double weight = 1);
  /// The same of two nodes that were not opened: their lens counts with the share of it that is
  /// expected to lie in leaves of both [Weller2009, eq. (4)]. It has no energy.
  void add_expected(const PosedHierarchies& bodies, SpherePair pair, double distance,
                    double weight = 1);

  /// Adds what is expected of two sets of spheres: `volume`, at `contact`, and `push`, the force on
  /// `b` along the line of centers. Axes are those of their cones, or 0 where these are not narrow;
  /// all in the frame of `a`. It has neither energy nor stiffness.
  void add_expected(double volume, const Vec3& contact, const Vec3& push, const Vec3& axis_of_a,
                    const Vec3& axis_of_b);
  /// Adds `weight` times the forces that were summed in the same direction about the same points:
  /// without their contacts.
  void add(const SphereForces& forces, double weight);

  [[nodiscard]] const SphereForces& sum() const { return sum_; }
  [[nodiscard]] bool has_contacts() const { return contacts_ != nullptr; }
  /// A sum of the same kind, without contacts, to which nothing was added.
  [[nodiscard]] ForceSum without_forces() const { return {direction_, about_}; }

 private:
  void add_push(const PosedHierarchies& bodies, SpherePair pair, double distance, double density,
                bool is_expected);
  /// Two sets of spheres, or two of them; the forces of the contact are found here.
  void add_contact(SphereContact contact, const Vec3& push, const Vec3& axis_of_a,
                   const Vec3& axis_of_b);

  ForceDirection direction_;
  TorquePoints about_;
  ContactList* contacts_;
  SphereForces sum_;
};

/// All pairs of primary spheres that meet.
[[nodiscard]] SphereForces sphere_forces(const PosedHierarchies& bodies, SphereWalk& walk,
                                         ForceDirection direction, const TorquePoints& about);

}  // namespace plimsoll
