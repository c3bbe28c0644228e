#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "haptics/hand_tank.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

constexpr double kPeriod = 1e-3, kShift = 10 * kPeriod, kTurn = 100 * kPeriod;
const DeviceLimits kLimits{kShift / kPeriod, kTurn / kPeriod};

Vec3 direction(Random& random) {
  const auto number = [&] { return random.uniform(-1, 1); };
  return Vec3(number(), number(), number()).normalized();
}

BodyForce random_force(Random& random) {
  return {std::pow(10.0, random.uniform(-9, 3)) * direction(random),
          std::pow(10.0, random.uniform(-9, 1)) * direction(random)};
}

BodyForce limited(const HandTank& tank, const BodyForce& wanted, const DeviceStep& last) {
  const double share = tank.share_of(wanted, last);
  CHECK(share >= 0);
  CHECK(share <= 1);
  return {share * wanted.force, share * wanted.torque};
}

/// A device against the tank: mostly it goes where the force pushes it, as far as it can, or turns
/// back when it has put something in. Its speed changes by `change` at most, a share of all.
DeviceStep worst_step(Random& random, const BodyForce& held, const DeviceStep& last,
                      double change) {
  const double far = random.below(3) == 0 ? 1 : std::pow(10.0, random.uniform(-6, 0));
  const double sign = random.below(4) == 0 ? -1 : 1;
  const bool follows = random.below(8) != 0;
  const auto towards = [&](const Vec3& push, const Vec3& before, double most) {
    const Vec3 way = sign * far * (follows ? push.stableNormalized() : direction(random));
    if (change >= 2) return Vec3(most * way);
    const Vec3 on = before + change * most * way;
    return on.norm() <= most ? on : before;
  };
  return {towards(held.force, last.shift, kShift), towards(held.torque, last.turn, kTurn)};
}

// A change by twice the largest step is none that is known of.
TEST_CASE("no device within its limits gets more out than the largest tick put in or took") {
  Random random(53);
  for (int run = 0; run < test::campaign(500); ++run) {
    const double change = run % 2 == 0 ? 2 : std::pow(10.0, random.uniform(-6, 0));
    DeviceLimits limits = kLimits;
    if (change < 2) {
      limits.acceleration = change * kShift / (kPeriod * kPeriod) * (1 + 1e-9);
      limits.turning_acceleration = change * kTurn / (kPeriod * kPeriod) * (1 + 1e-9);
    }
    HandTank tank(limits, kPeriod);
    DeviceStep last;
    for (int tick = 0; tick < 1000; ++tick) {
      const BodyForce held = limited(tank, random_force(random), last);
      last = worst_step(random, held, last, change);
      tank.count(held, last);
      const HandEnergy& hand = tank.energy();
      // Sums of a thousand numbers round by less than 1e-12 of the largest.
      CHECK(hand.now >= -hand.largest_step * (1 + 1e-12) - HandTank::kReserve);
      CHECK(hand.least <= hand.now);
    }
  }
}

TEST_CASE("a hand that pushes against the force feels all of it") {
  HandTank tank(kLimits, kPeriod);
  DeviceStep last{Vec3(0, 0, -1e-5), Vec3::Zero()};
  for (int tick = 0; tick < 1000; ++tick) {
    const BodyForce wanted{Vec3(0, 0, 1e-3 * tick), Vec3::Zero()};
    const double speed = 0.02;  // more than the hand loses of it in a tick
    last.shift = Vec3(0, 0, -speed * kPeriod);
    CHECK(tank.share_of(wanted, last) == 1);
    tank.count(wanted, last);
  }
  CHECK(tank.energy().least == 0);
}

