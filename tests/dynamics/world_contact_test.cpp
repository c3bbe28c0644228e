// Bodies of a World that meet, judged by conservation laws and textbook mechanics. What two bodies
// do to each other is tested in tests/contact.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/approx.h"
#include "support/campaign.h"
#include "support/meeting_bodies.h"
#include "support/sanitizers.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::air;
using test::body;
using test::book;
using test::box;
using test::floor_body;
using test::id;
using test::kLong;
using test::made;
using test::meeting;
using test::run;
using test::tilted;

// Forces of flat faces are right to rounding; what is left is the leapfrog's, at each impact up to
// 1e-4 of the energy.
TEST_CASE("a cube that is not damped comes back with its energy, flat or on edges and corners" *
          kLong) {
  for (const auto& [angle, axis] : {std::pair(0.0, Vec3(0, 1, 0)), std::pair(0.1, Vec3(0, 1, 0)),
                                    std::pair(0.785, Vec3(0, 1, 0)), std::pair(0.4, Vec3(1, 1, 0)),
                                    std::pair(1.0, Vec3(1, 0.3, -0.2))}) {
    CAPTURE(angle);
    World world =
        meeting(air(), {tilted(box("cube", {1, 1, 1}, {0, 0, 1.3}), angle, axis), floor_body()},
                {std::nullopt, 0, 0});
    const double before = world.energy().total();
    int met = 0;
    for (int i = 0; i < 300; ++i) {
      run(world, 1);
      if (!world.contacts().empty())
        ++met;
      else
        CHECK(std::fabs(world.energy().total() - before) < 5e-4 * before);
    }
    CHECK(met > 2);
  }
}

TEST_CASE("with damping and friction the book of energy closes") {
  for (const double damping : {0.1, 0.5})
    for (const double friction : {0.0, 0.4}) {
      World world = meeting(
          air(), {tilted(box("cube", {1, 0.7, 0.4}, {0, 0, 1.1}), 0.3, {1, 2, 0}), floor_body()},
          {std::nullopt, damping, friction});
      const double before = book(world);
      run(world, test::kThreadSanitizer ? 100 : test::campaign(5000));
      CHECK(world.dissipated() > 0);
      CHECK(std::fabs(book(world) - before) < 5e-4 * before);  // after four impacts or so
    }
}

// Beside a drift across their approach, the energy of a hit is too little for an impact: then each
// body's mass alone says how short its parts have to be.
TEST_CASE("bodies in space keep their momenta to rounding, whatever their sizes and drift") {
  for (const auto& [size, drift] :
       {std::pair(0.9, 0.0), std::pair(2.0, 0.0), std::pair(2.0, 50.0)}) {
    CAPTURE(size);
    CAPTURE(drift);
    RigidBody a = box("a", {0.7, 0.7, 0.7}, {-1, 0.1, 0.05}, 700);
    a.velocity = Vec3(1.5, 0, drift);
    a.angular_velocity = Vec3(0.3, -0.2, 0.5);
    RigidBody b =
        tilted(box("b", {size, size, size}, {0.2 + size, -0.1, -0.05}, 400), 0.4, {0, 1, 0});
    b.velocity = Vec3(-1, 0.1, drift);
    World world = meeting(air(0), {a, b}, {std::nullopt, 0.2, 0.3});
    const auto momenta = [&] {
      Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
      for (std::size_t i = 0; i < 2; ++i) {
        const BodyState now = body(world, i);
        const MassProperties mass = test::mass(world, i);
        const Vec3 velocity =
            now.velocity + now.angular_velocity.cross(now.center_of_mass - now.pose.translation());
        linear += mass.mass * velocity;
        const Mat3 inertia = now.pose.linear() * mass.inertia * now.pose.linear().transpose();
        angular += mass.mass * now.center_of_mass.cross(velocity) + inertia * now.angular_velocity;
      }
      return std::pair(linear, angular);
    };
    const auto [linear, angular] = momenta();
    const double start = book(world);
    bool met = false;
    for (int i = 0; i < 400 && !(met && world.contacts().empty()); ++i) {
      run(world, 1);
      met = met || !world.contacts().empty();
    }
    CHECK(met);
    CHECK(world.contacts().empty());
    CHECK((momenta().first - linear).norm() < 1e-12 * linear.norm());
    CHECK((momenta().second - angular).norm() < 1e-11 * linear.norm());
    CHECK(std::fabs(book(world) - start) < 5e-4 * start);
    CHECK(body(world, 0).velocity.x() < 1);
  }
}

