// What a surface that is not level does to bodies, by weight and by pressure; and drag at any size.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <numbers>

#include "support/sanitizers.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

constexpr double kGravity = 9.80665;

/// Rises by `slope` along x.
HeightGrid ramp(double slope) {
  const double low = -1e3 * slope, high = 1e3 * slope;
  return {{-1e3, -1e3}, {2e3, 2e3}, 2, 2, {low, high, low, high}};
}

/// Half under, 1 m wide: BM / GM = 6.4.
const Vec3 kRaft(1, 1, 0.75);
double turned_too_far() {
  const double draught = kRaft[2] / 2, metacenter = kRaft[0] * kRaft[0] / (12 * draught);
  return metacenter / (metacenter - draught / 2);
}

RigidBody raft(double fluid_density) {
  RigidBody body;
  body.shape = {BoxSolid{kRaft}};
  body.density = fluid_density / 2;
  return body;
}

/// About y, so that a positive one follows a surface that falls along x.
double pitch(const World& world) {
  const Mat3 turn = test::body(world, 0).pose.linear();
  return std::atan2(turn(0, 2), turn(2, 2));
}

/// Of the angle of the surface, once it is at rest on it but for gliding down.
double pitch_on_ramp(double slope, FluidForce force) {
  Environment environment;
  environment.surface = ramp(slope);
  environment.force = force;
  environment.drag = {0, 0, 0.5};  // critical for its roll, which takes 1.6 rad/s
  World world = made(environment, raft(environment.fluid_density));
  for (int step = 0; step < 500; ++step) REQUIRE(world.step(0.04));
  return pitch(world) / -std::atan(slope);
}

/// The largest pitch over the largest slope of a wave so long that the raft follows it at leisure.
double pitch_on_wave(const Environment& given) {
  Environment environment = given;
  const WaveComponent wave{0.2, 600, 0, -std::numbers::pi / 2};  // level at the start
  environment.surface = Waves{0, {wave}};
  environment.drag = {0, 0, 0.5};
  World world = made(environment, raft(environment.fluid_density));
  double largest = 0;
  for (int step = 0; step < 1000; ++step) {  // two periods
    REQUIRE(world.step(0.04));
    if (step > 500) largest = std::max(largest, std::fabs(pitch(world)));
  }
  return largest / steepness(wave);
}

}  // namespace

// Second order in the angle: for a wall-sided body tan^2 / 2 of BM / GM, 6.4 * 0.0128^2 / 2 = 5e-4.
TEST_CASE("pressure turns a raft with the slope, weight BM / GM times as far") {
  const double slope = 0.002;
  CHECK(std::fabs(pitch_on_ramp(slope, FluidForce::kPressure) - 1) <= 1e-3);
  CHECK(std::fabs(pitch_on_ramp(slope, FluidForce::kWeight) / turned_too_far() - 1) <= 1e-3);
}

// The wave takes 19.6 s, its pitch 1.6 rad/s at critical drag: |1 / (1 + i omega / 1.6)^2| is 0.96,
// and what the transient leaves less. By weight it is 6.4.
TEST_CASE("on a wave a raft follows its slope, unless asked for the weight") {
  CHECK(std::fabs(pitch_on_wave({}) - 1) <= 0.06);
  Environment weight;
  weight.force = FluidForce::kWeight;
  CHECK(pitch_on_wave(weight) >= 0.9 * turned_too_far());
}

// The center of buoyancy of a half submerged ball is 3/8 r from its own along the surface's normal,
// so that the weight of the water turns it with 3/8 g sin / (2/5 r). The pressure passes through
// the center; facets within 1e-3 of L are all that turns it, against 3/8 r = 0.23 L.
TEST_CASE("pressure does not spin a ball without friction, weight does" *
          doctest::skip(test::kAddressSanitizer)) {
  Environment environment;
  const double slope = 0.02, time = 5, radius = 0.5;
  environment.surface = ramp(slope);
  environment.drag = {0, 0, 0};
  RigidBody ball;
  ball.shape = {Sphere{radius}};
  ball.density = environment.fluid_density / 2;
  const double expected = 0.375 * kGravity * std::sin(std::atan(slope)) / (0.4 * radius) * time;
  for (const FluidForce force : {FluidForce::kPressure, FluidForce::kWeight}) {
    environment.force = force;
    World world = made(environment, ball);
    for (int step = 0; step < 200; ++step) REQUIRE(world.step(time / 200));
    const double spin = test::body(world, 0).angular_velocity.norm() / expected;
    CHECK(std::fabs(spin - (force == FluidForce::kWeight ? 1 : 0)) <= 1e-2);
  }
}

