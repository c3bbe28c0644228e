// Bodies of a world that come and go, are pushed and placed from outside, or move as they are told.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/world.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/approx.h"
#include "support/sanitizers.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

constexpr double kGravity = 9.80665;
constexpr double kStep = 0.005;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RigidBody box(const std::string& name, const Vec3& at) {
  RigidBody body;
  body.name = name;
  body.shape = {BoxSolid{{0.6, 0.4, 0.3}}};
  body.pose.translation() = at;
  return body;
}

RigidBody bumpy(const std::string& name, const Vec3& at) {
  static const auto mesh =
      std::make_shared<const TriangleMesh>(make_bumpy_sphere(0.3, 0.4, 10, 14));
  RigidBody body = box(name, at);
  body.shape = {MeshSolid{mesh}};
  return body;
}

Environment air() {
  Environment environment;
  environment.fluid_density = 0;
  return environment;
}

void run(World& world, int steps) {
  for (int step = 0; step < steps; ++step) REQUIRE(world.step(kStep));
}

/// What became of it: "done", or the code of the error.
std::string code_of(const Result<void>& done) {
  return done ? "done" : to_string(done.error().code);
}

}  // namespace

TEST_CASE("bodies are found by their names, in the order of their ids") {
  World world = made({}, {box("a", {0, 0, 0}), box("b", {2, 0, 0}), box("a", {4, 0, 0})});
  const std::vector<BodyId> ids = world.ids();
  REQUIRE(ids.size() == 3);
  CHECK((ids[0] < ids[1] && ids[1] < ids[2]));
  CHECK(world.find("a") == ids[0]);
  CHECK(world.find("b") == ids[1]);
  CHECK(!world.find("c"));
  CHECK(world.name(ids[2]) == "a");
  REQUIRE(world.remove(ids[0]));
  CHECK(world.find("a") == ids[2]);
}

TEST_CASE("an id that names no body gets an error or nothing, and never a crash") {
  World world = made({}, {box("a", {0, 0, 0}), box("b", {2, 0, 0})});
  const BodyId gone = *world.find("b");
  REQUIRE(world.remove(gone));
  const BodyId later = *world.add(box("c", {2, 0, 0}));
  CHECK(later.index == gone.index);  // the place is taken again, the id is not
  CHECK(later != gone);
  const std::uint64_t hash = world.state_hash();
  for (const BodyId none :
       {BodyId{}, gone, BodyId{7, 1}, BodyId{0, 0}, BodyId{0, 9}, BodyId{0xFFFFFFFF, 0xFFFFFFFF}}) {
    CHECK(!world.body(none));
    CHECK(!world.name(none));
    CHECK(!world.mass(none));
    CHECK(!world.shape(none));
    CHECK(!world.is_kinematic(none));
    CHECK(world.substeps(none, 1) == 0);
    for (const Result<void>& done :
         {world.remove(none), world.set_density(none, 1), world.push(none, {0, 0, 1}, {0, 0, 0}),
          world.set_force(none, {0, 0, 1}, {0, 0, 0}),
          world.set_state(none, Pose::Identity(), {0, 0, 0}, {0, 0, 0})})
      CHECK(code_of(done) == "invalid_argument");
  }
  CHECK(world.state_hash() == hash);
  CHECK(world.body_count() == 2);
}

// Bodies do not feel each other: those that stay move as in a world without the others.
TEST_CASE("bodies that come and go leave the others as they are") {
  for (const bool is_wavy : {false, true}) {
    Environment environment;
    if (is_wavy) environment.surface = Waves{0, {{0.1, 2, 30, 0}}};
    World alone = made(environment, {bumpy("a", {0, 0, 0.3})});
    World world = made(environment, {bumpy("a", {0, 0, 0.3}), box("b", {3, 0, 1})});
    run(alone, 20);
    run(world, 20);
    const BodyId added = *world.add(bumpy("c", {6, 0, 1}));
    REQUIRE(world.remove(*world.find("b")));
    run(alone, 20);
    run(world, 20);
    REQUIRE(world.remove(added));
    run(alone, 20);
    run(world, 20);
    CHECK(world.body_count() == 1);
    // On waves all bodies take as many parts of a step as the fastest.
    const double far = is_wavy ? 1e-3 : 0;
    const Vec3 apart = test::body(world, 0).center_of_mass - test::body(alone, 0).center_of_mass;
    CHECK(apart.norm() <= far);
    if (!is_wavy) CHECK(world.state_hash() == alone.state_hash());
  }
}