// Rounding decides otherwise which parts are cut: some 1e-10 of the sizes, which turning on grows.
TEST_CASE("which of two bodies is listed first does not matter" * kLong) {
  RigidBody a = box("a", {0.7, 0.7, 0.7}, {-1, 0.1, 0.05}, 700);
  a.velocity = Vec3(1.5, 0, 0);
  a.angular_velocity = Vec3(0.3, -0.2, 0.5);
  RigidBody b = tilted(box("b", {0.9, 0.9, 0.9}, {1, -0.1, -0.05}, 400), 0.4, {0, 1, 0});
  b.velocity = Vec3(-1, 0.1, 0);
  World one = meeting(air(0), {a, b}, {std::nullopt, 0.2, 0.3});
  World other = meeting(air(0), {b, a}, {std::nullopt, 0.2, 0.3});
  run(one, 300);
  run(other, 300);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK((body(one, i).pose.matrix() - body(other, 1 - i).pose.matrix()).norm() < 1e-6);
}

// Pushed aside by F, at the height of its patches so that it does not lean, the cube goes by
// F / (K a^2): the springs of friction hold half of F times that, and the other half was taken from
// its swings about there. Sides that are pressed in by a twentieth of their width hold as much
// more.
TEST_CASE("what friction's springs hold is energy, and was not dissipated" * kLong) {
  constexpr double kStiffness = 1e5, kForce = 1000, kDepth = 500 * 9.80665 / kStiffness;
  World world =
      meeting(air(), {floor_body(), box("cube", {1, 1, 1}, {0, 0, 0.45})}, {kStiffness, 0.5, 0.5});
  run(world, 400);
  const double before = book(world), taken = world.dissipated(), pressed = world.energy().contact;
  const Vec3 upright(0, -(0.5 - kDepth / 2) * kForce, 0);
  REQUIRE(world.set_force(id(world, 1), Vec3(kForce, 0, 0), upright));
  run(world, 600);
  const double held = kForce * kForce / kStiffness / 2;
  CHECK(world.work() == test::approx(2 * held).epsilon(0.1));
  CHECK(world.energy().contact - pressed == test::approx(held).epsilon(0.1));
  CHECK(world.dissipated() - taken == test::approx(held).epsilon(0.1));
  // The rest of its swings, and what a bed pressed in by a twentieth of its width leaves open.
  CHECK(std::fabs(book(world) - before) < held / 20);
}

TEST_CASE("a body at rest sinks in by a ten thousandth of its size, whatever it weighs" * kLong) {
  for (const double side : {0.01, 30.0})
    for (const double density : {30.0, 8000.0}) {
      World world = meeting(
          air(), {box("cube", Vec3::Constant(side), {0, 0, 0.5 * side}, density), floor_body()},
          {});
      const double h = 0.005 * std::sqrt(side);
      run(world, 150, h);
      const double sink = 0.5 * side - body(world, 0).pose.translation().z();
      // A width of that has sides that resist less; and side a ten thousandth part.
      CHECK(sink / side == test::approx(1e-4).epsilon(1e-3));
      CHECK(body(world, 0).velocity.norm() < 1e-8 * side / h);
      REQUIRE(world.contacts().size() == 1);
      const BodyContact contact = world.contacts()[0];
      CHECK(contact.a == id(world, 0));
      CHECK(contact.force.z() == test::approx(test::mass(world, 0).mass * 9.80665).epsilon(1e-6));
      CHECK((contact.center - body(world, 0).pose.translation()).head<2>().norm() < 1e-3 * side);
      CHECK(contact.depth == test::approx(sink).epsilon(1e-6));
    }
}

