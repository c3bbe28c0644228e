// A device that is led from time to time, judged by the limits that it was given.
#include <doctest/doctest.h>
#include <plimsoll/haptics.h>
#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include "core/random.h"
#include "dynamics/rigid_motion.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr double kPeriod = 1e-3;
constexpr DeviceLimits kLimits{
    .speed = 2, .turning = 15, .acceleration = 30, .turning_acceleration = 200};

Pose pose(const Vec3& place, const Vec3& turn = Vec3::Zero()) {
  Pose pose = Pose::Identity();
  pose.translation() = place;
  pose.linear() = turn_by(turn).toRotationMatrix();
  return pose;
}

Vec3 anywhere(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Led elsewhere now and then, and to `last` in the end.
std::vector<Pose> wandered(LedDevice& device, const Vec3& about, const Pose& last) {
  Random random(7);
  std::vector<Pose> path{device.now()};
  for (int i = 0; i < 8000; ++i) {
    if (i % 150 == 0)
      device.lead_to(
          i < 5000 ? pose(about + anywhere(random, i % 300 == 0 ? 0.01 : 1), anywhere(random, 1.5))
                   : last);
    path.push_back(*device.pose());
  }
  return path;
}

// A thousandth of each limit is left for rounding of the poses: 2^-53 of their distance from the
// origin in each coordinate, over the square of the period.
TEST_CASE("a device that is led keeps its limits and arrives, near the origin and far from it") {
  for (const double far : {0.0, 1e6}) {
    CAPTURE(far);
    const Vec3 about(far, -far, far);
    LedDevice device(pose(about), kLimits, kPeriod);
    const Pose last = pose(about + Vec3(0.3, -0.2, 0.1), {0.4, -1, 0.2});
    const std::vector<Pose> path = wandered(device, about, last);
    const DeviceLimits found = limits_of(path, kPeriod);
    CHECK(found.speed <= kLimits.speed);
    CHECK(found.turning <= kLimits.turning);
    CHECK(found.acceleration <= kLimits.acceleration);
    CHECK(found.turning_acceleration <= kLimits.turning_acceleration);
    // It is used, too: 1 m from rest takes more than a mouse's patience otherwise.
    CHECK(found.speed > 0.9 * kLimits.speed);
    CHECK(found.acceleration > 0.9 * kLimits.acceleration);
    // Three seconds: 2 m take one, and e^-30 is left of the rest in another. It stays where a step,
    // 0.03 of what is left of each coordinate, is rounded away.
    const double rounded = std::sqrt(3) * 0x1p-53 * far / 0.03;
    CHECK((path.back().translation() - last.translation()).norm() < 1e-9 + rounded);
    CHECK(rotation_vector(path.back().linear() * last.linear().transpose()).norm() < 1e-9);
    CHECK(device.now().matrix() == path.back().matrix());
  }
}

// With half the acceleration it brakes over v^2 / a, where v^2 = a s: s; then it closes in by e in
// 1/30 s.
TEST_CASE("a device that is led along a line never goes back, and is there in time") {
  LedDevice device(pose(Vec3::Zero()), kLimits, kPeriod);
  device.lead_to(pose({3, 0, 0}, {0, 0, 2}));
  double x = 0, turn = 0;
  const double time =
      3 / kLimits.speed + 2 * kLimits.speed / kLimits.acceleration + std::log(3e6) / 30;
  for (int i = 0; i < time / kPeriod; ++i) {
    const Pose now = *device.pose();
    const double turned = rotation_vector(now.linear()).z();
    REQUIRE(now.translation().x() >= x);
    REQUIRE(turned >= turn - 1e-15);
    x = now.translation().x();
    turn = turned;
  }
  CHECK(x <= 3 + 1e-15);
  CHECK(3 - x < 1e-6);
  CHECK(turn <= 2 + 1e-15);
  CHECK(2 - turn < 1e-6);
}

TEST_CASE("a device that is asked seldom does not overshoot") {
  for (const double period : {0.01, 0.05, 0.1, 0.5}) {
    CAPTURE(period);
    LedDevice device(pose(Vec3::Zero()), kLimits, period);
    device.lead_to(pose({1, 0, 0}, {0, 0, 1}));
    double x = 0;
    for (int i = 0; i < 200; ++i) {
      const Pose now = *device.pose();
      REQUIRE(now.translation().x() >= x);
      x = now.translation().x();
      CHECK(x <= 1 + 1e-15);
      CHECK(rotation_vector(now.linear()).z() <= 1 + 1e-15);
    }
    CHECK(1 - x < 1e-9);
  }
}

TEST_CASE("what is no pose leads nowhere, and what is put away has none") {
  LedDevice device(pose({1, 2, 3}), kLimits, kPeriod);
  Pose none = pose(Vec3::Zero());
  none.translation().x() = std::nan("");
  device.lead_to(none);
  CHECK(device.pose()->matrix() == pose({1, 2, 3}).matrix());
  device.push({Vec3(1, 0, 0), Vec3(0, 2, 0)});
  CHECK(device.felt().force == Vec3(1, 0, 0));
  CHECK(device.felt().torque == Vec3(0, 2, 0));
  device.put_away();
  CHECK(!device.pose());
}

TEST_CASE("a loop takes all that a device does which another thread leads") {
  RigidBody tool;
  tool.shape = {BoxSolid{Vec3::Constant(0.1)}};
  tool.density = 1000;
  Environment nothing;
  nothing.gravity = nothing.fluid_density = 0;
  World world = test::made(nothing, std::vector{tool});
  const BodyId id = test::id(world, 0);
  Result<HapticLoop> loop = HapticLoop::create(std::move(world), id, pose(Vec3::Zero()),
                                               {.period = kPeriod, .limits = kLimits});
  REQUIRE(loop);
  LedDevice device(pose(Vec3::Zero()), kLimits, kPeriod);
  std::thread hand([&] {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      device.lead_to(pose(anywhere(random, 0.5), anywhere(random, 1)));
      (void)device.now();
      (void)device.felt();
      std::this_thread::yield();
    }
    device.lead_to(pose({0.2, 0, 0}));
  });
  for (int i = 0; i < 3000; ++i) {
    const std::optional<Pose> at = device.pose();
    REQUIRE(at);
    const Result<HapticTick> tick = loop->tick(*at);
    REQUIRE_MESSAGE(tick, tick.error().message);
    device.push(tick->felt);
    if (i == 300) hand.join();
  }
  CHECK((loop->world().body(id)->pose.translation() - Vec3(0.2, 0, 0)).norm() < 1e-9);
}

}  // namespace
}  // namespace plimsoll
