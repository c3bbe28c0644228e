#include <doctest/doctest.h>
#include <plimsoll/haptics.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr double kSide = 0.1, kStiffness = 2e5;

Environment nothing_around() {
  Environment environment;
  environment.gravity = 0;
  environment.fluid_density = 0;
  return environment;
}

/// A cube of 1 kg over a block whose face is at z = 0. The cube's middle is at `middle` in its own
/// frame.
std::vector<RigidBody> tool_and_block(const Vec3& middle = Vec3::Zero()) {
  RigidBody tool;
  tool.shape = {BoxSolid{Vec3::Constant(kSide)}};
  tool.shape.pose.translation() = middle;
  tool.density = 1000;
  tool.pose.translation() = Vec3(0, 0, 1);
  RigidBody block;
  block.shape = {BoxSolid{Vec3(0.4, 0.4, 0.2)}};
  block.is_kinematic = true;
  block.pose.translation() = Vec3(0, 0, -0.1);
  return {tool, block};
}

World press_scene(const ContactLaw& law, const Vec3& middle = Vec3::Zero()) {
  World world = test::made(nothing_around(), tool_and_block(middle));
  REQUIRE(world.set_contact(law));
  return world;
}

HapticLoop made(World world, const Pose& start, const HapticOptions& options = {}) {
  const BodyId tool = test::id(world, 0);
  Result<HapticLoop> loop = HapticLoop::create(std::move(world), tool, start, options);
  REQUIRE_MESSAGE(loop, loop.error().message);
  return *std::move(loop);
}

Pose at(const Vec3& place) {
  Pose pose = Pose::Identity();
  pose.translation() = place;
  return pose;
}

HapticTick ticked(HapticLoop& loop, const Pose& device) {
  const Result<HapticTick> tick = loop.tick(device);
  REQUIRE_MESSAGE(tick, tick.error().message);
  return *tick;
}

TEST_CASE(
    "a cube pressed into a face shares the volume below it and is pushed by stiffness times it") {
  ContactLaw law;
  law.stiffness = kStiffness;
  law.damping = 0;
  law.friction = 0;
  const double start = kSide / 2 + 0.01;
  HapticLoop loop = made(press_scene(law), at({0.01, 0.02, start}));
  for (int k = 0; k < 2000; ++k) {
    const double z = start - 0.015 * (1 - std::cos(2 * std::numbers::pi * k / 1999)) / 2;
    const HapticTick tick = ticked(loop, at({0.01, 0.02, z}));
    const double depth = std::max(0.0, kSide / 2 - tick.world_from_tool.translation()[2]);
    const double volume = kSide * kSide * depth;
    CHECK(tick.volume == test::approx(volume).epsilon(1e-9));  // of 1e-5 of the cube's
    // The face of the block that is in the cube is nearer to the cube's sides than to its bottom on
    // a strip as wide as it is deep, which takes depth over side off half of the force.
    const double whole = kStiffness * volume, push = tick.contact.force[2];
    CHECK(push <= whole * (1 + 1e-9));
    CHECK(push >= whole * (1 - depth / kSide));
    CHECK(tick.contact.force.head<2>().norm() <= 1e-9 * push);
    // The cube's origin is over the middle of the pressure, but for that strip.
    CHECK(tick.contact.torque.norm() <= depth * push);
  }
  CHECK(loop.hand().least >= -loop.hand().largest_step);
}

TEST_CASE("torques of contact are about the tool's origin, and the hand's about the device's") {
  ContactLaw law;
  law.stiffness = kStiffness;
  law.friction = 0;
  for (const Vec3& middle : {Vec3(0, 0, 0), Vec3(0.03, -0.02, 0.04)}) {
    // Over the edge of the block by half: pushed at a quarter of its side from the middle.
    const Vec3 start = Vec3(0.2, 0, kSide / 2 + 1e-3) - middle;
    HapticLoop loop = made(press_scene(law, middle), at(start), {.coupling = Coupling{1e6, 2000}});
    HapticTick tick;
    for (int k = 0; k < 300; ++k)
      tick = ticked(loop, at(start - Vec3(0, 0, std::min(k, 100) * 2e-5)));
    // Levers by quarters of the side, of depths that differ by what the cube turns on the coupling.
    const Vec3 lever = middle - Vec3(kSide / 4, 0, kSide / 2);
    const Vec3 torque = lever.cross(tick.contact.force);
    CHECK((tick.contact.torque - torque).norm() <= 0.02 * torque.norm());
    // At rest the hand holds what the contact pushes with.
    CHECK((tick.felt.force - tick.contact.force).norm() <= 1e-3 * tick.contact.force.norm());
    CHECK((tick.felt.torque - tick.contact.torque).norm() <= 2e-2 * tick.contact.torque.norm());
  }
}