// Where the floor's spheres leave room, those of the cube go in: by no more than either sticks out.
TEST_CASE("a cube of spheres rests on a floor of spheres, as deep as packings leave room") {
  const std::size_t count = test::kAddressSanitizer ? 300 : 2000;
  const Vec3 sizes[] = {{0.7, 0.7, 0.7}, {1.5, 1.5, 0.4}};
  double room = 0;
  for (const Vec3& size : sizes) {
    const Result<SpherePacking> packing =
        pack_spheres(*ClosedMesh::from_triangles(make_box(size)), {.max_count = count});
    REQUIRE(packing);
    room += packing->largest_protrusion;
  }
  RigidBody floor = box("floor", sizes[1], {0.01, 0.02, -0.2});
  floor.is_kinematic = true;
  World world = meeting(air(), {box("cube", sizes[0], {0, 0, 0.36}), floor},
                        {std::nullopt, 0.5, 0.5, ContactMethod::kSpheres, count});
  const double before = book(world);
  run(world, 400);
  const BodyState cube = body(world, 0);
  const double sink = 0.35 - cube.pose.translation().z();
  CHECK(sink > 0);
  CHECK(sink < room);
  CHECK(cube.velocity.norm() < 1e-4);
  REQUIRE(world.contacts().size() == 1);
  CHECK(world.contacts()[0].force.z() ==
        test::approx(test::mass(world, 0).mass * 9.80665).epsilon(1e-3));
  CHECK(std::fabs(book(world) - before) < 1e-3 * before);
  CHECK(world.dissipated() > 0);
}

TEST_CASE(
    "bodies of spheres in space keep their momentum, and what is asked of packings is checked") {
  RigidBody a = box("a", {0.7, 0.7, 0.7}, {-0.6, 0.1, 0.05}, 700);
  a.velocity = Vec3(1.5, 0, 0);
  const RigidBody b = tilted(box("b", {0.9, 0.9, 0.9}, {0.6, -0.1, -0.05}, 400), 0.4, {0, 1, 0});
  const ContactLaw law{std::nullopt, 0, 0, ContactMethod::kSpheres, 300};
  World world = meeting(air(0), {a, b}, law);
  const auto momentum = [&] {
    return Vec3(test::mass(world, 0).mass * world.body(id(world, 0))->velocity +
                test::mass(world, 1).mass * world.body(id(world, 1))->velocity);
  };
  const Vec3 before = momentum();
  const double energy = world.energy().total();
  run(world, 150);
  CHECK(world.contacts().empty());
  CHECK(body(world, 0).velocity.x() < 1);
  CHECK((momentum() - before).norm() < 1e-12 * before.norm());
  CHECK(std::fabs(world.energy().total() - energy) < 1e-3 * energy);
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{2'000'000}}) {
    ContactLaw other = law;
    other.spheres = wrong;
    const Result<void> refused = world.set_contact(other);
    REQUIRE(!refused);
    CHECK(refused.error().where == "contact.spheres");
  }
}

TEST_CASE("a stack comes to rest and stays" * kLong) {
  const std::size_t count = test::is_full_run() ? 10 : 3;
  std::vector<RigidBody> bodies{floor_body()};
  for (std::size_t i = 0; i < count; ++i)
    bodies.push_back(
        box(std::to_string(i), {1, 1, 1}, {0, 0, 0.5 + 1.001 * static_cast<double>(i)}));
  World world = meeting(air(), bodies, {4.9e7, 0.5, 0.5});
  run(world, 400);
  std::vector<Vec3> at;
  for (std::size_t i = 1; i <= count; ++i) at.push_back(body(world, i).pose.translation());
  run(world, test::campaign(2000));
  for (std::size_t i = 1; i <= count; ++i) {
    CHECK((body(world, i).pose.translation() - at[i - 1]).norm() < 1e-6);
    CHECK(body(world, i).velocity.norm() < 1e-6);
    CHECK(at[i - 1].head<2>().norm() < 1e-6);
  }
}

