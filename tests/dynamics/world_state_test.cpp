// What a world keeps when it is changed, what it takes from an engine, and how short its steps are.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <vector>

#include "support/one_answer.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

constexpr double kGravity = 9.80665;
const Vec3 kSize(1, 2, 3);

RigidBody spinning_box() {
  RigidBody box;
  box.shape = {BoxSolid{kSize}};
  box.density = 400;
  box.angular_velocity = {0.3, -0.7, 1.1};
  return box;
}

double substeps_of(const Environment& environment, const RigidBody& body, double h) {
  const World world = made(environment, body);
  return world.substeps(test::id(world, 0), h);
}

/// Of the box, upright and at rest or turning.
double substeps_by_the_theory(const Environment& environment, double h, double turning) {
  const double volume = kSize.prod(), mass = 400 * volume;
  const double weight = environment.fluid_density * kGravity;
  const double area = Vec3(kSize[1] * kSize[2], kSize[2] * kSize[0], kSize[0] * kSize[1]).norm();
  double trace = weight * area / mass;
  for (int axis = 0; axis < 3; ++axis) {
    const double b = kSize[(axis + 1) % 3], c = kSize[(axis + 2) % 3];
    const double reach = std::hypot(b, c) / 2, moment = mass * (b * b + c * c) / 12;
    trace += weight * (area * reach * reach + volume * reach) / moment;
  }
  return 2 * h * std::max(std::sqrt(trace), turning);
}

}  // namespace

// Inertia and spin change together; three products round.
TEST_CASE("a body turns on as it did when it becomes heavier or the water around it changes") {
  Environment environment;
  World world = made(environment, spinning_box());
  const Vec3 before = test::body(world, 0).angular_velocity;
  environment.added_mass = {0.8, 0.5};
  REQUIRE(world.set_environment(environment));
  CHECK((test::body(world, 0).angular_velocity - before).norm() <= 4e-16);
  REQUIRE(world.set_density(test::id(world, 0), 4000));
  CHECK((test::body(world, 0).angular_velocity - before).norm() <= 8e-16);
  // The kinetic energy is that of ten times the mass, and of all of its volume as added mass.
  const double volume = kSize.prod(), sum = kSize.squaredNorm();
  const Vec3 moments = 4000 * volume / 12 * (Vec3::Constant(sum) - kSize.cwiseAbs2());
  const double factor = 1 + 0.5 * environment.fluid_density / 4000;
  const double expected = factor * moments.dot(before.cwiseAbs2()) / 2;
  CHECK(std::fabs(world.energy().kinetic / expected - 1) <= 1e-14);
}

TEST_CASE("an engine that finds more than the whole body wet is cut down to the body") {
  const double volume = kSize.prod();
  const Buoyancy given{2 * volume, Vec3(0.1, 0, 0), 2 * volume * Vec3(0.3, 0, 1), Vec3(0, 5, 0)};
  const auto engine = std::make_shared<test::OneAnswer>(given);
  const RigidBody box = spinning_box();
  const Result<World> world = World::create({}, {&box, 1}, engine);
  REQUIRE(world);
  const Buoyancy wet = test::body(*world, 0).buoyancy;
  CHECK(wet.volume == volume);
  CHECK((wet.lift - given.lift / 2).norm() <= 1e-15 * volume);
  CHECK((wet.lift_moment - given.lift_moment / 2).norm() <= 1e-15);
  CHECK(wet.center == given.center);
}

// Volumes of 1e360 and 1e-360 m^3 are no doubles; one of 1e-220 m^3 is, and moments of 1e-437 kg
// m^2 about the long axis are not.
TEST_CASE("a body that cannot be weighed is refused at its shape, and told why") {
  const auto error_of = [](const Vec3& size) {
    RigidBody box = spinning_box();
    box.shape = {BoxSolid{size}};
    const Result<World> world = World::create({}, std::vector{spinning_box(), box});
    REQUIRE_FALSE(world);
    CHECK(world.error().code == ErrorCode::kInvalidArgument);
    CHECK(world.error().where == "bodies[1].shape");
    return world.error().message;
  };
  CHECK(error_of({1e120, 1e120, 1e120}) ==
        "found a volume or a mass beyond 1.8e308, the largest number: it overflows");
  CHECK(error_of({1e-120, 1e-120, 1e-120}) ==
        "found a body without volume, or with one below the smallest number: it has no mass to "
        "move");
  CHECK(error_of({1, 1e-110, 1e-110}) ==
        "found moments of inertia that are not those of a body: it is too thin, or the mesh does "
        "not bound a solid");
}

// docs/theory/dynamics.md, "Steps that a body can follow". A thousand seconds count the parts to
// one in thousands.
TEST_CASE("a step is divided by the bound of the theory, or by the body's own turning") {
  RigidBody box = spinning_box();
  box.angular_velocity.setZero();
  const double h = 1000;
  Environment environment;
  CHECK(substeps_of(environment, box, h) == std::ceil(substeps_by_the_theory(environment, h, 0)));
  CHECK(substeps_of(environment, box, 1e-6) == 1);
  box.angular_velocity = {0, 0, 40};
  CHECK(std::fabs(substeps_of(environment, box, h) - substeps_by_the_theory(environment, h, 40)) <=
        1);
  environment.fluid_density = 0;
  box.angular_velocity = {0, 0.02, 0};
  CHECK(std::fabs(substeps_of(environment, box, h) - 40) <= 1);
}

}  // namespace plimsoll
