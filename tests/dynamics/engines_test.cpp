// The engines by image against the exact one: the same queries, and the same fate of a body.
#include <doctest/doctest.h>
#include <plimsoll/engines.h>
#include <plimsoll/image.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>
#include <plimsoll/world.h>

#include <cmath>

#include "core/random.h"
#include "support/near_exact_engine.h"
#include "support/sanitizers.h"
#include "support/surface_at.h"
#include "support/world_bodies.h"

namespace plimsoll {

using test::check_near_exact;
using test::kImage;
using test::kinds;
using test::kRounds;
using test::kWaves;

TEST_CASE("columns of the processor hold bodies up as the exact integrals do") {
  auto tally = std::make_shared<ImageTally>();
  const auto engine = test::filled(image_buoyancy(kImage, tally), kinds());
  check_near_exact(*engine, StillWater{0.05});
  check_near_exact(*engine, kWaves);
  CHECK(tally->max_peels >= 2);
  // Rounds of two surfaces and five bodies, a quarter of whose 48 x 48 columns are wet at least.
  CHECK(tally->fragments > kRounds * 2 * 5 * 48 * 48 / 4);
  CHECK(tally->lost_columns == 0);
}

TEST_CASE("a formula comes to rest where the ball that it means does") {
  const Result<Expression> formula = Expression::parse("x^2+y^2+z^2-0.25");
  REQUIRE(formula);
  RigidBody ball;
  ball.shape = {ImplicitSolid{*formula, Box3(Vec3::Constant(-1), Vec3::Constant(1))}};
  ball.density = 500;
  ball.pose.translation() = Vec3(0.013, 0.007, 0.2);
  Environment environment;
  environment.fluid_density = 1000;
  environment.drag.linear = 3;
  Result<World> world = World::create(environment, {&ball, 1}, image_buoyancy());
  REQUIRE(world);
  for (int step = 0; step < (test::kAddressSanitizer ? 3 : 300); ++step) REQUIRE(world->step(0.02));
  CHECK(!World::create(environment, {&ball, 1}));
  if (test::kAddressSanitizer) return;
  // The waterline is at the middle. At 32 x 32 pixels 5e-3 of the volume may be wrong, which is as
  // much as a layer of 3.3e-3 m there; the weight is from 256 x 256.
  CHECK(std::fabs(test::body(*world, 0).pose.translation()[2]) <= 3.3e-3);
}

// The walls of a box are 5e-4 thick, thinner than a pixel of 256.
TEST_CASE("what an image weighs has the image's estimate, at any density and under any load") {
  const Vec3 size(1, 1, 1), hollow(0.999, 0.999, 0.999);
  RigidBody tank;
  tank.shape = {Boolean{BooleanOperation::kDifference, {{BoxSolid{size}}, {BoxSolid{hollow}}}}};
  tank.density = 2;
  RigidBody box;
  box.shape = {BoxSolid{size}};
  const std::array bodies{tank, box};
  Result<World> world = World::create({}, bodies, image_buoyancy());
  REQUIRE(world);
  const BodyId first = test::id(*world, 0);
  const auto check = [&](double density) {
    ImageOptions options;
    options.density = density;
    const MassError wanted = image_mass_properties(tank.shape, options)->error_estimate;
    const std::optional<MassError> found = world->mass_estimate(first);
    REQUIRE(found);
    CHECK(found->volume == wanted.volume);
    CHECK(found->center_of_mass == wanted.center_of_mass);
    CHECK(std::fabs(found->inertia - wanted.inertia) <= 1e-15 * wanted.inertia);
    CHECK(std::fabs(test::mass(*world, 0).volume - (1 - hollow.prod())) <= found->volume);
  };
  check(2);
  REQUIRE(world->set_density(first, 7e3));
  check(7e3);
  CHECK(!world->mass_estimate(test::id(*world, 1)));
  CHECK(!world->mass_estimate(BodyId{}));

  tank.mass = GivenMass{.mass = 3, .center_of_mass = Vec3(0.1, 0, 0), .inertia = Mat3::Identity()};
  world = World::create({}, {&tank, 1}, image_buoyancy());
  REQUIRE(world);
  const std::optional<MassError> loaded = world->mass_estimate(test::id(*world, 0));
  REQUIRE(loaded);
  CHECK(loaded->volume > 0);
  CHECK(loaded->center_of_mass == 0);
  CHECK(loaded->inertia == 0);
}

}  // namespace plimsoll
