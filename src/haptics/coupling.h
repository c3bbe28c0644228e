// The springs and dampers between a tool and the device that a hand moves.
#pragma once

#include <plimsoll/forces.h>
#include <plimsoll/haptics.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// A pose and how it moves: `point` is where the center of mass of the tool is, or would be.
struct CoupledEnd {
  Mat3 turn = Mat3::Identity();
  Vec3 point = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();          ///< Of the point [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
};

/// Binds two ends. `inertia` over mass: of the tool, about its center of mass in its own axes
/// [m^2].
struct CoupledTool {
  Coupling coupling;
  Mat3 inertia_over_mass = Mat3::Identity();

  /// What the tool is pulled with, at its point, and the device with the opposite of it at its own.
  ///
  /// Springs have the potential 1/2 k |p - q|^2 + 1/2 k t^T J t, of points p and q, the turn vector
  /// t from tool to device in the tool's axes, and J inertia over mass: for small turns the tool
  /// swings about any axis as fast as along any. The torque is its exact gradient, k L^-T J t,
  /// L being the left Jacobian of exp at t (docs/theory/haptics.md). It jumps where ends are half a
  /// turn apart.
  [[nodiscard]] BodyForce pull(const CoupledEnd& tool, const CoupledEnd& device) const;
};

/// Has a coupling pull at a body of a world, of which the device goes evenly between two poses.
class CouplingForce final : public ForceModel {
 public:
  CouplingForce(BodyId tool, const CoupledTool& coupled, const Vec3& center)
      : tool_(tool), coupled_(coupled), center_(center) {}

  /// The device goes from where it was to `to` in `seconds` from `start` on [s].
  void go(const Pose& from, const Pose& to, double start, double seconds);

  /// The device at that time, and what pulls at a tool there.
  [[nodiscard]] CoupledEnd device_at(double time) const;
  [[nodiscard]] BodyForce pull(const CoupledEnd& tool, double time) const {
    return coupled_.pull(tool, device_at(time));
  }

  [[nodiscard]] Result<void> push(const WorldNow& now, std::span<BodyForce> forces) override;

 private:
  BodyId tool_;
  CoupledTool coupled_;
  Vec3 center_;  // of mass, in the frame of the tool
  Pose from_ = Pose::Identity(), to_ = Pose::Identity();
  Vec3 turn_ = Vec3::Zero();  // from one to the other
  double start_ = 0, seconds_ = 1;
};

}  // namespace plimsoll