TEST_CASE("the tool may be any body, and the device pulls no other") {
  ContactLaw law;
  law.stiffness = kStiffness;
  World world = press_scene(law);
  // In another world the tool comes last, and a cube that nothing touches before it.
  const std::vector<RigidBody> bodies = tool_and_block();
  RigidBody other = bodies[0];
  other.pose.translation() = Vec3(0, 0, 5);
  World reordered = test::made(nothing_around(), {bodies[1], other, bodies[0]});
  REQUIRE(reordered.set_contact(law));
  HapticLoop first = made(std::move(world), at({0, 0, kSide / 2}));
  const BodyId last = test::id(reordered, 2), apart = test::id(reordered, 1);
  Result<HapticLoop> second = HapticLoop::create(std::move(reordered), last, at({0, 0, kSide / 2}));
  REQUIRE(second);
  for (int k = 1; k < 100; ++k) {
    const Pose device = at({0, 0, kSide / 2 - 1e-5 * k});
    const HapticTick one = ticked(first, device), two = ticked(*second, device);
    CHECK(two.contact.force[2] >= 0);
    CHECK((one.contact.force - two.contact.force).norm() <= 1e-9 * one.contact.force.norm());
    CHECK((one.felt.force - two.felt.force).norm() <= 1e-9 * one.felt.force.norm());
  }
  CHECK(second->world().body(apart)->pose.translation() == Vec3(0, 0, 5));
  CHECK(second->world().body(apart)->velocity == Vec3::Zero());
}

TEST_CASE("a tool without contact follows its device as a critically damped spring does") {
  // The device goes 5 mm in the first tick and stays. With the frequency w of the coupling what is
  // left is v t exp(-w t) in that tick, and then (left + (rate + w left) t) exp(-w t), rate being
  // less v.
  constexpr double kTick = 1e-3, kShift = 5e-3;
  for (const double turn : {0.25, 0.025}) {  // w times a tick
    CAPTURE(turn);
    const double w = turn / kTick, fade = std::exp(-turn), speed = kShift / kTick;
    const double left = speed * kTick * fade, rate = speed * ((1 - turn) * fade - 1);
    HapticLoop loop =
        made(press_scene({}), at({0, 0, 1}), {.coupling = Coupling{w * w, 2 * w}});  // of 1 kg
    double worst = 0;
    for (int k = 0; k < 25 / turn; ++k) {
      const HapticTick tick = ticked(loop, at({kShift, 0, 1}));
      CHECK(tick.contact.force.isZero(0));
      CHECK(tick.volume == 0);
      const double t = k * kTick;
      const double now = (left + (rate + w * left) * t) * std::exp(-w * t);
      worst = std::max(worst, std::fabs(tick.world_from_tool.translation()[0] - (kShift - now)));
    }
    // Kicks of half a tick have the velocity off by half of the square of w times the tick. A
    // velocity u goes u / (w e) far, which is 0.18 of the shift times that; higher orders add less
    // than half as much.
    CHECK(worst <= 0.27 * kShift * turn);
  }
}

/// A hand that means harm: it grazes, turns back in corners, presses deep and pulls out.
class WildHand {
 public:
  explicit WildHand(std::uint64_t seed) : random_(seed) {}

