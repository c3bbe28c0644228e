#include "haptics/hand_tank.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

double work_of(const BodyForce& held, const DeviceStep& step) {
  return held.force.dot(step.shift) + held.torque.dot(step.turn);
}

HandTank::HandTank(const DeviceLimits& limits, double period)
    : step_{limits.speed * period, limits.turning * period} {
  // Steps of opposite directions differ by twice the largest.
  change_ = {std::min(limits.acceleration * period * period, 2 * step_.shift),
             std::min(limits.turning_acceleration * period * period, 2 * step_.turn)};
  // Chosen, not measured. The bound on the energy holds for any; they decide how often it acts.
  constexpr double kAcceleration = 10, kTurningAcceleration = 100;  // [m/s^2], [rad/s^2]
  intended_change_ = {std::min(change_.shift, kAcceleration * period * period),
                      std::min(change_.turn, kTurningAcceleration * period * period)};
}

void HandTank::count(const BodyForce& held, const DeviceStep& step) {
  const double work = work_of(held, step);
  energy_.now -= work;
  energy_.least = std::min(energy_.least, energy_.now);
  energy_.largest_step = std::max(energy_.largest_step, std::fabs(work));
}

double HandTank::share_of(const BodyForce& wanted, const DeviceStep& last) const {
  const double on = work_of(wanted, last);
  const double worst = std::min(step_.work_of(wanted), on + change_.work_of(wanted));
  const double half = (energy_.now + energy_.largest_step + kReserve) / 2;
  const bool is_in = energy_.now >= -kReserve;  // 0, but for rounding
  const double allowed = is_in ? std::max(energy_.now, half) : half;
  const double lost = is_in ? std::min(worst, on + intended_change_.work_of(wanted)) : worst;
  return lost <= allowed ? 1 : std::max(0.0, allowed / lost);
}

}  // namespace plimsoll
