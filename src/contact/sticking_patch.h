// Dry friction between two surfaces that are pressed together: Coulomb's law at every point of the
// patch, with a memory of where it stuck.
//
// As long as a patch sticks, its surfaces are held by springs that know how far they have been
// displaced beside each other, a shift and a twist about the normal: nothing creeps. Where a body
// is held from several sides, a shift and a turn about any axis, as far as points feel it. At each
// point the spring gives way where it pulls with the coefficient of friction times the load there,
// in the direction of its own displacement: so a patch that spins and slides is slowed as its
// pressure is distributed. Where all of it slides, the displacement follows the slip and grows no
// longer.
#pragma once

#include <plimsoll/types.h>

#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

struct LoadedPoint {
  Vec3 at;           ///< In the world [m].
  Vec3 way;          ///< Of length 1, square to the surface, into A.
  double load;       ///< With which the surfaces are pressed together there, not below 0 [N].
  double stiffness;  ///< Of the spring along the surface, above 0 [N/m].
  /// What a damper adds to the displacement that its spring pulls for: a time times the velocity of
  /// A's surface beside B's [m].
  Vec3 lead = Vec3::Zero();
};

/// How A is displaced beside B in a step, a small one: at x by shift + turn x (x - center).
struct Displacement {
  Vec3 shift, turn, center;
  /// How both have moved in the step: the mean of A's motion and B's.
  Similarity carried = Similarity::Identity();
};

struct FrictionForce {
  Vec3 force = Vec3::Zero();   ///< On A [N].
  Vec3 torque = Vec3::Zero();  ///< On A about the origin of the world [N m].
  /// In this step [J]. By slipping, never less than nothing; and what springs hold less than before
  /// since the load at their points is another, or more: with more load a spring gives way later.
  double dissipated = 0;
  double energy = 0;    ///< That the springs hold [J].
  bool slides = false;  ///< All of the patch.
};

class StickingPatch {
 public:
  /// Of the points of one question.
  struct Spring {
    Vec3 displaced;  // along the surface
    double length;   // of it
    double limit, stiffness;
  };
  using Springs = std::vector<Spring>;

  /// Displaces the surfaces and returns what friction does then. `friction` is Coulomb's
  /// coefficient. The force is no larger than friction times the load at any point. `springs` is
  /// room to work in. O(points).
  FrictionForce displace(const Displacement& by, std::span<const LoadedPoint> points,
                         double friction, Springs& springs);

  /// Has no memory of sticking: as new.
  void forget() { *this = {}; }

 private:
  /// Of A's surface beside B's since they stuck, at x: shift_ + turn_ x (x - center_).
  Vec3 shift_ = Vec3::Zero(), turn_ = Vec3::Zero(), center_ = Vec3::Zero();
  /// Of the push; nothing where points push against each other.
  std::optional<Vec3> normal_;
  double held_ = 0;  // by the springs [J]

  void go_along(const Similarity& carried, std::span<const LoadedPoint> points);
  void add_felt(const Vec3& shift, const Vec3& turn, std::span<const LoadedPoint> points);
  void set_springs(std::span<const LoadedPoint> points, double friction, Springs& springs) const;
};

}  // namespace plimsoll