// On waves the surface is found once for a moment and all bodies. Times and forces are rounded.
TEST_CASE("on waves a body takes as many parts of a step as the fastest, at their times") {
  constexpr double kLong = 1.0 / 64;
  Environment environment;
  environment.surface = Waves{0, {{0.1, 2, 30, 0}}};
  RigidBody spinner = box("spinner", {9, 0, 500});
  spinner.shape = {Sphere{0.1}};
  spinner.angular_velocity = {0, 0, 500};
  World world = made(environment, {spinner, bumpy("a", {0, 0, 0.3})});
  World alone = made(environment, {bumpy("a", {0, 0, 0.3})});
  const double parts = world.substeps(*world.find("spinner"), kLong);
  CHECK(parts == 16);
  CHECK(alone.substeps(*alone.find("a"), kLong) < 16);
  for (int step = 0; step < (test::kAddressSanitizer ? 5 : 30); ++step) {
    REQUIRE(world.step(kLong));
    for (int k = 0; k < 16; ++k) REQUIRE(alone.step(kLong / 16));
  }
  const BodyState there = *world.body(*world.find("a")), here = test::body(alone, 0);
  CHECK((there.center_of_mass - here.center_of_mass).norm() <= 1e-12);
  CHECK((there.velocity - here.velocity).norm() <= 1e-11);
}

TEST_CASE("a body that is refused leaves the world as it was") {
  World world = made({}, {box("a", {0, 0, 0})});
  const std::uint64_t hash = world.state_hash();
  const auto where = [&](const RigidBody& body) {
    const Result<BodyId> id = world.add(body);
    return id ? "" : id.error().where;
  };
  RigidBody bad = box("b", {0, 0, 0});
  bad.density = -1;
  CHECK(where(bad) == "density");
  bad = box("b", {0, 0, 0});
  bad.velocity[1] = kNan;
  CHECK(where(bad) == "velocity");
  bad = box("b", {kNan, 0, 0});
  CHECK(where(bad) == "pose");
  bad = box("b", {0, 0, 0});
  bad.shape = {Sphere{0}};
  CHECK(where(bad) == "shape.radius");
  CHECK(world.state_hash() == hash);
  CHECK(world.body_count() == 1);
  const BodyId id = *world.add(box("b", {1, 0, 0}));
  CHECK((id.index == 1 && id.generation == 1));
}

// On waves a primitive is asked as triangles, which equal ones share.
TEST_CASE("a drum moves on waves as it does beside others") {
  Environment sea;
  sea.surface = Waves{.components = {{.amplitude = 0.2, .wavelength = 6}}};
  RigidBody drum = box("a", {0, 0, 0}), twin = box("b", {20, 0, 0}), taller = box("c", {40, 0, 0});
  drum.shape = twin.shape = {Cylinder{0.3, 0.5}};
  taller.shape = {Cylinder{0.3, 0.8}};
  World alone = made(sea, {drum}), other = made(sea, {taller});
  World among = made(sea, {twin, taller, drum});
  for (World* world : {&alone, &other, &among}) run(*world, 100);
  CHECK(test::body(among, 2).pose.matrix() == test::body(alone, 0).pose.matrix());
  CHECK(test::body(among, 1).pose.matrix() == test::body(other, 0).pose.matrix());
}