/// The first goes at 1 m/s; none shows the others a corner.
std::vector<RigidBody> balls_in_a_row(double gap) {
  std::vector<RigidBody> balls;
  const auto mesh = std::make_shared<const TriangleMesh>(make_icosphere(0.1, 3));
  for (int i = 0; i < 3; ++i) {
    RigidBody ball;
    ball.name = std::to_string(i);
    ball.shape = {MeshSolid{mesh}};
    ball.density = 1000;
    ball.pose.translation() = Vec3((0.2 + gap) * i, 0, 0);
    balls.push_back(tilted(ball, 0.3 + i, Vec3(1, 2 * i - 1, 0.5)));
  }
  balls[0].velocity = Vec3(1, 0, 0);
  return balls;
}

TEST_CASE("three balls in a row hand on their speed" * kLong) {
  World world = meeting(air(0), balls_in_a_row(0.01), {1e9, 0, 0});
  run(world, 1500, 2e-4);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(body(world, i).velocity.x() == test::approx(i == 2 ? 1 : 0).scale(1).epsilon(0.01));
}

// Of a force that grows with the depth squared the velocities are -0.038, 0.039 and 0.9985 of the
// first one's. Depths are some ten times what the balls' facets are flat by.
TEST_CASE("balls in a row that touch do not hand on all" * kLong) {
  std::vector<RigidBody> balls = balls_in_a_row(0);
  balls[0].pose.translation().x() -= 0.02;
  World world = meeting(air(0), balls, {2e7, 0, 0});
  run(world, 300, 5e-4);
  const double expected[] = {-0.038, 0.039, 0.9985};
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(body(world, i).velocity.x() == test::approx(expected[i]).scale(1).epsilon(0.01));
}

TEST_CASE("a body at rest in space is hit and flies on") {
  RigidBody cue = box("cue", {0.5, 0.5, 0.5}, {-0.6, 0, 0});
  cue.velocity = Vec3(3, 0, 0);
  World world =
      meeting(air(0), {cue, box("rest", {0.5, 0.5, 0.5}, {0, 0, 0})}, {std::nullopt, 0, 0});
  run(world, 40);
  // Equal masses, head on: the one stops, and the other has its speed.
  CHECK(std::fabs(body(world, 0).velocity.x()) < 1e-3);
  CHECK(body(world, 1).velocity.x() == test::approx(3).epsilon(1e-3));
}

TEST_CASE("a ram that moves as it is told drives off what is at rest, twice as fast") {
  RigidBody ram = box("ram", {0.5, 0.5, 0.5}, {-0.6, 0, 0});
  ram.is_kinematic = true;
  ram.velocity = Vec3(2, 0, 0);
  World world =
      meeting(air(0), {box("rest", {0.5, 0.5, 0.5}, {0, 0, 0}), ram}, {std::nullopt, 0, 0});
  run(world, 40);
  CHECK(body(world, 0).velocity.x() == test::approx(4).epsilon(1e-3));
  const double mass = test::mass(world, 0).mass;
  CHECK(world.work() == test::approx(mass / 2 * 16).epsilon(1e-3));
  CHECK(std::fabs(book(world)) < 1e-3 * mass / 2 * 16);
}

TEST_CASE("a belt takes a block along, and what it gives is counted" * kLong) {
  RigidBody belt = floor_body();
  belt.velocity = Vec3(0.7, 0, 0);
  World world = meeting(air(), {box("block", {0.4, 0.4, 0.1}, {-10, 0, 0.05 - 1e-5}), belt},
                        {std::nullopt, 0.2, 0.3});
  const double before = book(world);
  run(world, 20);
  // It slides: friction is 0.3 of the weight, less the thousandth that is left to stick.
  CHECK(body(world, 0).velocity.x() == test::approx(0.3 * 9.80665 * 0.1).epsilon(0.01));
  run(world, 80);
  CHECK(body(world, 0).velocity.x() == test::approx(0.7).epsilon(1e-4));
  const double mass = test::mass(world, 0).mass;
  CHECK(world.work() == test::approx(mass * 0.7 * 0.7).epsilon(0.01));  // half of it was heat
  CHECK(std::fabs(book(world) - before) < 1e-3 * mass * 0.7 * 0.7);
}

