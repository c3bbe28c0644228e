#include "pull.h"

#include <algorithm>
#include <numbers>
#include <optional>

namespace plimsoll::viewer {
namespace {

/// By how much the grip is easier to move than the body's center: 1 + m r^T I^-1 r, at most.
double ease(const MassProperties& mass, const Vec3& grip) {
  const double least = principal_axes(mass.inertia).moments[0];
  return 1 + mass.mass * (grip - mass.center_of_mass).squaredNorm() / least;
}

}  // namespace

// Force k (target - p) - c v at the grip p, with k = m omega^2 and c = 2 m omega: one swing in a
// second, critically damped. An explicit step follows that while c h < 2 m / ease; where the grip
// is at the end of a long body, the spring is made softer.
Result<void> apply(const Pull& pull, World& world, double h) {
  constexpr double kOmega = 2 * std::numbers::pi;  // 1 Hz
  const std::optional<BodyState> held = world.body(pull.body);
  if (!held || !pull.target.allFinite()) return {};
  const BodyState& state = *held;
  const Vec3 arm = state.pose.linear() * pull.grip;
  const Vec3 grip = state.pose.translation() + arm;
  const Vec3 velocity = state.velocity + state.angular_velocity.cross(arm);
  const MassProperties mass = *world.mass(pull.body);
  const double pulled = mass.mass * std::min(1.0, 0.5 / (kOmega * h * ease(mass, pull.grip)));
  const Vec3 force =
      pulled * kOmega * kOmega * (pull.target - grip) - 2 * pulled * kOmega * velocity;
  return world.push(pull.body, h * force, grip);
}

}  // namespace plimsoll::viewer