// Mass and inertia are those of a body made of that density, bit for bit where that is in range.
TEST_CASE("a density does not depend on those before") {
  for (const double first : {500.0, 1e-307, 1e300}) {
    World world = made(air(), {box("a", {0, 0, 0}), bumpy("b", {2, 0, 0})});
    for (const BodyId id : world.ids()) REQUIRE(world.set_density(id, first));
    for (const double density : {1e-308, 7.5, 1e290, 1e-300, 500.0}) {
      RigidBody heavy = box("a", {0, 0, 0}), bumps = bumpy("b", {2, 0, 0});
      heavy.density = bumps.density = density;
      const World fresh = made(air(), {heavy, bumps});
      for (std::size_t i = 0; i < 2; ++i) {
        REQUIRE(world.set_density(test::id(world, i), density));
        const MassProperties now = test::mass(world, i), then = test::mass(fresh, i);
        CHECK(now.density == density);
        const double rounding = density < 1e-290 ? 1e-13 : 4 * 0x1p-53;
        CHECK(std::fabs(now.mass - then.mass) <= rounding * then.mass);
        CHECK((now.inertia - then.inertia).norm() <= rounding * then.inertia.norm());
      }
    }
  }
}

TEST_CASE("a body of a given mass may be made lighter and heavier again") {
  RigidBody ship = box("a", {0, 0, 0});
  ship.mass = GivenMass{.mass = 36, .inertia = Mat3(Vec3(2, 3, 4).asDiagonal())};
  World world = made(air(), {ship});
  const BodyId id = test::id(world, 0);
  const double density = test::mass(world, 0).density;
  for (const double other : {1e-308, 1e300, density}) REQUIRE(world.set_density(id, other));
  CHECK(std::fabs(test::mass(world, 0).mass - 36) <= 36 * 0x1p-51);
  CHECK((test::mass(world, 0).inertia - *ship.mass->inertia).norm() <= 0x1p-49);
}

TEST_CASE("a step that is no step is refused, and the world stays as it was") {
  World world = made({}, {box("a", {0, 0, 0.5})});
  const std::uint64_t hash = world.state_hash();
  for (const double h : {-1.0, 0.0, -0.0, kNan, std::numeric_limits<double>::infinity()}) {
    CHECK(code_of(world.step(h)) == "invalid_argument");
    CHECK(world.state_hash() == hash);
  }
}

// It is 1e300 m/s fast after a step, and then beyond all numbers.
TEST_CASE("a body whose numbers overflow is named, and the world goes on without it") {
  World world = made({}, {box("calm", {0, 0, 0.1}), box("mad", {3, 0, 0})});
  World calm = made({}, {box("calm", {0, 0, 0.1})});
  const BodyId mad = *world.find("mad");
  REQUIRE(world.set_force(mad, {1e308, 1e308, 0}, {0, 0, 0}));
  Result<void> done;
  int steps = 0;
  while (done && steps < 1000) {
    done = world.step(kStep);
    if (done) {
      ++steps;
      REQUIRE(calm.step(kStep));
    }
  }
  REQUIRE(!done);
  CHECK(done.error().code == ErrorCode::kResourceLimit);
  CHECK(done.error().message.find("\"mad\"") != std::string::npos);
  CHECK(done.error().where == "bodies[1]");
  CHECK(test::body(world, 0).pose.matrix() == test::body(calm, 0).pose.matrix());
  REQUIRE(world.remove(mad));
  run(world, 50);
  run(calm, 50);
  CHECK(world.state_hash() == calm.state_hash());
}

