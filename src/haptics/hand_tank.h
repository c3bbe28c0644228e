// What the hand has put into a device, and how hard the device may push it for that.
#pragma once

#include <plimsoll/forces.h>
#include <plimsoll/haptics.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// How the device has gone in a tick.
struct DeviceStep {
  Vec3 shift = Vec3::Zero();  ///< Of its origin [m].
  Vec3 turn = Vec3::Zero();   ///< Along the axis, of the length of the angle [rad].
};

/// The work of a force that is held over a step, on the device [J].
[[nodiscard]] double work_of(const BodyForce& held, const DeviceStep& step);

/// Limits forces that are held for a tick by the energy E that the hand has put in so far. With L
/// the most that a tick has changed E by, E never falls below -L - kReserve, whatever the device
/// does within its limits.
///
/// Where E is not below 0, or below by kReserve, one tick may take it below by what is then counted
/// in L, and no more, by whatever force. So it needs no limit there; but E + L would be 0 after
/// such a tick, and little force could be allowed any more. So a force is then held to E, or to
/// half of E + L if that is more, by what it would lose where the hand goes on as it went, up to
/// how fast a hand changes its speed. Where E is below 0 it is held to half of E + L, by what it
/// would lose in the worst step that the device can make next: some is always left, and it grows by
/// what the hand puts in against it.
class HandTank {
 public:
  static constexpr double kReserve = 1e-13;  // [J]: what begins to grow

  HandTank(const DeviceLimits& limits, double period);

  /// The device has gone a step while that force was held.
  void count(const BodyForce& held, const DeviceStep& step);
  /// The largest share of `wanted`, at most 1, that may be held after that step.
  [[nodiscard]] double share_of(const BodyForce& wanted, const DeviceStep& last) const;
  [[nodiscard]] const HandEnergy& energy() const { return energy_; }

 private:
  /// The largest step, and by how much one may differ from the step before it.
  struct Bounds {
    double shift, turn;
    [[nodiscard]] double work_of(const BodyForce& force) const {
      return force.force.norm() * shift + force.torque.norm() * turn;
    }
  };

  Bounds step_, change_;
  Bounds intended_change_;  // of a hand that moves with intent
  HandEnergy energy_;
};

}  // namespace plimsoll
