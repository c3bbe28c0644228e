// Forces that a program adds to a world.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <set>

#include "dynamics/rigid_motion.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

constexpr double kStep = 0.005;

RigidBody ball(const std::string& name, const Vec3& at) {
  RigidBody body;
  body.name = name;
  body.shape = {Sphere{0.1}};
  body.pose.translation() = at;
  return body;
}

Environment nothing_around() {
  Environment environment;
  environment.gravity = 0;
  environment.fluid_density = 0;
  return environment;
}

/// A spring without length between two bodies.
class Spring final : public ForceModel {
 public:
  Spring(BodyId a, BodyId b, double stiffness) : a_(a), b_(b), stiffness_(stiffness) {}

  Result<void> push(const WorldNow& now, std::span<BodyForce> forces) override {
    std::size_t a = now.bodies.size(), b = a;
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
      if (now.bodies[i]->id == a_) a = i;
      if (now.bodies[i]->id == b_) b = i;
    }
    if (a == now.bodies.size() || b == now.bodies.size()) return {};
    const Vec3 pull = stiffness_ * (now.bodies[b]->center_of_mass - now.bodies[a]->center_of_mass);
    forces[a].force += pull;
    forces[b].force -= pull;
    return {};
  }

 private:
  BodyId a_, b_;
  double stiffness_;
};

/// Air that resists every body, wet or dry.
class Air final : public ForceModel {
 public:
  explicit Air(double linear) : linear_(linear) {}
  Result<void> resist(const WorldNow& now,
                      std::span<std::optional<Resistance>> resistances) override {
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
      resistances[i] = Resistance{.linear = linear_, .center = now.bodies[i]->center_of_mass};
    return {};
  }

 private:
  double linear_;
};

/// Writes down what it is shown.
class Watching final : public ForceModel {
 public:
  struct Seen {
    double time;
    std::set<BodyId> bodies;
    bool at_one_time;
  };
  Result<void> push(const WorldNow& now, std::span<BodyForce> /*forces*/) override {
    Seen one{now.time, {}, true};
    for (const BodyNow* body : now.bodies) {
      one.bodies.insert(body->id);
      // All bodies of this test move along x at 1 m/s from 0.
      one.at_one_time = one.at_one_time && std::fabs(body->center_of_mass[0] - now.time) <= 1e-12;
    }
    seen.push_back(one);
    return {};
  }
  std::vector<Seen> seen;
};

class Refusing final : public ForceModel {
 public:
  Result<void> push(const WorldNow& /*now*/, std::span<BodyForce> /*forces*/) override {
    return Error{ErrorCode::kUnavailable, "found no force today", ""};
  }
};

}  // namespace

// Two equal masses on a spring swing with omega^2 = 2 k / m, by the leapfrog too fast by
// (omega h)^2 / 24 = 4e-7 at omega h = 3e-3 and their center stays where it is.
TEST_CASE("two bodies on a spring swing as two masses do") {
  World world = made(nothing_around(), {ball("a", {0, 0, 0}), ball("b", {1, 0, 0})});
  const BodyId a = *world.find("a"), b = *world.find("b");
  const double mass = world.mass(a)->mass, stiffness = 0.2;
  world.add_force(std::make_shared<Spring>(a, b, stiffness));
  const double omega = std::sqrt(2 * stiffness / mass);
  for (int step = 1; step <= 1000; ++step) REQUIRE(world.step(kStep));
  const double apart = world.body(b)->center_of_mass[0] - world.body(a)->center_of_mass[0];
  CHECK(std::fabs(apart - std::cos(omega * world.time())) <= 1e-5);
  CHECK(std::fabs(world.body(a)->center_of_mass[0] + world.body(b)->center_of_mass[0] - 1) <=
        1e-13);
  // The energy of the bodies is what the spring gave.
  CHECK(std::fabs(world.energy().kinetic - world.work()) <= 1e-12 * stiffness);
}

