#include "haptics/hand_tank.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

double work_of(const BodyForce& held, const DeviceStep& step) {
  return held.force.dot(step.shift) + held.torque.dot(step.turn);
}

void HandTank::count(const BodyForce& held, const DeviceStep& step) {
  const double work = work_of(held, step);
  energy_.now -= work;
  energy_.least = std::min(energy_.least, energy_.now);
  energy_.largest_step = std::max(energy_.largest_step, std::fabs(work));
}

double HandTank::share_of(const BodyForce& wanted, const DeviceStep& last) const {
  // Of a hand that moves with intent: chosen, not measured. The bound holds for any; they decide
  // how often it acts.
  constexpr double kAcceleration = 10, kTurningAcceleration = 100;  // [m/s^2], [rad/s^2]
  const double half = (energy_.now + energy_.largest_step + kReserve) / 2;
  const double force = wanted.force.norm(), torque = wanted.torque.norm();
  double allowed = half, lost = force * largest_shift_ + torque * largest_turn_;
  if (energy_.now >= 0) {
    allowed = std::max(energy_.now, half);
    lost = work_of(wanted, last) +
           period_ * period_ * (force * kAcceleration + torque * kTurningAcceleration);
  }
  return lost <= allowed ? 1 : std::max(0.0, allowed / lost);
}

}  // namespace plimsoll