  Pose next() {
    if (left_-- <= 0) {
      left_ = 1 + static_cast<int>(random_.below(60));
      const double speed = std::pow(10.0, random_.uniform(-3, -0.3));
      velocity_ = speed * Vec3(random_.uniform(-1, 1), random_.uniform(-1, 1),
                               random_.below(3) == 0 ? 0 : random_.uniform(-1, 1));
      turning_ = random_.below(2) == 0 ? 0 : random_.uniform(-2, 2);
    }
    place_ += 1e-3 * velocity_;
    place_[2] = std::clamp(place_[2], kSide / 2 - 0.02, kSide / 2 + 0.01);
    for (int axis = 0; axis < 2; ++axis) place_[axis] = std::clamp(place_[axis], -0.2, 0.2);
    angle_ = std::clamp(angle_ + 1e-3 * turning_, -0.3, 0.3);
    Pose pose = at(place_);
    pose.linear() = Eigen::AngleAxisd(angle_, Vec3(1, 2, 0).normalized()).toRotationMatrix();
    return pose;
  }

 private:
  Random random_;
  Vec3 place_{0, 0, kSide / 2 + 0.005}, velocity_ = Vec3::Zero();
  double angle_ = 0, turning_ = 0;
  int left_ = 0;
};

TEST_CASE("the device gives out no more than one tick's work beyond what was put in") {
  // Without any damping springs that are held for a tick make energy: the limit has to act.
  ContactLaw law;
  law.stiffness = 1e7;
  law.damping = 0;
  law.friction = 0;
  std::size_t limited = 0;
  for (const double damping : {0.0, 20.0}) {
    WildHand hand(59);
    HapticLoop loop = made(press_scene(law), hand.next(), {.coupling = Coupling{6e4, damping}});
    for (int k = 0; k < (test::is_full_run() ? 500'000 : test::campaign(50'000)); ++k) {
      const HapticTick tick = ticked(loop, hand.next());
      limited += tick.is_limited ? 1 : 0;
      // Less the reserve of 1e-13 J; a sum of 5e5 works of 0.1 J rounds by 5e-12 J at most.
      REQUIRE(loop.hand().now >= -loop.hand().largest_step - 1e-13 - 5e-12);
    }
  }
  CHECK(limited > 0);
}

TEST_CASE("what cannot be a tool, a device or a coupling is refused") {
  World world = press_scene({});
  const BodyId tool = test::id(world, 0), block = test::id(world, 1);
  const auto refused = [&](World&& given, BodyId id, const HapticOptions& options) {
    const Result<HapticLoop> loop =
        HapticLoop::create(std::move(given), id, Pose::Identity(), options);
    REQUIRE_FALSE(loop);
    return loop.error();
  };
  CHECK(refused(std::move(world), block, {}).where == "tool");
  CHECK(refused(press_scene({}), {7, 0}, {}).where == "tool");
  CHECK(refused(press_scene({}), tool, {.period = 0}).where == "period");
  CHECK(refused(press_scene({}), tool, {.coupling = Coupling{-1, 0}}).where == "coupling");
  CHECK(refused(press_scene({}), tool, {.coupling = Coupling{1e15, 0}}).code ==
        ErrorCode::kResourceLimit);
  CHECK(refused(press_scene({}), tool, {.period = 1e-7}).where == "period");
  CHECK(refused(press_scene({}), tool, {.period = 11}).where == "period");
  CHECK(refused(press_scene({}), tool, {.limits = {.speed = -1}}).where == "limits.speed");
  // A turn of more than a half in a tick may be one the other way.
  CHECK(refused(press_scene({}), tool, {.period = 0.05}).where == "limits.turning");
  CHECK(refused(press_scene({}), tool, {.limits = {.acceleration = -1}}).where ==
        "limits.acceleration");
  CHECK(refused(press_scene({}), tool, {.limits = {.turning_acceleration = -1}}).where ==
        "limits.turning_acceleration");
  CHECK(refused(press_scene({}), tool, {.budget = 0}).where == "budget");
  CHECK(refused(press_scene({}), tool, {.budget = 1e-3}).where == "budget");  // exact surfaces
  HapticLoop loop = made(press_scene({}), at({0, 0, 1}));
  const HapticTick first = ticked(loop, at({0, 0, 1}));
  const Result<HapticTick> far = loop.tick(at({0, 0, 1.02}));
  REQUIRE_FALSE(far);
  CHECK(far.error().where == "device");
  Pose none = at({0, 0, 1});
  none.linear()(0, 0) = 2;
  const Result<HapticTick> stretched = loop.tick(none);
  REQUIRE_FALSE(stretched);
  CHECK(stretched.error().where == "device");
  // The loop goes on from before.
  CHECK(ticked(loop, at({0, 0, 1})).number == first.number + 1);
}

