// What must hold for any body: bits that do not depend on threads, rest that stays rest, nothing
// that blows up.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/parallel.h>
#include <plimsoll/rotation.h>
#include <plimsoll/world.h>

#include <cmath>
#include <filesystem>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/shared_meshes.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

Shape solid(TriangleMesh mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
}

Similarity placed(double x, double y, double z) {
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(x, y, z);
  return pose;
}

std::vector<RigidBody> flotsam(Random& random, int count) {
  const Shape kinds[] = {{BoxSolid{{0.6, 0.4, 0.3}}},
                         {Sphere{0.3}},
                         solid(make_torus(0.3, 0.1, 20, 12)),
                         solid(make_bumpy_sphere(0.3, 0.4, 10, 14))};
  std::vector<RigidBody> bodies;
  for (int i = 0; i < count; ++i) {
    RigidBody body;
    body.name = std::to_string(i);
    body.shape = kinds[i % 4];
    body.density = random.uniform(200, 1300);
    // One after the other: compilers differ in the order of arguments.
    Vec4 turn;
    for (double& x : turn) x = random.uniform(-1, 1);
    body.pose = placed(i, 0, random.uniform(-0.3, 1));
    body.pose.linear() = Eigen::Quaterniond(turn.normalized()).toRotationMatrix();
    for (double& w : body.angular_velocity) w = random.uniform(-3, 3);
    bodies.push_back(body);
  }
  return bodies;
}

std::uint64_t hash_after(int threads, const Environment& environment, int steps) {
  Random random(11);
  const std::vector<RigidBody> bodies = flotsam(random, 24);
  std::uint64_t hash = 0;
  with_threads(threads, [&] {
    World world = made(environment, bodies);
    for (int step = 0; step < steps; ++step) REQUIRE(world.step(0.005));
    hash = world.state_hash();
  });
  return hash;
}

// Of the paper's evaluation: what the hash was told for.
Environment fresh_water() {
  Environment environment;
  environment.fluid_density = 1000;
  environment.drag.quadratic = 1;
  return environment;
}

}  // namespace

