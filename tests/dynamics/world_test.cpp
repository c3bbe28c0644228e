// Motion against closed forms.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <numbers>

#include "support/campaign.h"
#include "support/processor_time.h"
#include "support/surface_at.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

constexpr double kGravity = 9.80665;
constexpr double kStep = 0.005;

const Vec3 kBox(2, 1.2, 0.6);  // floats half under, upright
constexpr double kDraught = 0.3;

RigidBody box_afloat(double heave, double roll) {
  RigidBody box;
  box.shape = {BoxSolid{kBox}};
  box.density = 500;
  box.pose.linear() = Eigen::AngleAxisd(roll, Vec3::UnitX()).matrix();
  box.pose.translation()[2] = heave;
  return box;
}

/// Of 1000 kg/m^3, twice the box.
Environment fresh_water() {
  Environment environment;
  environment.fluid_density = 1000;
  return environment;
}

Environment without_drag() {
  Environment environment = fresh_water();
  environment.drag = {0, 0, 0};
  return environment;
}

/// The mean time between upward zeros of `of`, each interpolated.
template <class Of>
double period(World& world, int periods, const Of& of) {
  double before = of(world), first = -1, last = -1;
  for (int count = -1; count < periods;) {
    REQUIRE(world.step(kStep));
    const double now = of(world);
    if (before < 0 && now >= 0) {
      last = world.time() - kStep * now / (now - before);
      if (count++ < 0) first = last;
    }
    before = now;
  }
  return (last - first) / periods;
}

double heave_rate() { return std::sqrt(kGravity / kDraught); }
double roll_rate(double added = 0) {  // added: moment of inertia, relative
  const double arm = kBox[1] * kBox[1] / (12 * kDraught) - kDraught / 2;  // GM
  const double gyration = (kBox[1] * kBox[1] + kBox[2] * kBox[2]) / 12;
  return std::sqrt(kGravity * arm / (gyration * (1 + added)));
}

}  // namespace

// Leapfrog follows a linear oscillation 1 + (omega h)^2 / 24 too fast: 3e-5. The box's walls are
// upright, so that heave is linear; roll is to the second order of its angle of 0.01.
TEST_CASE("a box bobs and rolls with the periods of linear theory") {
  World heaving = made(without_drag(), box_afloat(0.01, 0));
  const double heave =
      period(heaving, 20, [](const World& w) { return test::body(w, 0).velocity[2]; });
  CHECK(std::fabs(heave * heave_rate() / (2 * std::numbers::pi) - 1) <= 1e-4);

  World rolling = made(without_drag(), box_afloat(0, 0.01));
  const double roll =
      period(rolling, 20, [](const World& w) { return test::body(w, 0).angular_velocity[0]; });
  CHECK(std::fabs(roll * roll_rate() / (2 * std::numbers::pi) - 1) <= 1e-3);
}

// With the errors of the periods above.
TEST_CASE("added mass makes both slower by its share") {
  Environment environment = without_drag();
  environment.added_mass = {0.8, 0.5};
  World heaving = made(environment, box_afloat(0.01, 0));
  const double heave =
      period(heaving, 20, [](const World& w) { return test::body(w, 0).velocity[2]; });
  CHECK(std::fabs(heave * heave_rate() / std::sqrt(1.8) / (2 * std::numbers::pi) - 1) <= 1e-4);
  World rolling = made(environment, box_afloat(0, 0.01));
  const double roll =
      period(rolling, 20, [](const World& w) { return test::body(w, 0).angular_velocity[0]; });
  CHECK(std::fabs(roll * roll_rate(0.5) / (2 * std::numbers::pi) - 1) <= 1e-3);
}

