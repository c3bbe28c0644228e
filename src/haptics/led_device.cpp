#include <plimsoll/assert.h>
#include <plimsoll/haptics.h>
#include <plimsoll/rotation.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "dynamics/rigid_motion.h"

namespace plimsoll {
namespace {

/// How fast what is left of a way shrinks [1/s]: a mouse tells sixty times a second.
constexpr double kRate = 30;

/// A share of each limit, so that rounding of poses does not exceed it: at 1 kHz and 10 m/s^2 up to
/// 1e7 m from the origin.
constexpr double kBelow = 1 - 1e-3;

Vec3 no_longer_than(double length, const Vec3& v) {
  const double norm = v.norm();
  return norm > length ? Vec3(v * (length / norm)) : v;
}

/// The velocity after a step on a way of which `left` is left: one that shrinks it at kRate, or
/// that stops at its end with half of the acceleration, s = v^2 / 2 a.
Vec3 next_velocity(const Vec3& velocity, const Vec3& left, double speed, double acceleration,
                   double step) {
  const double length = left.norm();
  const double rate =
      length > 0 ? std::min({kRate, 1 / (2 * step), std::sqrt(acceleration / length)}) : 0;
  const Vec3 wanted = no_longer_than(speed, rate * left);
  return velocity + no_longer_than(acceleration * step, wanted - velocity);
}

}  // namespace

struct LedDevice::State {
  DeviceLimits limits;
  double period;
  std::mutex mutex{};  // of what follows
  Pose now, goal;
  Vec3 velocity = Vec3::Zero(), turning = Vec3::Zero();
  BodyForce felt{};
  bool is_away = false;
};

LedDevice::LedDevice(const Pose& start, const DeviceLimits& limits, double period)
    : state_(new State{.limits = limits, .period = period, .now = start, .goal = start}) {
  for (const double limit :
       {period, limits.speed, limits.turning, limits.acceleration, limits.turning_acceleration})
    PLIMSOLL_ASSERT(limit > 0 && std::isfinite(limit),
                    "a period or a limit that is not positive and finite");
}
LedDevice::~LedDevice() = default;

std::optional<Pose> LedDevice::pose() {
  State& s = *state_;
  const std::scoped_lock lock(s.mutex);
  if (s.is_away) return std::nullopt;
  s.velocity = next_velocity(s.velocity, s.goal.translation() - s.now.translation(),
                             kBelow * s.limits.speed, kBelow * s.limits.acceleration, s.period);
  s.turning =
      next_velocity(s.turning, rotation_vector(s.goal.linear() * s.now.linear().transpose()),
                    kBelow * s.limits.turning, kBelow * s.limits.turning_acceleration, s.period);
  s.now.translation() += s.period * s.velocity;
  const Eigen::Quaterniond turned(turn_by(s.period * s.turning) * s.now.linear());
  s.now.linear() = turned.normalized().toRotationMatrix();
  return s.now;
}

void LedDevice::push(const BodyForce& felt) {
  const std::scoped_lock lock(state_->mutex);
  state_->felt = felt;
}

void LedDevice::lead_to(const Pose& pose) {
  const Result<Pose> goal = nearest_pose(Similarity(pose));
  if (!goal) return;
  const std::scoped_lock lock(state_->mutex);
  state_->goal = *goal;
}

void LedDevice::put_away() {
  const std::scoped_lock lock(state_->mutex);
  state_->is_away = true;
}

Pose LedDevice::now() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->now;
}

BodyForce LedDevice::felt() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->felt;
}

}  // namespace plimsoll