TEST_CASE("a device that was robbed once is not dead: the force comes back with what is put in") {
  const BodyForce wanted{Vec3(0, 0, 1), Vec3::Zero()};
  // Ticks until a hand that goes in at `speed` feels all of it.
  const auto ticks_until_felt = [&](const DeviceLimits& limits, double speed) {
    HandTank tank(limits, kPeriod);
    tank.count(wanted, {Vec3(0, 0, kShift), Vec3::Zero()});  // all is lost, 10 mJ
    const DeviceStep in{Vec3(0, 0, -speed * kPeriod), Vec3::Zero()};
    int ticks = 0;
    for (; tank.share_of(wanted, in) < 1 && ticks < 100'000; ++ticks)
      tank.count(limited(tank, wanted, in), in);
    return ticks;
  };
  // E + L grows in each tick by the step over twice the worst step, from 1e-13 J to where E is 0
  // again, or to twice what 1 N loses in the worst.
  const auto expected = [](double step, double worst) {
    return std::log(std::min(kShift, 2 * worst) / HandTank::kReserve) /
           std::log1p(step / (2 * worst));
  };
  CHECK(ticks_until_felt(kLimits, 1) == test::approx(expected(1e-3, kShift)).epsilon(0.01));
  CHECK(ticks_until_felt(kLimits, 0.02) == test::approx(expected(2e-5, kShift)).epsilon(0.01));
  DeviceLimits slow = kLimits;
  slow.acceleration = 200;  // 0.2 mm more or less in each tick
  CHECK(ticks_until_felt(slow, 0.02) == test::approx(expected(2e-5, 2e-4 - 2e-5)).epsilon(0.01));
  slow.acceleration = 20;
  CHECK(ticks_until_felt(slow, 0.02) == 0);
}

TEST_CASE("a force that the hand has paid for is felt whole, and more is not") {
  HandTank tank(kLimits, kPeriod);
  tank.count({Vec3(0, 0, 1), Vec3::Zero()}, {Vec3(0, 0, -1e-3), Vec3::Zero()});
  // 1 mJ is there. A hand at rest goes by 0.01 mm in the next tick: 100 N take that much.
  CHECK(tank.share_of({Vec3(0, 0, 99), Vec3::Zero()}, {}) == 1);
  CHECK(tank.share_of({Vec3(0, 0, 200), Vec3::Zero()}, {}) == test::approx(0.5).epsilon(1e-9));
}

TEST_CASE("what was paid in many ticks may be asked back in one") {
  HandTank tank(kLimits, kPeriod);
  for (int tick = 0; tick < 10; ++tick)
    tank.count({Vec3(0, 0, 1), Vec3::Zero()}, {Vec3(0, 0, -1e-3), Vec3::Zero()});
  CHECK(tank.energy().now == test::approx(0.01));
  CHECK(tank.energy().largest_step == test::approx(0.001));
  // 10 mJ are there: 1000 N over the 0.01 mm of a hand at rest.
  CHECK(tank.share_of({Vec3(0, 0, 990), Vec3::Zero()}, {}) == 1);
  CHECK(tank.share_of({Vec3(0, 0, 2000), Vec3::Zero()}, {}) == test::approx(0.5).epsilon(1e-9));
}

// The bound that <plimsoll/haptics.h> states. Each tick takes half of what is left to the bound.
// Sums of 60 numbers round by less than 1e-14 of the largest.
TEST_CASE("a device that only takes gets no more than 1e-13 J beyond its largest tick") {
  HandTank tank(kLimits, kPeriod);
  const DeviceStep away{Vec3(0, 0, kShift), Vec3::Zero()};
  for (int tick = 0; tick < 60; ++tick) {
    tank.count(limited(tank, {Vec3(0, 0, 1), Vec3::Zero()}, away), away);
    CHECK(tank.energy().now + tank.energy().largest_step >= -1e-13 * (1 + 1e-12));
  }
  CHECK(tank.energy().now + tank.energy().largest_step <= -1e-13 * (1 - 1e-12));
  CHECK(tank.energy().least == tank.energy().now);
}

}  // namespace
}  // namespace plimsoll