TEST_CASE("a plate holds a fast cube, and a cube too fast to be followed is refused") {
  RigidBody cube = box("cube", {0.3, 0.3, 0.3}, {0, 0, 1}, 2000);
  RigidBody plate = box("plate", {2, 2, 0.01}, {0, 0, 0});
  plate.is_kinematic = true;
  cube.velocity = Vec3(0, 0, -10);
  World world = meeting(air(), {cube, plate}, {});
  for (int i = 0; i < 60; ++i) {
    run(world, 1);
    CHECK(body(world, 0).pose.translation().z() > 0.1);
  }
  cube.velocity = Vec3(0, 0, -1e5);
  World faster = meeting(air(), {cube, plate}, {});
  const Result<void> refused = faster.step(0.005);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kResourceLimit);
  CHECK(body(faster, 0).pose.translation() == Vec3(0, 0, 1));
  CHECK(faster.step(1e-7));
}

// The volume that the two share is 6e-299 m^3: some of its samples have an area of 0.
TEST_CASE("a contact of the least of numbers is refused, and what it holds is a number") {
  World world = meeting(
      air(), {box("foil", {2e-299, 1, 2}, {0, 0, 0}), box("block", {1, 2, 5}, {0.2, 0, 0.4})}, {});
  const Result<void> refused = world.step(0.001);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kResourceLimit);
  CHECK(world.dissipated() == 0);
  CHECK(std::isfinite(world.energy().total()));
}

// Their boxes meet all the way.
TEST_CASE("a peg falls through a hole as if there were none") {
  // A torus of 24 sides around: its hole is 0.7 wide and the peg's diagonal 0.57.
  RigidBody ring;
  ring.name = "ring";
  ring.shape = {MeshSolid{std::make_shared<const TriangleMesh>(make_torus(0.5, 0.15, 24, 12))}};
  ring.is_kinematic = true;
  World world = meeting(air(), {box("peg", {0.4, 0.4, 0.6}, {0, 0, 0.5}), ring}, {});
  run(world, 100);
  const double time = 0.5;
  CHECK(body(world, 0).velocity.z() == test::approx(-9.80665 * time).epsilon(1e-12));
  CHECK(body(world, 0).velocity.head<2>() == Vec2(0, 0));
  CHECK(body(world, 0).angular_velocity == Vec3(0, 0, 0));
  CHECK(world.dissipated() == 0);
}

std::vector<RigidBody> heap() {
  std::vector<RigidBody> bodies{floor_body()};
  const auto torus = std::make_shared<const TriangleMesh>(make_torus(0.3, 0.12, 12, 8));
  for (int i = 0; i < 4; ++i) {
    RigidBody next = box("box " + std::to_string(i), {0.4, 0.5, 0.3}, Vec3::Zero());
    if (i % 2 == 1) next.shape = {MeshSolid{torus}};
    next.pose.translation() = Vec3(0.05 * i, 0.03 * (i % 3), 0.16 + 0.45 * i);
    bodies.push_back(tilted(next, 0.3 * i, {1, i - 2.0, 0.5}));
  }
  return bodies;
}