TEST_CASE("on still water weight and pressure are one, bit by bit") {
  RigidBody cone;
  cone.shape = {Cone{0.4, 1}};
  cone.density = 600;
  cone.pose.translation()[2] = 0.3;
  cone.angular_velocity = {1, 2, -0.5};
  std::uint64_t hashes[2] = {};
  for (const FluidForce force : {FluidForce::kWeight, FluidForce::kPressure}) {
    Environment environment;
    environment.force = force;
    World world = made(environment, cone);
    for (int step = 0; step < 500; ++step) REQUIRE(world.step(0.01));
    hashes[force == FluidForce::kWeight ? 0 : 1] = world.state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

// The wet columns of a box under a wave along x reach from its bottom -c / 2 to h(x), and the
// torque about y of the lift (-h', 0, 1) is, for each meter along y,
//   int -h' (h^2 - c^2 / 4) / 2 - x (h + c / 2) dx,
// whose first part is what the moment about the center of buoyancy stands for. The engine takes the
// surface flat to e = 1e-3 of the diagonal: at most e (a / 2 + c / 2) of each column's arm.
TEST_CASE("a short wave turns a box by the pressure on all of its sides") {
  const double a = 0.85, b = 0.2, c = 0.8, amplitude = 0.3, length = 1.7;
  const double phase = std::numbers::pi / 4;  // steep where it is high
  Environment environment;
  environment.surface = Waves{0, {{amplitude, length, 0, phase}}};
  environment.drag = {0, 0, 0};
  RigidBody box;
  box.shape = {BoxSolid{{a, b, c}}};
  box.density = 500;
  World world = made(environment, box);

  const double k = 2 * std::numbers::pi / length;
  double torque = 0, sideways = 0;
  const int pieces = 10'000;
  for (int i = 0; i < pieces; ++i) {
    const double x = -a / 2 + (i + 0.5) * a / pieces, dx = a / pieces;
    const double h = amplitude * std::cos(k * x + phase);
    const double slope = -amplitude * k * std::sin(k * x + phase);
    sideways += -slope * (h * h - c * c / 4) / 2 * b * dx;
    torque += -x * (h + c / 2) * b * dx;
  }
  const double error = 1e-3 * std::hypot(a, b, c) * a * b * (a + c) / 2;
  REQUIRE(std::fabs(test::body(world, 0).buoyancy.lift_moment[1]) >= 10 * error);
  const double h = 1e-6;
  REQUIRE(world.step(h));
  const double inertia = 500 * a * b * c * (a * a + c * c) / 12;
  const double found = test::body(world, 0).angular_velocity[1] / h * inertia;
  const double expected = environment.fluid_density * kGravity * (torque + sideways);
  CHECK(std::fabs(found - expected) <= environment.fluid_density * kGravity * error);
}

// Lengths times 10 and times times sqrt(10) leave everything as it is if drag goes with 1 / L.
TEST_CASE("by default a body ten times as large falls and sinks the same, in scaled time") {
  const double factor = 10;
  const auto depth = [](double scale, const Drag& drag) {
    RigidBody ball;
    ball.shape = {Sphere{0.2 * scale}};
    ball.density = 2500;
    ball.pose.translation()[2] = scale;
    Environment environment;
    environment.drag = drag;
    World world = made(environment, ball);
    for (int step = 0; step < 1000; ++step) REQUIRE(world.step(0.004 * std::sqrt(scale)));
    return test::body(world, 0).pose.translation()[2] / scale;
  };
  const double small = depth(1, {});
  CHECK(small < -3);
  CHECK(std::fabs(depth(factor, {}) / small - 1) <= 1e-9);  // roundings of 1000 steps
  // The same number for both is 1 / L of neither: the large one sinks much less of its size.
  CHECK(std::fabs(depth(factor, {0, 1, 0.5}) / depth(1, {0, 1, 0.5})) <= 0.5);
}

// v^2 = g (m - rho V) / (c rho V) with c = 1 / L.
TEST_CASE("by default the speed of sinking grows with the root of the size") {
  for (const double radius : {0.02, 0.2, 2.0}) {
    RigidBody ball;
    ball.shape = {Sphere{radius}};
    ball.density = 3 * kSeawaterDensity;
    ball.pose.translation()[2] = -3 * radius;
    World world = made({}, ball);
    const double length = radius * std::cbrt(4 * std::numbers::pi / 3);
    const double terminal = std::sqrt(2 * kGravity * length);
    const double h = 0.02 * terminal / kGravity;
    for (int step = 0; step < 1000; ++step) REQUIRE(world.step(h));
    // Drag and gravity take turns: of second order in g h / v = 0.02.
    CHECK(std::fabs(test::body(world, 0).velocity[2] / terminal + 1) <= 1e-4);
  }
}

TEST_CASE("k a of a wave is its wave number times its amplitude") {
  CHECK(std::fabs(steepness({.amplitude = 1, .wavelength = 2 * std::numbers::pi}) - 1) <= 1e-15);
  CHECK(steepness({.amplitude = 0.2, .wavelength = 0}) > kBreakingSteepness);
}

}  // namespace plimsoll