// Leapfrog keeps, to higher order, not E but p^2 / 2 m + k x^2 / 2 (1 - (omega h)^2 / 4), so that E
// swings by (omega h)^2 / 4 between the middle and the ends. Five hundred seconds in the full run.
// A window is a period but for half a step, and so a mean but for that share of the swing, twice.
TEST_CASE("without drag the energy of heave and roll only oscillates") {
  for (const bool is_rolling : {false, true}) {
    // At 0.1 rad the box is 0.4 % stiffer than at small angles, by its growing waterplane.
    const double omega = is_rolling ? 1.004 * roll_rate() : heave_rate();
    World rest = made(without_drag(), box_afloat(0, 0));
    World world = made(without_drag(), box_afloat(is_rolling ? 0 : 0.1, is_rolling ? 0.1 : 0));
    const double still = rest.energy().total(), start = world.energy().total() - still;
    REQUIRE(start > 0);
    const int steps = test::campaign(100'000);
    const int window = static_cast<int>(std::lround(2 * std::numbers::pi / omega / kStep));
    double sum = 0, first = 0, last = 0, smallest = start, largest = start;
    for (int step = 1; step <= steps; ++step) {
      REQUIRE(world.step(kStep));
      const double energy = world.energy().total() - still;
      smallest = std::min(smallest, energy);
      largest = std::max(largest, energy);
      sum += energy / window;
      if (step % window == 0) {
        last = sum;
        if (step == window) first = sum;
        sum = 0;
      }
    }
    CAPTURE(is_rolling);
    const double swing = omega * omega * kStep * kStep / 4;
    CHECK(std::fabs(last / first - 1) <= swing / window);
    CHECK((largest - smallest) / start <= swing);
    CHECK(world.dissipated() == 0);
  }
}

// The weight less the buoyancy against quadratic drag: v^2 = g (m - rho V) / (c rho V).
TEST_CASE("a heavy body sinks and reaches the speed at which drag holds it") {
  RigidBody ball;
  ball.shape = {Sphere{0.2}};
  ball.density = 2500;
  ball.pose.translation()[2] = 1;
  Environment environment = fresh_water();
  environment.drag = {0, 2, 0.5};
  World world = made(environment, ball);
  const double start = world.energy().total();
  for (int step = 0; step < 2000; ++step) REQUIRE(world.step(kStep));
  const double terminal = std::sqrt(kGravity * 1.5 / 2);
  CHECK(test::body(world, 0).pose.translation()[2] < -10);
  // Drag and gravity take turns: of second order in g h / v = 0.02.
  CHECK(std::fabs(test::body(world, 0).velocity[2] + terminal) <= 1e-4 * terminal);
  CHECK(test::body(world, 0).velocity.head<2>().norm() == 0);
  // What drag took is missing: half a step of second order at the splash.
  CHECK(std::fabs(start - world.energy().total() - world.dissipated()) <= 1e-3 * start);
}

TEST_CASE("in the air a body falls as a parabola, its origin about its center") {
  RigidBody cone;
  cone.shape = {Cone{0.3, 1}};  // origin a quarter of its height below the center
  cone.pose.translation() = Vec3(1, 2, 100);
  cone.velocity = {0.5, 0, 3};
  cone.angular_velocity = {0, 0, 2};
  World world = made({}, cone);
  CHECK((test::body(world, 0).velocity - cone.velocity).norm() <= 8 * 0x1p-53 * 3);
  for (int step = 0; step < 200; ++step) REQUIRE(world.step(kStep));
  const double t = world.time();
  const Vec3 expected = Vec3(1, 2, 100) + t * cone.velocity - Vec3(0, 0, kGravity * t * t / 2);
  // The method is exact for parabolas; each step rounds a few times, heights of 100 m and the spin.
  CHECK((test::body(world, 0).pose.translation() - expected).norm() <= 200 * 4 * 0x1p-53 * 100);
  CHECK((test::body(world, 0).angular_velocity - cone.angular_velocity).norm() <=
        200 * 5 * 0x1p-53 * 2);
}

// Small beside the wave, it does what the water does: a circle, but for the order of the wave's
// steepness k a = 0.03 and of k times half its draught. It lags behind the surface by a k draught,
// the ratio of the wave's rate to its own squared, and by k a^2 / 2 of second order.
TEST_CASE("a light float rides a long wave: it follows the surface and is pushed down its slope") {
  Environment environment = fresh_water();
  environment.surface = Waves{0, {{0.1, 20, 0, 0}}};
  environment.drag = {5, 0, 5};
  RigidBody box = box_afloat(0, 0);
  box.shape = {BoxSolid{{0.4, 0.4, 0.2}}};
  for (const FluidForce force : {FluidForce::kWeight, FluidForce::kPressure}) {
    environment.force = force;
    World world = made(environment, box);
    double worst = 0, sway = 0;
    for (int step = 0; step < 4000; ++step) {
      REQUIRE(world.step(kStep));
      if (step < 2000) continue;
      const Vec3 at = test::body(world, 0).pose.translation();
      const double level =
          test::surface_at(environment.surface, world.time(), kGravity).height(at[0], at[1]);
      worst = std::max(worst, std::fabs(at[2] - level));
      sway = std::max(sway, std::fabs(test::body(world, 0).velocity[0]));
    }
    const double k = 2 * std::numbers::pi / 20, omega = std::sqrt(kGravity * k);
    CHECK(worst <= 0.1 * k * 0.1 + k * 0.1 * 0.1 / 2);
    // The orbital speed: pressure and drag both drive it there, drag of 5 /s alone not quite.
    const double along = force == FluidForce::kPressure ? 1 : 1 / std::hypot(1, omega / 5);
    CHECK(std::fabs(sway / (0.1 * omega * along) - 1) <= k * 0.1 + k * 0.05);
  }
}

TEST_CASE("a fixed body stays, a pushed one moves by its impulse, and a lighter one rises") {
  RigidBody held = box_afloat(0.1, 0.3);
  held.is_kinematic = true;
  const RigidBody bodies[] = {held, box_afloat(0, 0)};
  // Drag of 2 /s leaves exp(-t) of a heave, from when the body is afloat, in the first second.
  Environment viscous = fresh_water();
  viscous.drag = {2, 0, 2};
  const auto left_of = [](double heave) { return 1.2 * heave * std::exp(-19.0); };
  Result<World> created = World::create(viscous, bodies);
  REQUIRE(created);
  World& world = *created;
  REQUIRE(world.push(test::id(world, 0), {1, 1, 1}, Vec3::Zero()));
  REQUIRE(world.push(test::id(world, 1), {0, 0, 72}, test::body(world, 1).center_of_mass));
  CHECK(std::fabs(test::body(world, 1).velocity[2] - 0.1) <= 4 * 0x1p-53);  // of 720 kg
  const Eigen::Matrix4d before = test::body(world, 0).pose.matrix();
  REQUIRE(world.set_density(test::id(world, 1), 250));
  CHECK(std::fabs(test::mass(world, 1).mass - 360) <= 4 * 0x1p-53 * 360);
  for (int step = 0; step < 4000; ++step) REQUIRE(world.step(kStep));
  CHECK(test::body(world, 0).pose.matrix() == before);
  CHECK(std::fabs(test::body(world, 1).pose.translation()[2] - 0.15) <= left_of(0.15));

  Environment high = world.environment();
  high.surface = StillWater{1};
  REQUIRE(world.set_environment(high));
  for (int step = 0; step < 4000; ++step) REQUIRE(world.step(kStep));
  CHECK(std::fabs(test::body(world, 1).pose.translation()[2] - 1.15) <= left_of(1));
  CHECK(!world.set_density(test::id(world, 1), 0));
  CHECK(!world.set_density(test::id(world, 1), 1e-323));  // its moments are no numbers
  high.gravity = -1;
  CHECK(!world.set_environment(high));
}

// Facets cut off some 5e-3 of a torus; grown, it weighs what it displaces, and on water that is
// flat but for a hair it does what it does on a plane. Partly wet it is off by 2.5e-4 of its volume
// at most (engines.h), 6.2e-6 m^3, over a waterplane of 0.17 m^2.
TEST_CASE("a torus that barely floats floats on a grid of heights too") {
  RigidBody ring;
  ring.shape = {Torus{0.5, 0.05}};
  ring.density = 985;
  ring.pose.translation()[2] = -0.05;
  Environment environment = fresh_water();
  const int steps = test::kTimed ? 500 : 5;  // sanitizers take twenty times as long
  const auto depth_after = [&] {
    World world = made(environment, ring);
    for (int step = 0; step < steps; ++step) REQUIRE(world.step(0.02));
    return test::body(world, 0).pose.translation()[2];
  };
  const double on_plane = depth_after();
  environment.surface = HeightGrid{{-50, -50}, {100, 100}, 2, 2, {1e-6, 0, 0, 0}};
  CHECK(std::fabs(depth_after() - on_plane) <= 6.2e-6 / 0.17);
}

// The box is 14 m from the only rough spot; its own pose puts it there, not its body's origin. Its
// faces are where they are to a rounding of 14 m.
TEST_CASE("a rough spot matters to the bodies over it, wherever their origin is") {
  HeightGrid grid{{-10, -10}, {1, 1}, 21, 21, std::vector<double>(441, 0.0)};
  grid.heights[0] = 1e5;
  RigidBody box;
  box.shape = {BoxSolid{Vec3::Constant(0.1)}};
  box.shape.pose.translation() = Vec3(-9.5, -9.5, 0);
  Environment environment;
  environment.surface = grid;
  CHECK(!World::create(environment, {&box, 1}));
  box.pose.translation() = Vec3(14, 14, 0);
  World world = made(environment, box);
  CHECK(std::fabs(test::body(world, 0).buoyancy.volume - 0.5e-3) <= 6 * 0.01 * 14 * 0x1p-53);
}

TEST_CASE("a fixed body does not move, and waves pass it") {
  RigidBody post = box_afloat(0, 0);
  post.is_kinematic = true;
  Environment environment;
  environment.surface = Waves{0, {{0.2, 8, 0, 0}}};
  World world = made(environment, post);
  CHECK(test::body(world, 0).velocity.norm() == 0);
  double smallest = 1, largest = 0;
  for (int step = 0; step < 500; ++step) {
    REQUIRE(world.step(kStep));
    smallest = std::min(smallest, test::body(world, 0).buoyancy.volume);
    largest = std::max(largest, test::body(world, 0).buoyancy.volume);
  }
  // The wave is 0.4 m high and 8 m long, the box 2 m x 1.2 m; triangles follow a wave to 1e-3 of a
  // body's size (engines.h), here the box's diagonal.
  const double quarter = std::numbers::pi / 4;
  const double swing = 0.4 * 2 * 1.2 * std::sin(quarter) / quarter;
  CHECK(std::fabs(largest - smallest - swing) <= 2 * 1e-3 * kBox.norm() * 2 * 1.2);
}

}  // namespace plimsoll