TEST_CASE("a body is put elsewhere, and is there and moves as said") {
  World world = made({}, {bumpy("a", {0, 0, 0})});
  const BodyId id = *world.find("a");
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  pose.translation() = Vec3(5, -3, 0.05);
  REQUIRE(world.set_state(id, pose, {1, 2, 3}, {0.4, -0.5, 0.6}));
  const BodyState state = *world.body(id);
  // The turn goes through a quaternion: a few roundings.
  CHECK((state.pose.matrix() - pose.matrix()).cwiseAbs().maxCoeff() <= 8 * 0x1p-53 * 5);
  CHECK((state.velocity - Vec3(1, 2, 3)).norm() <= 1e-15);
  CHECK((state.angular_velocity - Vec3(0.4, -0.5, 0.6)).norm() <= 1e-15);
  // A world that begins there has the same buoyancy, but for those roundings.
  RigidBody there = bumpy("a", {0, 0, 0});
  there.pose = Similarity(pose);
  const World other = made({}, {there});
  CHECK(std::fabs(state.buoyancy.volume - test::body(other, 0).buoyancy.volume) <= 1e-14);

  const std::uint64_t hash = world.state_hash();
  Pose bad = pose;
  bad.translation()[0] = kNan;
  CHECK(!world.set_state(id, bad, {0, 0, 0}, {0, 0, 0}));
  bad = pose;
  bad.linear() *= 2;
  CHECK(!world.set_state(id, bad, {0, 0, 0}, {0, 0, 0}));
  bad = pose;
  bad.linear().col(0) = -bad.linear().col(0);
  CHECK(!world.set_state(id, bad, {0, 0, 0}, {0, 0, 0}));
  bad = pose;
  bad(3, 0) = 1;
  CHECK(!world.set_state(id, bad, {0, 0, 0}, {0, 0, 0}));
  CHECK(!world.set_state(id, pose, {kNan, 0, 0}, {0, 0, 0}));
  CHECK(!world.set_state(id, pose, {0, 0, 0}, {0, kNan, 0}));
  CHECK(!world.push(id, {kNan, 0, 0}, {0, 0, 0}));
  CHECK(!world.set_force(id, {kNan, 0, 0}, {0, 0, 0}));
  CHECK(world.state_hash() == hash);
}

// Force and weight are constant, so that the leapfrog is exact: x = F t^2 / 2 m, and the work is
// what the energy grows by. A hundred steps round.
TEST_CASE("a force that pushes on moves a body by its share, and its work is counted") {
  World world = made(air(), {box("a", {0, 0, 10})});
  const BodyId id = *world.find("a");
  const double mass = world.mass(id)->mass;
  const double start = world.energy().total();
  const Vec3 force(3, -2, 40);
  REQUIRE(world.set_force(id, force, {0, 0, 0}));
  run(world, 100);
  const double t = world.time();
  const Vec3 moved = test::body(world, 0).center_of_mass - Vec3(0, 0, 10);
  const Vec3 expected = t * t / 2 * (force / mass - Vec3(0, 0, kGravity));
  CHECK((moved - expected).norm() <= 100 * 4 * 0x1p-53 * 10);
  CHECK(std::fabs(world.work() - force.dot(moved)) <= 1e-12 * std::fabs(world.work()));
  CHECK(std::fabs(world.energy().total() - start - world.work()) <= 1e-12 * start);
  REQUIRE(world.set_force(id, {0, 0, 0}, {0, 0, 0}));
  const double before = world.work();
  run(world, 10);
  CHECK(world.work() == before);
}

// About a principal axis w = T t / I, and the work is T^2 t^2 / 2 I; an angle of T t^2 / 2 I.
TEST_CASE("a torque that pushes on turns a body by its share") {
  Environment weightless = air();
  weightless.gravity = 0;
  World world = made(weightless, {box("a", {0, 0, 0})});
  const BodyId id = *world.find("a");
  const double moment = world.mass(id)->inertia(2, 2);
  REQUIRE(world.set_force(id, {0, 0, 0}, {0, 0, 0.1}));
  run(world, 200);
  const double t = world.time();
  CHECK(std::fabs(world.body(id)->angular_velocity[2] - 0.1 * t / moment) <= 1e-13);
  CHECK(std::fabs(world.work() - 0.01 * t * t / (2 * moment)) <= 1e-14);
  const Mat3 turn = Eigen::AngleAxisd(0.1 * t * t / (2 * moment), Vec3::UnitZ()).matrix();
  CHECK((world.body(id)->pose.linear() - turn).cwiseAbs().maxCoeff() <= 1e-13);
}

// With drag, on still water, the energy is E0 + work - dissipated but for the oscillation of the
// leapfrog, (omega h)^2 / 4 of the energies that go to and fro: omega h = 0.04, 4e-4 of them, and
// what the splitting of drag leaves, of second order too.
TEST_CASE("the energy of a body pulled through water is what was put in less what drag took") {
  World world = made({}, {box("tug", {0, 0, 0})});
  run(world, 400);  // comes to rest
  const double start = world.energy().total() + world.dissipated();
  REQUIRE(world.set_force(*world.find("tug"), {20, 0, 0}, {0, 0, 0}));
  run(world, 2000);
  CHECK(world.work() > 50);
  CHECK(std::fabs(world.energy().total() + world.dissipated() - world.work() - start) <=
        1e-3 * world.work());
}

