#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "haptics/hand_tank.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

constexpr double kPeriod = 1e-3, kShift = 10 * kPeriod, kTurn = 100 * kPeriod;

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
/// back when it has put something in.
DeviceStep worst_step(Random& random, const BodyForce& held) {
  const double far = random.below(3) == 0 ? 1 : std::pow(10.0, random.uniform(-6, 0));
  const double sign = random.below(4) == 0 ? -1 : 1;
  const bool follows = random.below(8) != 0;
  return {sign * far * kShift * (follows ? held.force.stableNormalized() : direction(random)),
          sign * far * kTurn * (follows ? held.torque.stableNormalized() : direction(random))};
}

TEST_CASE("no device within its limits gets more out than the largest tick put in or took") {
  Random random(53);
  for (int run = 0; run < test::campaign(500); ++run) {
    HandTank tank(kShift, kTurn, kPeriod);
    DeviceStep last;
    for (int tick = 0; tick < 1000; ++tick) {
      const BodyForce held = limited(tank, random_force(random), last);
      last = worst_step(random, held);
      tank.count(held, last);
      const HandEnergy& hand = tank.energy();
      // Sums of a thousand numbers round by less than 1e-12 of the largest.
      CHECK(hand.now >= -hand.largest_step * (1 + 1e-12) - HandTank::kReserve);
      CHECK(hand.least <= hand.now);
    }
  }
}

TEST_CASE("a hand that pushes against the force feels all of it") {
  HandTank tank(kShift, kTurn, kPeriod);
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
  HandTank tank(kShift, kTurn, kPeriod);
  const BodyForce wanted{Vec3(0, 0, 1), Vec3::Zero()};
  const DeviceStep still;
  // With nothing put in the least force is allowed; a large one, once, where something was put in.
  BodyForce held = limited(tank, wanted, still);
  CHECK(held.force[2] < 1e-8);
  tank.count(wanted, {Vec3(0, 0, kShift), Vec3::Zero()});
  const DeviceStep in{Vec3(0, 0, -1e-3), Vec3::Zero()};
  // It grows by half of what a step of 1 mm is of the largest, 10 mm, each tick, from 1e-13 J to
  // 1 N times that: by a factor of 1e11, which 520 steps of 1.05 are.
  int ticks = 0;
  for (; tank.share_of(wanted, in) < 1 && ticks < 5000; ++ticks)
    tank.count(limited(tank, wanted, in), in);
  CHECK(ticks < 700);
}

}  // namespace
}  // namespace plimsoll
