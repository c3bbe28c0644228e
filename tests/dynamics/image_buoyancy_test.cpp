// The engines by image against the exact one: the same queries, and the same fate of a body.
#include <doctest/doctest.h>
#include <plimsoll/gl_engines.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>
#include <plimsoll/world.h>

#include <cmath>

#include "core/random.h"
#include "support/gl_engine.h"
#include "support/sanitizers.h"
#include "support/surface_at.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr double kGravity = 9.80665;

std::vector<Shape> kinds() {
  const auto bumpy = std::make_shared<const TriangleMesh>(make_bumpy_sphere(0.3, 0.4, 10, 14));
  Shape small{MeshSolid{bumpy}};
  small.pose = Similarity(Eigen::Scaling(0.5));
  return {{BoxSolid{{0.6, 0.4, 0.3}}}, {Sphere{0.3}}, {Torus{0.3, 0.1}}, {MeshSolid{bumpy}}, small};
}

std::vector<BuoyancyQuery> strewn(Random& random, std::size_t count) {
  std::vector<BuoyancyQuery> queries;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec4 turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                    random.uniform(-1, 1));
    Pose pose = Pose::Identity();
    pose.linear() = Eigen::Quaterniond(turn.normalized()).toRotationMatrix();
    pose.translation() =
        Vec3(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-0.5, 0.5));
    queries.push_back({static_cast<std::uint32_t>(i), pose});
  }
  return queries;
}

constexpr int kRounds = test::kAddressSanitizer ? 2 : 10;

/// At 48 x 48 pixels the 4 x 48 along the outline are off, by either sign, by their area times the
/// depth of a column a pixel's diagonal inside it, a quarter of the body's: 1.4e-3 of the box is
/// the standard deviation of their sum, of which 1e-2 is seven; likewise of moments over its size.
void check_near_exact(BuoyancyEngine& engine, const FluidSurface& fluid) {
  const std::vector<Shape> shapes = kinds();
  const auto exact = test::filled(exact_buoyancy(), shapes);
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    const SurfaceNow surface = test::surface_at(fluid, 0.3 * round, kGravity);
    const std::vector<BuoyancyQuery> queries = strewn(random, shapes.size());
    std::vector<Buoyancy> expected(queries.size()), found(queries.size());
    REQUIRE(exact->answer(queries, surface, expected));
    REQUIRE(engine.answer(queries, surface, found));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      CAPTURE(i);
      const Box3 box = bounding_box(shapes[i]);
      const double bound = 1e-2 * box.volume();
      const Vec3 at = queries[i].world_from_body.translation();
      const auto moment = [&](const Buoyancy& b) { return Vec3(b.volume * (b.center - at)); };
      CHECK(std::fabs(found[i].volume - expected[i].volume) <= bound);
      CHECK((found[i].lift - expected[i].lift).norm() <= bound);
      if (expected[i].volume > 0 && found[i].volume > 0)
        CHECK((moment(found[i]) - moment(expected[i])).norm() <= bound * box.diagonal().norm());
    }
  }
}

const Waves kWaves{0.1, {{0.05, 2, 30, 0}, {0.03, 1, 100, 1}}};
const WaterImageOptions kImage{.width = 48, .height = 48};

}  // namespace

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

TEST_CASE("so do images of OpenGL, in one pass and by peels") {
  const GlContext* context = test::gl_context();
  if (context == nullptr) return;
  for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel}) {
    GlWaterOptions options;
    options.image = kImage;
    options.algorithm = algorithm;
    const Result<std::shared_ptr<BuoyancyEngine>> made = gl_buoyancy(*context, options);
    REQUIRE(made);
    const auto engine = test::filled(*made, kinds());
    check_near_exact(*engine, StillWater{0.05});
    check_near_exact(*engine, kWaves);
  }
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
