#include "dynamics/rigid_motion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "shape/random_shape.h"
#include "support/approx.h"
#include "support/instruction_sets.h"

namespace plimsoll {
namespace {

const Inertia kBrick{2, {0.5, 0.9, 1.2}};

RigidMotion tumbling() {
  RigidMotion motion;
  motion.velocity = {1, 2, 3};
  motion.turn = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  motion.spin = {0.4, 1.1, -0.3};
  return motion;
}

Vec3 spin_in_world(const RigidMotion& motion) { return motion.turn * motion.spin; }

}  // namespace

// Each of the five turns keeps the momentum in the world up to rounding; 1e5 steps of them add some
// 1e5 roundings of 1e-16 at random. The energy is kept up to an oscillation of second order:
// (|w| h)^2 / 4 = 6e-4.
TEST_CASE("a brick thrown in empty space keeps its momentum and, nearly, its energy") {
  RigidMotion motion = tumbling();
  const Vec3 spin = spin_in_world(motion);
  const double energy = kinetic_energy(motion, kBrick), h = 0.03;
  double worst = 0;
  for (int step = 0; step < 100'000; ++step) {
    drift(motion, kBrick, h);
    worst = std::max(worst, std::fabs(kinetic_energy(motion, kBrick) / energy - 1));
  }
  CHECK((spin_in_world(motion) - spin).norm() <= 1e-12);
  CHECK(worst <= 6e-4);
  CHECK(worst >= 1e-8);  // it was tumbling
  // Each step rounds the place, which is that far away at last.
  const Vec3 there = 3000 * Vec3(1, 2, 3);
  CHECK((motion.center - there).norm() <= 1e5 * 0x1p-53 * there.norm());
}

// 2000 steps of five turns round a spin of length 1.2 and a unit quaternion; the angle of such a
// quaternion is the arc cosine of nearly 1, whose error is the root of its own.
TEST_CASE("free flight backward ends where it began") {
  constexpr double kRounded = 2000 * 5 * 0x1p-53;
  RigidMotion motion = tumbling();
  for (int step = 0; step < 1000; ++step) drift(motion, kBrick, 0.03);
  for (int step = 0; step < 1000; ++step) drift(motion, kBrick, -0.03);
  CHECK((motion.spin - tumbling().spin).norm() <= kRounded * 1.2);
  CHECK(motion.turn.angularDistance(tumbling().turn) <= 2 * std::sqrt(2 * kRounded));
}

// Moments A, A, C: the axis turns about the angular momentum L at the rate L / A; in the body L
// goes round the axis at the rate (1 / C - 1 / A) times its part along it. The method is of second
// order: its error per turned angle is (|w| h)^2 / 12 at most, a fourth at half the step, and what
// follows in its series is smaller by another (|w| h)^2, here 1.3e-4.
TEST_CASE("a symmetric top precesses at the rate of its closed form") {
  const Inertia top{1, {0.8, 0.8, 0.5}};
  const auto error = [&](int steps) {
    RigidMotion motion;
    motion.spin = {0.3, 0, 0.7};
    const Vec3 along = motion.spin;
    const double time = 3;
    for (int step = 0; step < steps; ++step) drift(motion, top, time / steps);
    const Eigen::AngleAxisd precessed(along.norm() / 0.8 * time, along.normalized());
    return (motion.turn * Vec3::UnitZ() - precessed * Vec3::UnitZ()).norm();
  };
  const double coarse = error(200), fine = error(400);
  const double speed = Vec3(0.3, 0, 0.7).norm() / 0.5, h = 3.0 / 400;
  CHECK(fine <= speed * 3 * std::pow(speed * h, 2) / 12);
  CHECK(coarse / fine == test::approx(4).epsilon(std::pow(speed * 2 * h, 2)));
}

TEST_CASE("linear and quadratic drag slow a ball as their closed forms do") {
  const Inertia ball{2, {1, 1, 1}};
  for (const double linear : {0.0, 0.7})
    for (const double quadratic : {0.0, 1.3}) {
      RigidMotion motion;
      motion.velocity = {3, 0, 4};
      const double time = 1.5, n = 2000;
      double lost = 0;
      const double energy = kinetic_energy(motion, ball);
      for (double step = 0; step < n; ++step)
        lost += resist(motion, ball, {linear, quadratic, 0, Vec3::Zero(), Vec3::Zero()}, time / n);
      const double k = 1 / ball.mass;
      const double e = std::exp(-linear * k * time);
      const double mean = linear > 0 ? (1 - e) / (linear * k) : time;
      const double speed = 5 * e / (1 + quadratic * k * 5 * mean);
      // Quadratic drag alone is solved exactly, exp by second order: (0.7 / 2 * 1.5 / 2000)^2.
      CHECK((motion.velocity - speed * Vec3(0.6, 0, 0.8)).norm() <= 1e-6);
      CHECK(std::fabs(lost - (energy - kinetic_energy(motion, ball))) <= n * 0x1p-53 * energy);
    }
}

TEST_CASE(
    "drag only ever takes energy, in steps of any length, and where the fluid is still none "
    "is left at last") {
  for (const double time : {1e-3, 1.0, 1e3, 1e9}) {
    RigidMotion motion = tumbling();
    const Resistance drag{0.5, 3, 0.2, {0.3, -0.2, 0.1}, Vec3::Zero()};
    double energy = kinetic_energy(motion, kBrick);
    for (int step = 0; step < 100; ++step) {
      const double lost = resist(motion, kBrick, drag, time);
      const double now = kinetic_energy(motion, kBrick);
      CHECK(lost >= 0);
      // Some twenty roundings of what the energy and the loss are summed from.
      CHECK(now <= energy * (1 + 20 * 0x1p-53));
      CHECK(std::fabs(energy - now - lost) <= 20 * 0x1p-53 * energy);
      energy = now;
    }
    // Where k t > 100 a step leaves 1 / (1 + k t + (k t)^2 / 2) of the spin, and less of the rest.
    if (time >= 1e3) CHECK(energy <= std::pow(2e-4, 2));
  }
}

// Seen by who drifts with it, a stream is still water: the speed against it falls as the closed
// form says, and what the body loses of its energy, which the stream may also give, is told.
TEST_CASE("a stream slows a body against itself, and the energy lost is told") {
  const Inertia ball{2, {1, 1, 1}};
  const Vec3 stream(-2, 1, 0.5);
  RigidMotion motion;
  motion.velocity = stream + Vec3(3, 0, 4);
  const double time = 1.5, n = 2000, quadratic = 1.3;
  double energy = kinetic_energy(motion, ball);
  for (double step = 0; step < n; ++step) {
    const double lost = resist(motion, ball, {0, quadratic, 0, Vec3::Zero(), stream}, time / n);
    const double now = kinetic_energy(motion, ball);
    REQUIRE(std::fabs(energy - now - lost) <= 1e-14 * energy);
    energy = now;
  }
  // Quadratic drag alone is solved exactly; 2000 roundings.
  const double speed = 5 / (1 + quadratic / ball.mass * 5 * time);
  CHECK((motion.velocity - stream - speed * Vec3(0.6, 0, 0.8)).norm() <= 1e-12);
}

TEST_CASE("a body in a stream takes on its velocity") {
  RigidMotion motion = tumbling();
  const Resistance drag{5, 3, 2, Vec3::Zero(), {0.5, 0, -1}};
  for (int step = 0; step < 2000; ++step) resist(motion, kBrick, drag, 0.1);
  // Rates of 5 / 2 and 2 / 1.2 per second over 200 s leave nothing but a rounding.
  CHECK((motion.velocity - drag.fluid_velocity).norm() <= 4 * 0x1p-53);
  CHECK(motion.spin.norm() <= 1e-100);
}

// 21 bodies are two whole groups of eight and a rest; every third neither turns nor moves.
TEST_CASE("bodies side by side fly and slow down as each alone, on every instruction set") {
  constexpr std::size_t kBodies = 21;
  std::vector<RigidMotion> given(kBodies);
  std::vector<Resistance> drags(kBodies);
  Random random(1);
  const auto vector = [&] { return test::random_point(random); };
  const auto turn = [&] {
    return Eigen::Quaterniond(1 + random.unit(), random.unit(), random.unit(), random.unit())
        .normalized();
  };
  for (std::size_t i = 0; i < kBodies; ++i) {
    if (i % 3 == 2) continue;
    given[i] = {vector(), vector(), turn(), vector()};
    drags[i] = {random.unit(), random.unit(), random.unit(), vector(), vector()};
  }
  const auto same = [](const RigidMotion& a, const RigidMotion& b) {
    return a.center == b.center && a.velocity == b.velocity && a.spin == b.spin &&
           a.turn.coeffs() == b.turn.coeffs();
  };
  std::vector<RigidMotion> expected = given;
  std::vector<double> lost;
  for (std::size_t i = 0; i < kBodies; ++i) {
    drift(expected[i], kBrick, 0.1);
    lost.push_back(resist(expected[i], kBrick, drags[i], 0.1));
  }
  CHECK(same(expected[2], given[2]));
  test::for_each_instruction_set([&] {
    std::vector<RigidMotion> found = given;
    std::vector<Drifting> drifting;
    std::vector<Resisting> resisting;
    for (std::size_t i = 0; i < kBodies; ++i) {
      drifting.push_back({&found[i], &kBrick, 0.1});
      resisting.push_back({&found[i], &kBrick, &drags[i], 0.1});
    }
    drift(drifting);
    resist(resisting);
    for (std::size_t i = 0; i < kBodies; ++i) {
      CAPTURE(i);
      CHECK(same(found[i], expected[i]));
      CHECK(resisting[i].lost == lost[i]);
    }
  });
}

}  // namespace plimsoll