TEST_CASE("what was taken from a body that goes, and given to it, stays counted") {
  World world = made({}, {box("a", {0, 0, 0.2}), box("b", {3, 0, 0.1})});
  REQUIRE(world.push(*world.find("a"), {5, 0, 0}, {0, 0, 0.2}));
  run(world, 50);
  const double dissipated = world.dissipated(), work = world.work();
  REQUIRE(work > 0);
  REQUIRE(world.remove(*world.find("a")));
  CHECK(std::fabs(world.dissipated() - dissipated) <= 1e-14 * dissipated);
  CHECK(world.work() == work);
}

TEST_CASE("an impulse gives its energy as work") {
  World world = made(air(), {box("a", {0, 0, 5})});
  const double start = world.energy().total();
  REQUIRE(world.push(*world.find("a"), {1, 2, 3}, {0.1, 0.2, 5.1}));
  CHECK(std::fabs(world.energy().total() - start - world.work()) <= 1e-13 * start);
  CHECK(world.work() > 0);
}

// A rotation by w t about the origin, which goes along its line; a turn rounds 200 times.
TEST_CASE("a kinematic body moves as it was told, whatever pushes it") {
  RigidBody paddle = bumpy("paddle", {0, 0, 0});
  paddle.is_kinematic = true;
  paddle.velocity = {0.5, 0, 0.1};
  paddle.angular_velocity = {0.2, 0.3, -2};
  World world = made({}, {paddle});
  const BodyId id = *world.find("paddle");
  CHECK(world.is_kinematic(id));
  REQUIRE(world.push(id, {100, 0, 0}, {0, 0, 0}));
  REQUIRE(world.set_force(id, {1e6, 0, 0}, {0, 0, 1e6}));
  const double wet = world.body(id)->buoyancy.volume;
  run(world, 200);
  const BodyState state = *world.body(id);
  CHECK((state.pose.translation() - paddle.velocity).norm() <= 200 * 4 * 0x1p-53);
  const double rate = paddle.angular_velocity.norm();
  const Mat3 turn = Eigen::AngleAxisd(rate, paddle.angular_velocity / rate).matrix();
  CHECK((state.pose.linear() - turn).cwiseAbs().maxCoeff() <= 200 * 8 * 0x1p-53);
  CHECK(state.velocity == paddle.velocity);
  CHECK(state.angular_velocity == paddle.angular_velocity);
  CHECK(state.buoyancy.volume < wet);  // it rises out of the water
  CHECK(world.energy().total() == 0);
  CHECK(world.work() == 0);
  REQUIRE(world.set_state(id, Pose::Identity(), {0, 0, 0}, {0, 0, 0}));
  const Pose still = world.body(id)->pose;
  run(world, 1);
  CHECK(world.body(id)->pose.matrix() == still.matrix());
}

TEST_CASE("a kinematic body that is told to go beyond all numbers is named") {
  RigidBody mad = box("mad", {0, 0, 0});
  mad.is_kinematic = true;
  mad.velocity = {1e308, 0, 0};
  World world = made({}, {mad});
  const Result<void> done = world.step(1e10);
  REQUIRE(!done);
  CHECK(done.error().message.find("\"mad\"") != std::string::npos);
  CHECK(world.time() == 0);
}

// Waves of 2 s pass the same place a period later.
TEST_CASE("a world that begins later has the waves of later") {
  const double period = 2, length = kGravity * period * period / (2 * std::numbers::pi);
  Environment environment;
  environment.surface = Waves{0, {{0.2, length, 0, 0.3}}};
  const std::vector<RigidBody> bodies{box("a", {0, 0, 0})};
  const auto begun = [&](double time) {
    Result<World> world = World::create(environment, bodies, {}, time);
    REQUIRE(world);
    return *std::move(world);
  };
  CHECK(begun(3).time() == 3);
  const double now = test::body(begun(0), 0).buoyancy.volume;
  CHECK(std::fabs(test::body(begun(2), 0).buoyancy.volume - now) <= 1e-12);
  CHECK(std::fabs(test::body(begun(1), 0).buoyancy.volume - now) > 1e-3);
  CHECK(!World::create(environment, bodies, {}, kNan));
}