TEST_CASE("a device is held to the limits of its path, which are the least that hold it") {
  std::vector<Pose> path;
  for (const double x : {0.0, 1e-3, 3e-3, 4e-3}) {
    path.push_back(at({x, 0, 1}));
    path.back().linear() = Eigen::AngleAxisd(10 * x, Vec3(0, 0, 1)).toRotationMatrix();
  }
  const DeviceLimits limits = limits_of(path);
  CHECK(limits.speed == test::approx(2));
  CHECK(limits.turning == test::approx(20));
  CHECK(limits.acceleration == test::approx(1000));
  CHECK(limits.turning_acceleration == test::approx(1e4));
  HapticLoop loop = made(press_scene({}), path[0], {.limits = limits});
  for (const Pose& pose : path) ticked(loop, pose);  // the first, where it stands
  DeviceLimits less = limits;
  less.acceleration *= 0.99;
  HapticLoop held = made(press_scene({}), path[0], {.limits = less});
  const Result<HapticTick> hasty = held.tick(path[1]);
  REQUIRE_FALSE(hasty);
  CHECK(hasty.error().message.find("m/s^2") != std::string::npos);
  CHECK(limits_of({}).speed == 0);
}

/// Has nothing to say but once.
struct FailsOnce final : ForceModel {
  Result<void> push(const WorldNow& /*now*/, std::span<BodyForce> /*forces*/) override {
    if (std::exchange(has_failed, true)) return {};
    return Error{ErrorCode::kUnavailable, "found no answer this time", "model"};
  }
  bool has_failed = false;
};

TEST_CASE("a loop whose step fails has ended, and says why at each tick") {
  World unlucky = press_scene({});
  const BodyId its_tool = test::id(unlucky, 0);
  unlucky.add_force(std::make_shared<FailsOnce>());
  Result<HapticLoop> once = HapticLoop::create(std::move(unlucky), its_tool, at({0, 0, 1}));
  REQUIRE(once);
  for (int k = 0; k < 2; ++k) {
    const Result<HapticTick> failed = once->tick(at({0, 0, 1}));
    REQUIRE_FALSE(failed);
    CHECK(failed.error().where == "model");
  }

  // Another body turns so fast that no step follows it.
  World world = press_scene({});
  const BodyId tool = test::id(world, 0);
  RigidBody mad;
  mad.shape = {BoxSolid{Vec3(1, 2, 3)}};
  mad.density = 1;
  mad.pose.translation() = Vec3(0, 0, 50);
  mad.angular_velocity = Vec3(1e9, 0, 0);
  REQUIRE(world.add(mad));
  Result<HapticLoop> loop = HapticLoop::create(std::move(world), tool, at({0, 0, 1}));
  REQUIRE(loop);
  for (int k = 0; k < 2; ++k) {
    const Result<HapticTick> failed = loop->tick(at({0, 0, 1}));
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == ErrorCode::kResourceLimit);
  }
}

TEST_CASE("a hand that goes in slowly along a known path is not limited") {
  ContactLaw law;
  law.stiffness = kStiffness;
  std::vector<Pose> path;
  for (int k = 0; k < 500; ++k) path.push_back(at({0, 0, kSide / 2 - 1e-6 * k}));  // 1 mm/s
  HapticLoop known = made(press_scene(law), path[0], {.limits = limits_of(path)});
  HapticLoop unknown = made(press_scene(law), path[0]);
  std::size_t limited = 0, limited_unknown = 0;
  for (const Pose& pose : path) {
    limited += ticked(known, pose).is_limited ? 1 : 0;
    limited_unknown += ticked(unknown, pose).is_limited ? 1 : 0;
  }
  CHECK(limited == 0);
  CHECK(limited_unknown > 0);
}

/// A device that goes down by 10 um a tick, and notes what it is pushed with.
class SinkingDevice final : public HapticDevice {
 public:
  explicit SinkingDevice(std::size_t poses) : poses_(poses) {}
  std::optional<Pose> pose() override {
    if (asked == poses_) return std::nullopt;
    ++asked;
    asked_at.push_back(std::chrono::steady_clock::now());
    return at({0, 0, kSide / 2 - 1e-5 * static_cast<double>(asked)});
  }
  void push(const BodyForce& felt) override { pushed.push_back(felt); }

