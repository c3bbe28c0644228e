// A body of a World: what it is, from a RigidBody, and how it moves.
#pragma once

#include <plimsoll/forces.h>
#include <plimsoll/mass.h>
#include <plimsoll/result.h>
#include <plimsoll/rigid_body.h>
#include <plimsoll/shape.h>

#include <cstdint>
#include <optional>
#include <string>

#include "dynamics/contact_solids.h"
#include "dynamics/rigid_motion.h"

namespace plimsoll {

/// How long a body has stayed where it is.
struct Rest {
  bool is_asleep =
      false;         // of kinematic bodies: nothing tells it to move, and it did not just come
  double since = 0;  // [s]
  Pose pose = Pose::Identity();  // at that time
};

struct WorldBody {
  // What changes from step to step. `now` follows from it, but for the buoyancy.
  RigidMotion motion;
  double dissipated = 0, work = 0;  // [J]
  Rest rest;
  BodyNow now;                          // velocities: of the last update
  Vec3 origin_velocity = Vec3::Zero();  // of kinematic bodies: what they were told
  Vec3 turning = Vec3::Zero();          // the same, angular, in the world

  Inertia inertia;               // with the added mass
  double fastest = 0;            // that it can bob or roll [rad/s]
  Mat3 axes = Mat3::Identity();  // principal_from_body
  Box3 box;                      // of the shape
  double diagonal = 0;           // of the box
  MassProperties mass;
  WeighedBody filled;         // of a density that no factor makes overflow: those of others follow
  bool is_estimated = false;  // by an image, whose error is that of `filled`; else that is 0
  BodyForce outside;          // World::set_force
  bool is_pushed = false;     // by it
  Shape shape;                // in the frame of the body, scaled
  ContactSolid contact;       // of the shape, where the world has contact
  std::uint32_t contact_group = 0;
  std::string name;

  [[nodiscard]] Vec3 angular_velocity() const { return motion.turn * motion.rates(inertia); }
  [[nodiscard]] BodyState state() const;

  /// Where it is with that motion.
  [[nodiscard]] Pose pose_in(const RigidMotion& there) const;
  /// Where it is, in `now`.
  void update_pose();
  /// How it moves, in `now`.
  void update_velocity();
};

/// The place of a body, or what is left of one. Bodies lie side by side in memory.
struct BodySlot {
  std::optional<WorldBody> body;
  std::uint32_t generation = 0;  // of the body, or of the last one
};

/// Checks and weighs a body. Errors: as World::add, but for the engine's.
[[nodiscard]] Result<WorldBody> weigh_body(const RigidBody& given, const Environment& environment);

/// What a body weighs at another density, whatever its density was before.
[[nodiscard]] WeighedBody mass_at(const WorldBody& body, double density);

/// Sets what depends on the density of the body and on its environment; it turns on as it did.
void set_inertia(WorldBody& body, const Environment& environment);

/// Places a body that moves as said. Precondition: a rotation, and finite numbers.
void set_motion(WorldBody& body, const Mat3& rotation, const Vec3& origin, const Vec3& velocity,
                const Vec3& angular_velocity);

/// Where a kinematic body is after `time`, which is not in `body.now`.
[[nodiscard]] RigidMotion told_motion(const WorldBody& body, double time);
/// Whether a kinematic body is told to move.
[[nodiscard]] bool is_told_to_move(const WorldBody& body);

/// Whether all numbers of its motion are finite.
[[nodiscard]] bool is_finite(const WorldBody& body);

/// Of a solid, rounding apart, nothing changes; of a mesh that bounds none, no force grows beyond
/// what its volume can displace.
[[nodiscard]] Buoyancy within_reason(Buoyancy wet, const WorldBody& body);

}  // namespace plimsoll