// The hash is that of x86-64 with and without vector instructions; a change of it is a change of
// every trajectory, to be told in the CHANGELOG under Numbers.
TEST_CASE("ten thousand steps end in the same bits for every number of threads") {
  const int steps = test::campaign(10'000);
  const std::uint64_t one = hash_after(1, fresh_water(), steps);
  CHECK(hash_after(2, fresh_water(), steps) == one);
  CHECK(hash_after(4, fresh_water(), steps) == one);
  if (steps == 10'000) CHECK(one == 6673063363140524161u);
  if (steps == 1000) CHECK(one == 6708499954794105347u);
}

TEST_CASE("on waves they are the same for every number of threads too") {
  Environment environment;
  environment.surface = Waves{0, {{0.1, 2, 30, 0}, {0.05, 1, 200, 1}}};
  environment.force = FluidForce::kPressure;
  const std::uint64_t one = hash_after(1, environment, 5);
  CHECK(hash_after(2, environment, 5) == one);
  CHECK(hash_after(4, environment, 5) == one);
}

// What pushes a body at rest is the residual of its equilibrium, 1e-12 of its size, and rounding.
TEST_CASE("a body at rest stays at rest") {
  std::vector<Shape> shapes{{BoxSolid{{2, 1.2, 0.6}}}, solid(make_bumpy_sphere(0.5, 0.4, 30, 40))};
  if (test::is_full_run() && test::has_shared_data())
    shapes.push_back(solid(test::load("meshes/cgal/bunny00.off")));
  for (const Shape& shape : shapes) {
    const Result<ShapeMass> mass = mass_properties(shape);
    REQUIRE(mass);
    const Result<FloatingBody> body = floating_body(shape, mass->body.properties.volume * 0.5);
    REQUIRE(body);
    const Equilibria rest = find_equilibria(*body, {.starts = 8, .all_kinds = false});
    REQUIRE(!rest.found.empty());
    const FloatingState& state = rest.found[0].state;
    RigidBody still;
    still.shape = shape;
    still.density = 500;
    still.pose.linear() = rotation_between(state.up, Vec3::UnitZ());
    still.pose.translation()[2] = -state.level;
    for (const double drag : {0.0, 1.0}) {
      Environment environment = fresh_water();
      environment.drag = {0, drag, drag};
      World world = made(environment, {still});
      const Pose start = test::body(world, 0).pose;
      const int steps = test::campaign(100'000);
      for (int step = 0; step < steps; ++step) REQUIRE(world.step(0.005));
      CHECK((test::body(world, 0).pose.matrix() - start.matrix()).cwiseAbs().maxCoeff() <= 1e-9);
    }
  }
}

// Dropped from its own size above the water and turned at random, with the usual drag. Leapfrog
// lets the energy of a solid oscillate by a few per cent of what it has; a mesh that bounds no
// solid has no energy, but forces no larger than its volume's, and so no speed beyond that of a
// fall.
TEST_CASE("no mesh blows up in steps of a thirtieth of a second") {
  if (!test::has_shared_data()) return;
  Random random(5);
  const double h = 1.0 / 30;
  int tried = 0;
  const int steps = test::campaign(900);
  const std::uintmax_t largest = test::kAddressSanitizer ? 20'000 : 200'000;
  for (const char* folder : {"meshes", "defects", "wild", "formats"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(test::shared_data() / folder)) {
      if (!entry.is_regular_file() || !test::holds_plain_mesh(entry.path().string())) continue;
      if (!test::is_full_run() && (entry.file_size() > largest || random.below(3) > 0)) continue;
      const Result<MeshFile> file = read_mesh(entry.path());
      if (!file) continue;
      RigidBody body;
      const TriangleMesh mesh = weld(test::checked(file->mesh));
      const bool is_solid = is_sound(examine(test::checked(mesh)).status);
      body.shape = solid(mesh);
      const Box3 box = bounding_box(body.shape);
      const double size = box.diagonal().norm();
      body.density = random.uniform(50, 1500);
      const Vec4 turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                      random.uniform(-1, 1));
      body.pose.linear() = Eigen::Quaterniond(turn.normalized()).toRotationMatrix();
      body.pose.translation() = Vec3(0, 0, size) - body.pose.linear() * box.center();
      Result<World> world = World::create({}, {&body, 1});
      if (!world) {
        CHECK_MESSAGE(!is_solid, entry.path(), " ", world.error().message);
        continue;
      }
      CAPTURE(entry.path());
      ++tried;
      const double weight = test::mass(*world, 0).mass * 9.80665;
      const double at_first = world->energy().total();
      Vec3 center = test::body(*world, 0).center_of_mass;
      Result<void> done;
      for (int step = 0; step < steps && done; ++step) {
        done = world->step(h);
        const double energy = world->energy().total();
        if (is_solid) REQUIRE(energy <= at_first + 0.05 * weight * size);
        const double fall = 9.80665 * h * (step + 1);
        const Vec3 moved = test::body(*world, 0).center_of_mass - center;
        center = test::body(*world, 0).center_of_mass;
        REQUIRE(moved.norm() <=
                20 * h * (fall * (1 + 1000 / body.density) + std::sqrt(9.80665 * size)));
      }
      const bool is_too_fast =
          world->substeps(test::id(*world, 0), h) > 10'000;  // a body of 1e-18 m
      CHECK(done.has_value() != is_too_fast);
    }
  CHECK(tried >= (test::is_full_run() ? 60 : 10));
}

TEST_CASE("what cannot move is refused by its place") {
  const auto refusal = [](const Environment& environment, RigidBody body) {
    Result<World> world = World::create(environment, {&body, 1});
    REQUIRE(!world);
    return world.error().where;
  };
  RigidBody box;
  box.shape = {BoxSolid{{1, 1, 1}}};
  RigidBody bad = box;
  bad.density = -1;
  CHECK(refusal({}, bad) == "bodies[0].density");
  bad = box;
  bad.velocity[1] = NAN;
  CHECK(refusal({}, bad) == "bodies[0].velocity");
  bad = box;
  bad.pose.linear()(0, 1) = 0.5;
  CHECK(refusal({}, bad) == "bodies[0].pose");
  TriangleMesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  flat.triangles = {{0, 1, 2}, {0, 2, 1}};
  bad = box;
  bad.shape = solid(flat);
  CHECK(refusal({}, bad) == "bodies[0].shape");
  Environment environment;
  environment.drag.quadratic = -1;
  CHECK(refusal(environment, box) == "drag.quadratic");
  environment = {};
  environment.surface = Waves{0, {{1, 0, 0, 0}}};
  CHECK(refusal(environment, box) == "fluid.surface.components[0]");
  environment.surface = Waves{0, {{1, 1e-3, 0, 0}}};
  CHECK(refusal(environment, box) == "bodies[0]");
}

TEST_CASE("a step that cannot be followed is refused, and the world stays as it was") {
  RigidBody dust;
  dust.name = "dust";
  dust.shape = {BoxSolid{Vec3::Constant(1e-12)}};
  World world = made({}, {dust});
  const std::uint64_t hash = world.state_hash();
  const Result<void> done = world.step(1);
  REQUIRE(!done);
  CHECK(done.error().code == ErrorCode::kResourceLimit);
  CHECK(done.error().message.find("dust") != std::string::npos);
  CHECK(world.state_hash() == hash);
}

}  // namespace plimsoll
