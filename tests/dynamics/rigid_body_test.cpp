// Bodies with a mass, a center and an inertia of their own.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <numbers>

#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr double kGravity = 9.80665;

RigidBody box(const Vec3& size, const GivenMass& mass) {
  RigidBody body;
  body.shape = {BoxSolid{size}};
  body.density = -1;  // not looked at
  body.mass = mass;
  return body;
}

World made(const RigidBody& body) {
  Environment environment;
  environment.drag = {0, 0, 0};
  return test::made(environment, std::vector{body});
}

std::string refusal(const GivenMass& mass) {
  const RigidBody body = box({1, 1, 1}, mass);
  const Result<World> world = World::create({}, {&body, 1});
  return world ? "" : world.error().where;
}

}  // namespace

// Upright it floats with its middle at draught - c / 2 over the keel; G is 0.1 below the middle.
// The roll of 0.01 rad is linear to 1e-3 as that of an even box (world_test.cpp).
TEST_CASE("a box with a heavy keel rolls with the period of its own center and inertia") {
  const Vec3 size(2, 1.2, 0.6);
  const double draught = 0.3, keel = 0.1;
  GivenMass mass;
  mass.mass = kSeawaterDensity * size[0] * size[1] * draught;
  mass.center_of_mass = Vec3(0, 0, -keel);
  const double roll = 0.11 * mass.mass;  // gyration of 0.33 m, where an even box has 0.39 m
  mass.inertia = Vec3(roll, 0.4 * mass.mass, 0.45 * mass.mass).asDiagonal();
  RigidBody body = box(size, mass);
  body.pose.linear() = Eigen::AngleAxisd(0.01, Vec3::UnitX()).matrix();
  World world = made(body);

  const double height = size[1] * size[1] / (12 * draught) - draught / 2 + keel;  // GM
  const double expected = 2 * std::numbers::pi * std::sqrt(roll / (mass.mass * kGravity * height));
  double before = 0, first = 0, last = 0;
  const double h = 0.005;
  for (int count = -1; count < 20;) {
    REQUIRE(world.step(h));
    const double now = test::body(world, 0).angular_velocity[0];
    if (before < 0 && now >= 0) {
      last = world.time() - h * now / (now - before);
      if (count++ < 0) first = last;
    }
    before = now;
  }
  CHECK(std::fabs((last - first) / 20 / expected - 1) <= 1e-3);
}

TEST_CASE("a mass alone is spread evenly, and a center alone moves it as it is") {
  const Vec3 size(1, 2, 3);
  const World even = made(box(size, {.mass = 12}));
  const Vec3 moments(13, 10, 5);  // m (b^2 + c^2) / 12
  CHECK(test::mass(even, 0).mass == 12);
  CHECK(std::fabs(test::mass(even, 0).density - 2) <= 1e-15);
  CHECK((test::mass(even, 0).inertia - Mat3(moments.asDiagonal())).cwiseAbs().maxCoeff() <= 1e-13);
  CHECK(test::mass(even, 0).center_of_mass.norm() <= 1e-15);
  const World moved = made(box(size, {.mass = 12, .center_of_mass = Vec3(0.1, 0, -1)}));
  CHECK(test::mass(moved, 0).center_of_mass == Vec3(0.1, 0, -1));
  CHECK(test::mass(moved, 0).inertia == test::mass(even, 0).inertia);
  CHECK(test::body(moved, 0).center_of_mass == Vec3(0.1, 0, -1));
}

TEST_CASE("a pose that scales a body scales its center and inertia, and not its mass") {
  const Mat3 inertia = Vec3(2, 3, 4).asDiagonal();
  RigidBody body =
      box({1, 2, 3}, {.mass = 12, .center_of_mass = Vec3(0.1, 0, -1), .inertia = inertia});
  body.pose.linear() = 3 * Mat3::Identity();
  body.pose.translation() = Vec3(7, 8, 9);
  World world = made(body);
  CHECK(test::mass(world, 0).mass == 12);
  // The scale is the cube root of a determinant, which rounds.
  CHECK((test::body(world, 0).center_of_mass - Vec3(7.3, 8, 6)).norm() <= 1e-14);
  CHECK((test::mass(world, 0).inertia - 9 * inertia).norm() <= 1e-13);
  CHECK(std::fabs(test::mass(world, 0).volume - 162) <= 1e-12);

  REQUIRE(world.set_density(test::id(world, 0), 24.0 / 162));
  CHECK(std::fabs(test::mass(world, 0).mass - 24) <= 1e-13);
  CHECK((test::mass(world, 0).inertia - 18 * inertia).norm() <= 1e-12);
  CHECK((test::body(world, 0).center_of_mass - Vec3(7.3, 8, 6)).norm() <= 1e-14);
}

TEST_CASE("what no body weighs is refused by its place") {
  const auto of = [](const Mat3& inertia) { return refusal({.mass = 1, .inertia = inertia}); };
  const Mat3 even = Mat3::Identity();
  CHECK(of(even).empty());
  CHECK(of(Vec3(1, 2, 3).asDiagonal()).empty());  // a plate
  CHECK(of(Vec3(1, 2, 3.000001).asDiagonal()).empty());
  CHECK(of(Vec3(1, 2, 3.00001).asDiagonal()) == "bodies[0].inertia");
  CHECK(of(Vec3(0, 2, 2).asDiagonal()) == "bodies[0].inertia");
  CHECK(of(Vec3(-1, 2, 2).asDiagonal()) == "bodies[0].inertia");
  Mat3 bad = even;
  bad(0, 1) = 1e-5;
  CHECK(of(bad) == "bodies[0].inertia");
  bad(1, 0) = bad(0, 1);
  CHECK(of(bad).empty());
  bad(2, 2) = NAN;
  CHECK(of(bad) == "bodies[0].inertia");
  CHECK(refusal({.mass = 0}) == "bodies[0].mass");
  CHECK(refusal({.mass = INFINITY}) == "bodies[0].mass");
  CHECK(refusal({.mass = 1, .center_of_mass = Vec3(0, NAN, 0)}) == "bodies[0].center_of_mass");
}

}  // namespace plimsoll