// e^(-c t / m), by the decay of the splitting: of second order, (c h / m)^2 / 12 each step.
TEST_CASE("a model that resists only takes energy, as fast as it says") {
  World world = made(nothing_around(), {ball("a", {0, 0, 0})});
  const BodyId a = *world.find("a");
  const double mass = world.mass(a)->mass;
  REQUIRE(world.push(a, {mass, 0, 0}, {0, 0, 0}));
  const double linear = mass;  // a decay of 1 / s
  world.add_force(std::make_shared<Air>(linear));
  for (int step = 0; step < 200; ++step) REQUIRE(world.step(kStep));
  CHECK(std::fabs(world.body(a)->velocity[0] - std::exp(-world.time())) <= 1e-5);
  CHECK(std::fabs(world.dissipated() + world.energy().kinetic - mass / 2) <= 1e-13);
}

TEST_CASE("bodies are shown with those that are at one time, and kinematic ones with all") {
  Environment environment;  // so that they bob at different rates, far above the water
  environment.gravity = 1e-9;
  std::vector<RigidBody> bodies{ball("a", {0, 0, 50}), ball("b", {0, 3, 50}),
                                ball("fast", {0, 6, 50}), ball("told", {0, 9, 50})};
  for (RigidBody& body : bodies) body.velocity = {1, 0, 0};
  bodies[2].angular_velocity = {0, 0, 290};  // takes parts of its own
  bodies[3].is_kinematic = true;
  World world = made(environment, bodies);
  const std::vector<BodyId> ids = world.ids();
  const double h = 0.01;
  REQUIRE(world.substeps(ids[0], h) == 1);
  REQUIRE(world.substeps(ids[2], h) == 6);
  const auto watching = std::make_shared<Watching>();
  world.add_force(watching);
  for (int step = 0; step < 2; ++step) REQUIRE(world.step(h));
  REQUIRE(watching->seen.size() == 2 * (2 * 1 + 2 * 6));  // before and after each part
  int together = 0;
  for (const Watching::Seen& seen : watching->seen) {
    CHECK(seen.at_one_time);
    CHECK(seen.bodies.contains(ids[3]));
    CHECK(seen.bodies.contains(ids[0]) == seen.bodies.contains(ids[1]));
    CHECK(seen.bodies.contains(ids[0]) != seen.bodies.contains(ids[2]));
    together += seen.bodies.contains(ids[0]) ? 1 : 0;
  }
  CHECK(together == 2 * 2);
}

TEST_CASE("a model that fails ends the step, and the world is as before") {
  World world = made({}, {ball("a", {0, 0, 0})});
  const std::uint64_t hash = world.state_hash();
  const auto refusing = std::make_shared<Refusing>();
  world.add_force(refusing);
  const Result<void> done = world.step(kStep);
  REQUIRE(!done);
  CHECK(done.error().message == "found no force today");
  CHECK(world.state_hash() == hash);
  CHECK(world.time() == 0);
  world.remove_force(refusing);
  REQUIRE(world.step(kStep));
}

// -0 + x is x for all x: a force of none changes no bit.
TEST_CASE("a model that adds nothing changes no bit") {
  const std::vector<RigidBody> bodies{ball("a", {0, 0, 0.02}), ball("b", {1, 0, 0.3})};
  World plain = made({}, bodies), watched = made({}, bodies);
  watched.add_force(std::make_shared<ForceModel>());
  for (int step = 0; step < 100; ++step) {
    REQUIRE(plain.step(kStep));
    REQUIRE(watched.step(kStep));
    REQUIRE(plain.state_hash() == watched.state_hash());
  }
  CHECK(watched.work() == 0);
}

// By the formula of a turn about an axis, through several squarings; each doubles the rounding.
TEST_CASE("a turn by a vector is that of its angle about its direction") {
  for (const double angle : {0.0, 1e-9, 0.3, 1.0, 3.0, 20.0, 1000.0}) {
    const Vec3 axis = Vec3(1, -2, 3).normalized();
    const Mat3 expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    const Mat3 found = turn_by(angle * axis).toRotationMatrix();
    CHECK((found - expected).cwiseAbs().maxCoeff() <= 8 * 0x1p-53 * std::max(1.0, angle));
  }
}

}  // namespace plimsoll