TEST_CASE("another engine takes over where the one before was, and a refused one does not") {
  World world = made({}, {bumpy("a", {0, 0, 0.1}), box("b", {2, 0, 0})});
  run(world, 20);
  const std::uint64_t hash = world.state_hash();
  const double exact = test::body(world, 0).buoyancy.volume;
  CHECK(!world.set_engine(image_buoyancy({.width = 0, .height = 32})));
  CHECK(test::body(world, 0).buoyancy.volume == exact);
  REQUIRE(world.set_engine(image_buoyancy({.width = 64, .height = 64})));
  CHECK(world.state_hash() == hash);
  const double image = test::body(world, 0).buoyancy.volume;
  CHECK(image != exact);
  CHECK(std::fabs(image - exact) <= 1e-2 * test::mass(world, 0).volume);  // 64 x 64 pixels
  run(world, 20);
}

TEST_CASE(
    "an engine that a world was refused with holds no bodies, nor does one that was replaced") {
  const std::shared_ptr<BuoyancyEngine> engine = exact_buoyancy();
  std::vector<RigidBody> bodies{box("a", {0, 0, 0}), box("b", {2, 0, 0})};
  Environment upward;
  upward.gravity = -1;
  CHECK(!World::create(upward, bodies, engine));
  CHECK(!World::create({}, bodies, engine, kNan));
  bodies[1].density = kNan;
  CHECK(!World::create({}, bodies, engine));
  bodies[1] = box("formula", {2, 0, 0});
  bodies[1].shape = {
      ImplicitSolid{*Expression::parse("x^2+y^2+z^2-0.1"), Box3(Vec3(-1, -1, -1), Vec3(1, 1, 1))}};
  const Result<World> unavailable = World::create({}, bodies, engine);
  REQUIRE(!unavailable);
  CHECK(unavailable.error().code == ErrorCode::kUnavailable);
  CHECK(unavailable.error().where.starts_with("bodies[1]"));
  bodies[1] = box("b", {2, 0, 0});
  Result<World> world = World::create({}, bodies, engine);
  REQUIRE(world);
  run(*world, 3);
  const std::uint64_t hash = world->state_hash();
  CHECK(!world->set_engine(engine));  // it has these bodies
  REQUIRE(world->set_engine(image_buoyancy({.width = 64, .height = 64})));
  REQUIRE(world->set_engine(engine));
  CHECK(world->state_hash() == hash);
}

TEST_CASE(
    "a pose with some digits is mended alike in a new world and in one that a body is added to") {
  RigidBody body = bumpy("a", {0.1, 0.2, 0.05});
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  body.pose.linear() = 1.5 * turn.unaryExpr([](double x) { return std::round(x * 1e5) / 1e5; });
  World begun = made({}, {body}), added = *World::create({});
  REQUIRE(added.add(body));
  CHECK(test::body(begun, 0).buoyancy.volume == test::body(added, 0).buoyancy.volume);
  run(begun, 10);
  run(added, 10);
  CHECK(begun.state_hash() == added.state_hash());
}

