// Rigid bodies: what they are made of, where they are, how they move.
#pragma once

#include <plimsoll/body_id.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>

#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] plimsoll {

/// What a body weighs that is not evenly filled. Lengths are those of the body's own frame: a pose
/// that scales the body by s scales its center by s and its inertia by s^2; its mass stays.
struct GivenMass {
  double mass = 1;  ///< [kg]
  /// The centroid of the volume where absent [m].
  std::optional<Vec3> center_of_mass = std::nullopt;
  /// About the center of mass, in the body's axes, negative products off the diagonal [kg m^2].
  /// Where absent, that of the body evenly filled, about its own center.
  std::optional<Mat3> inertia = std::nullopt;
};

/// Checks that a mass is positive and finite, a center finite, and an inertia symmetric, positive
/// definite, and that of some body: no principal moment larger than the sum of the others. To 1e-6
/// of the largest moment, for numbers printed with six digits.
/// Errors: `InvalidArgument`; `where` is the member. O(1).
[[nodiscard]] Result<void> check_given_mass(const GivenMass& given);

/// A body, and how it moves at the beginning.
struct RigidBody {
  std::string name;
  Shape shape;                    ///< Evenly filled, unless `mass` is given.
  double density = 500;           ///< [kg/m^3]
  std::optional<GivenMass> mass;  ///< Then the density is not looked at.
  /// Moves with the velocities that it is given, whatever pushes it. At rest it is fixed.
  bool is_kinematic = false;
  Similarity pose = Similarity::Identity();  ///< world_from_body; may scale the body.
  Vec3 velocity = Vec3::Zero();              ///< Of the body's origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();      ///< In the world [rad/s].
};

/// Where a body is and how it moves.
struct BodyState {
  Pose pose = Pose::Identity();          ///< world_from_body, of the scaled body.
  Vec3 velocity = Vec3::Zero();          ///< Of the body's origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< In the world [rad/s].
  Vec3 center_of_mass = Vec3::Zero();    ///< In the world [m].
  Buoyancy buoyancy;                     ///< All zero without a fluid.
};

}  // namespace plimsoll