TEST_CASE("a heap falls to the same bits for every number of threads, and from a snapshot") {
  const int steps = test::kAddressSanitizer || test::kThreadSanitizer ? 24 : 50;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 3})
    with_threads(threads, [&] {
      World world = meeting(air(), heap(), {std::nullopt, 0.2, 0.5});
      run(world, steps);
      const WorldSnapshot then = world.snapshot();
      run(world, steps / 4);
      hashes.push_back(world.state_hash());
      const double taken = world.dissipated();
      REQUIRE(world.restore(then));
      run(world, steps / 4);
      hashes.push_back(world.state_hash());
      CHECK(world.dissipated() == taken);
      CHECK(taken > 0);  // they have met
    });
  for (const std::uint64_t hash : hashes) CHECK(hash == hashes[0]);
}

TEST_CASE("pairs and groups that are left out pass through each other") {
  const std::vector<RigidBody> bodies{box("low", {1, 1, 1}, {0, 0, 0.5}),
                                      box("high", {1, 1, 1}, {0.2, 0, 1.4}), floor_body()};
  const auto touching = [&](const auto& prepare) {
    World world = meeting(air(), bodies, {});
    prepare(world);
    run(world, 1);
    return world.contacts().size();
  };
  CHECK(touching([](World&) {}) == 2);
  CHECK(touching([](World& world) { CHECK(world.ignore(id(world, 1), id(world, 0))); }) == 1);
  CHECK(touching([](World& world) {
          CHECK(world.ignore(id(world, 1), id(world, 0)));
          CHECK(world.ignore(id(world, 0), id(world, 1), false));
        }) == 2);
  CHECK(touching([](World& world) {
          for (const std::size_t i : {0U, 1U}) CHECK(world.set_group(id(world, i), 7));
        }) == 1);
  CHECK(touching([](World& world) {
          for (const std::size_t i : {0U, 2U}) CHECK(world.set_group(id(world, i), 7));
          CHECK(world.set_group(id(world, 2), 0));
        }) == 2);
  World world = meeting(air(), bodies, {});
  const BodyId gone = id(world, 1);
  REQUIRE(world.remove(gone));
  CHECK(!world.ignore(gone, id(world, 0)));
  CHECK(!world.set_group(gone, 1));
}

TEST_CASE("bodies that come, go and are put elsewhere meet where they are") {
  World world = meeting(air(), {box("cube", {1, 1, 1}, {0, 0, 0.4999}), floor_body()}, {});
  run(world, 50);
  REQUIRE(world.contacts().size() == 1);
  Pose away = Pose::Identity();
  away.translation() = Vec3(3, 0, 5);
  REQUIRE(world.set_state(id(world, 0), away, Vec3::Zero(), Vec3::Zero()));
  CHECK(world.contacts().empty());
  CHECK(world.energy().contact == 0);
  const Result<BodyId> second = world.add(box("second", {1, 1, 1}, {-3, 0, 0.4999}));
  REQUIRE(second);
  run(world, 1);
  REQUIRE(world.contacts().size() == 1);
  CHECK((world.contacts()[0].a == *second || world.contacts()[0].b == *second));
  REQUIRE(world.remove(*second));
  CHECK(world.contacts().empty());
  run(world, 1);
  REQUIRE(world.set_contact(std::nullopt));
  run(world, 300);
  CHECK(body(world, 0).pose.translation().z() < -1);
}

TEST_CASE("a law or a shape that is none is refused, and the world goes on as before") {
  World world = made(air(), {box("cube", {1, 1, 1}, {0, 0, 0.6}), floor_body()});
  const auto refused = [&](const ContactLaw& law, const char* where) {
    const Result<void> done = world.set_contact(law);
    REQUIRE(!done);
    CHECK(done.error().code == ErrorCode::kInvalidArgument);
    CHECK(done.error().where == where);
    CHECK(!world.contact());
  };
  refused({0.0}, "contact.stiffness");
  refused({std::nan("")}, "contact.stiffness");
  refused({std::nullopt, -0.1}, "contact.damping");
  refused({std::nullopt, 0.1, std::nan("")}, "contact.friction");
  RigidBody bite = box("bite", {1, 1, 1}, {0, 0, 3});
  bite.shape = {Boolean{BooleanOperation::kDifference, {{BoxSolid{{1, 1, 1}}}, {Sphere{0.4}}}}};
  REQUIRE(world.set_contact(ContactLaw{}));
  const Result<BodyId> boolean = world.add(bite);
  REQUIRE(!boolean);
  CHECK(boolean.error().code == ErrorCode::kUnavailable);
  CHECK(world.body_count() == 2);
}