// KG of 0.25 m: G is 0.05 above the middle of the hull, 0.2 above its keel. Upright it draws 0.1,
// BM = b^2 / 12 T = 0.3, KB = 0.05, GM = 0.1. The inertia is that of the hull evenly filled, of
// gyration b / sqrt 12 about the roll axis but for its depth; the period is 2 pi k / sqrt(g GM) to
// the second order of 0.01 rad. Added mass and drag are off.
TEST_CASE("a ship with its own KG rolls with the period of its GM") {
  const double beam = 0.6, depth = 0.4, draught = 0.1, kg = 0.25;
  RigidBody ship = box("ship", {0, 0, depth / 2 - draught});
  ship.shape = {BoxSolid{{2, beam, depth}}};
  ship.mass = GivenMass{.mass = kSeawaterDensity * 2 * beam * draught,
                        .center_of_mass = Vec3(0, 0, kg - depth / 2)};
  ship.pose.linear() = Eigen::AngleAxisd(0.01, Vec3::UnitX()).matrix();
  Environment environment;
  environment.drag = {0, 0, 0};
  World world = made(environment, {ship});
  const double gm = draught / 2 + beam * beam / (12 * draught) - kg;
  const double gyration = std::sqrt((beam * beam + depth * depth) / 12);
  const double period = 2 * std::numbers::pi * gyration / std::sqrt(kGravity * gm);
  double before = 0, first = 0, last = 0;
  for (int count = -1; count < 10;) {
    REQUIRE(world.step(kStep));
    const double now = test::body(world, 0).angular_velocity[0];
    if (before < 0 && now >= 0) {
      last = world.time() - kStep * now / (now - before);
      if (count++ < 0) first = last;
    }
    before = now;
  }
  CHECK(std::fabs((last - first) / 10 / period - 1) <= 2e-3);
}

TEST_CASE("an engine takes a number once, and answers where there are places") {
  const std::array engines{exact_buoyancy(), image_buoyancy()};
  for (const auto& engine : engines) {
    const Shape shape{BoxSolid{{1, 1, 1}}};
    REQUIRE(engine->add(0, shape));
    CHECK(code_of(engine->add(0, shape)) == "invalid_argument");
    CHECK(code_of(engine->add(4'000'000'000U, shape)) == "resource_limit");
    const SurfaceNow water = *FreeSurface().at(0, kGravity);
    const BuoyancyQuery query{0, Pose::Identity()};
    std::vector<Buoyancy> answers(1);
    CHECK(code_of(engine->answer({&query, 1}, water, {})) == "invalid_argument");
    CHECK(!World::create({}, std::vector<RigidBody>{box("a", {0, 0, 0})}, engine));
    // What another kind of engine remembers is left alone.
    const auto other = engine == engines[0] ? engines[1] : engines[0];
    engine->restore(*other->save());
    CHECK(engine->answer({&query, 1}, water, answers));
    CHECK(answers[0].volume == test::approx(0.5));
    // Sheared, stretched, mirrored, nowhere.
    for (const auto& [row, column, value] :
         {std::tuple{0, 1, 0.5}, {0, 0, 2.0}, {2, 2, -1.0}, {0, 3, std::nan("")}}) {
      BuoyancyQuery wrong = query;
      wrong.world_from_body(row, column) = value;
      CHECK(code_of(engine->answer({&wrong, 1}, water, answers)) == "invalid_argument");
    }
  }
}

TEST_CASE("a push beyond numbers is an error, and the body as before") {
  World world = made(air(), {box("a", {0, 0, 0})});
  const BodyId a = *world.find("a");
  CHECK(!world.push(a, {0, 0, 1e308}, {1e308, 0, 0}));
  CHECK(world.body(a)->velocity.norm() == 0);
  CHECK(world.step(kStep));
}

namespace {

struct Resisting final : ForceModel {
  Resistance resistance;
  Result<void> resist(const WorldNow&, std::span<std::optional<Resistance>> all) override {
    for (auto& one : all) one = resistance;
    return {};
  }
};

}  // namespace

TEST_CASE("a resistance that would drive, or is no number, ends the step and names the body") {
  for (int i = 0; i < 3; ++i) {
    const auto model = std::make_shared<Resisting>();
    if (i == 0) model->resistance.linear = -500;
    if (i == 1) model->resistance.center[1] = kNan;
    if (i == 2) model->resistance.angular = kNan;
    World world = made(air(), {box("raft", {0, 0, 0})});
    world.add_force(model);
    const Result<void> done = world.step(kStep);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ErrorCode::kInvalidArgument);
    CHECK(done.error().message.find("raft") != std::string::npos);
    CHECK(world.time() == 0);
  }
}

}  // namespace plimsoll