  std::size_t asked = 0;
  std::vector<std::chrono::steady_clock::time_point> asked_at;
  std::vector<BodyForce> pushed;

 private:
  std::size_t poses_;
};

TEST_CASE("in real time each pose of a device has a tick, and the hand its force") {
  HapticLoop loop = made(press_scene({}), at({0, 0, kSide / 2}));
  SinkingDevice device(250);
  std::size_t taken = 0;
  const auto start = std::chrono::steady_clock::now();
  const Result<HapticTimes> times = run_in_real_time(
      loop, device,
      [&](const HapticTick& tick) {
        CHECK(tick.number == taken);
        ++taken;
        return true;
      },
      true);
  // As many ticks of nothing: none of all begins before it is due, and the first of each slice of
  // a hundred one period after it began.
  CHECK(std::chrono::steady_clock::now() - start >= 2 * 250 * std::chrono::milliseconds(1));
  for (const std::size_t slice : {100, 200})
    CHECK(device.asked_at.at(slice) - device.asked_at.at(slice - 1) >=
          100 * std::chrono::milliseconds(1));
  REQUIRE(times);
  CHECK(taken == 250);
  REQUIRE(device.pushed.size() == 251);
  CHECK(device.pushed[249].force[2] > 0);
  CHECK(device.pushed[250].force.isZero(0));  // it is let go
  CHECK(times->latency.size() == 250);
  CHECK(times->late == std::count_if(times->latency.begin(), times->latency.end(),
                                     [&](double late) { return late > loop.period(); }));
  REQUIRE(times->late_of_empty);
  CHECK(*times->late_of_empty <= 250);
}

// A hand of 0.2 kg that leans down with 5 N, damped as muscles are, comes to rest where the block
// pushes back as much. The coupling is soft: its damper takes less of the hand's speed in a tick
// than there is of it, 40 N s/m 1 ms / 0.2 kg.
TEST_CASE("a hand that leans on a block feels its own force come back") {
  ContactLaw law;
  law.stiffness = kStiffness;
  constexpr double kMass = 0.2, kForce = 5, kDamping = 20, kTick = 1e-3;
  double z = kSide / 2 + 0.005, speed = -0.1;
  BodyForce last;
  ScriptedDevice hand([&](double time, const BodyForce& felt) -> std::optional<Pose> {
    if (time > 1.5) return std::nullopt;
    if (time > 0) {
      last = felt;
      speed += kTick / kMass * (felt.force[2] - kForce - kDamping * speed);
      z += kTick * speed;
    }
    return at({0, 0, z});
  });
  HapticLoop loop = made(press_scene(law), *hand.pose(),
                         {.coupling = Coupling{2000, 40}, .limits = {.acceleration = 1000}});
  while (const std::optional<Pose> pose = hand.pose()) hand.push(ticked(loop, *pose).felt);
  CHECK(std::fabs(speed) < 1e-4);
  CHECK(last.force[2] == test::approx(kForce).epsilon(1e-3));
}

TEST_CASE("a run ends when it is told to, when a tick fails, and lets the device go") {
  HapticLoop loop = made(press_scene({}), at({0, 0, kSide / 2}));
  SinkingDevice device(250);
  const Result<HapticTimes> stopped =
      run_in_real_time(loop, device, [](const HapticTick& tick) { return tick.number < 9; });
  REQUIRE(stopped);
  CHECK(stopped->latency.size() == 10);
  CHECK(!stopped->late_of_empty);
  REQUIRE(device.pushed.size() == 11);
  CHECK(device.pushed.back().force.isZero(0));

  SinkingDevice far(250);
  HapticLoop away = made(press_scene({}), at({0, 0, 1}));
  const Result<HapticTimes> failed =
      run_in_real_time(away, far, [](const HapticTick&) { return true; });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().where == "device");
  REQUIRE(far.pushed.size() == 1);
  CHECK(far.pushed[0].force.isZero(0));
}

}  // namespace
}  // namespace plimsoll