// Two that never meet take the steps that each takes alone.
TEST_CASE("contacts of one island do not shorten the steps of another") {
  const RigidBody still = box("still", {1, 1, 1}, {0, 0, 0.4999});
  RigidBody flying = box("flying", {1, 1, 1}, {10, 0, 8});
  flying.angular_velocity = Vec3(1, 2, 3);
  World both = meeting(air(), {still, flying, floor_body()}, {});
  World alone = meeting(air(), {flying, floor_body()}, {});
  run(both, 40);
  run(alone, 40);
  CHECK(body(both, 1).pose.matrix() == body(alone, 0).pose.matrix());
}

// Of two cubes, one of them off its body's origin: half a cube by a tenth of its side.
TEST_CASE("bodies tell the volume that they share where they are now") {
  RigidBody off = box("off", {1, 1, 1}, {0, 0, 0.9});
  off.shape.pose.translation() = Vec3(0.5, 0, 0);
  const RigidBody cube = box("cube", {1, 1, 1}, {0, 0, 0});
  World world = meeting(air(), {cube, off}, {});
  const BodyId a = test::id(world, 0), b = test::id(world, 1);
  const Result<double> volume = world.shared_volume(a, b);
  REQUIRE(volume);
  CHECK(*volume == test::approx(0.05).epsilon(1e-14));
  CHECK(*world.shared_volume(b, a) == test::approx(0.05).epsilon(1e-14));
  ContactLaw law;
  law.method = ContactMethod::kSpheres;
  law.spheres = 5000;
  REQUIRE(world.set_contact(law));
  // Secondary spheres stand for all of the solid, but stick out by some of the depth.
  CHECK(*world.shared_volume(a, b) == test::approx(0.05).epsilon(0.3));
  CHECK_FALSE(world.shared_volume(a, {9, 0}));
  REQUIRE(world.set_contact(std::nullopt));
  CHECK(world.shared_volume(a, b).error().where == "contact");
}

// A cube that stands still has neither a force nor a torque left, though its push is not under its
// own origin.
TEST_CASE("the torque of a contact is about its center") {
  RigidBody cube = box("cube", {1, 1, 1}, {0, 0, 0.5});
  cube.shape.pose.translation() = Vec3(0.5, 0, 0);
  World world = meeting(air(), {cube, floor_body()}, {});
  run(world, 2000);
  const std::vector<BodyContact> contacts = world.contacts();
  REQUIRE(contacts.size() == 1);
  const BodyContact& contact = contacts[0];
  const Vec3 arm = contact.center - body(world, 0).center_of_mass;
  CHECK(contact.force[2] == test::approx(500 * 9.80665).epsilon(1e-6));
  CHECK((contact.torque + arm.cross(contact.force)).norm() <= 1e-6 * contact.force.norm());
  CHECK(contact.torque.norm() <= 1e-6 * contact.force.norm());
}

TEST_CASE("only spheres end in time, and push with what is expected of them") {
  ContactLaw law;
  law.max_time = 1e-3;
  CHECK(check_contact(law).error().where == "contact.max_time");
  law.method = ContactMethod::kSpheres;
  CHECK(check_contact(law));
  law.max_time = 0;
  CHECK(check_contact(law).error().where == "contact.max_time");
  law.max_time = 1e-9;  // the roots of both trees alone
  law.spheres = 2000;
  World world = meeting(air(), {box("cube", {1, 1, 1}, {0, 0, 0.3}), floor_body()}, law);
  run(world, 1);
  REQUIRE(world.contacts().size() == 1);
  CHECK(world.contacts()[0].force[2] > 0);
}

}  // namespace
}  // namespace plimsoll
