// Bodies at rest that sleep, and wake when anything happens to them.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "support/approx.h"
#include "support/meeting_bodies.h"
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

constexpr double kGravity = 9.80665;
const double kNever = std::numeric_limits<double>::infinity();

ContactLaw sleeping(double after = 0.2) {
  ContactLaw law;
  law.sleep_after = after;
  return law;
}

/// Two cubes on a floor, and one beside them, about as deep in each other as they rest.
std::vector<RigidBody> pile() {
  return {floor_body(), box("low", {1, 1, 1}, {0, 0, 0.4998}),
          box("high", {1, 1, 1}, {0, 0, 1.4997}), box("beside", {1, 1, 1}, {3, 0, 0.4999})};
}

bool all_sleep(const World& world) {
  for (const BodyId id : world.ids())
    if (!world.is_kinematic(id) && !world.is_asleep(id)) return false;
  return true;
}

/// A pile that sleeps: after at most `seconds`.
World asleep(const std::vector<RigidBody>& bodies, double seconds = 5) {
  World world = meeting(air(), bodies, sleeping());
  for (double time = 0; time < seconds && !all_sleep(world); time += 0.05) run(world, 10);
  REQUIRE(all_sleep(world));
  return world;
}

// They have moved by less than a millionth of their size in the last 0.2 s: at that speed they
// would move by less than ten millionths in the 2 s that follow.
TEST_CASE("a pile falls asleep where it would have stayed, and its book of energy closes" * kLong) {
  std::vector<RigidBody> dropped = pile();
  for (RigidBody& cube : dropped) cube.pose.translation()[2] *= 1.002;
  World sleeper = asleep(dropped);
  const double slept = sleeper.time();
  CHECK(slept > 0.2);
  World waking = meeting(air(), dropped, sleeping(kNever));
  const double start = book(sleeper);
  while (waking.time() < slept) run(waking, 1);
  CHECK(book(sleeper) == test::approx(book(waking)).epsilon(1e-9));
  run(sleeper, 400);
  run(waking, 400);
  for (std::size_t i = 1; i < 4; ++i) {
    CAPTURE(i);
    CHECK(body(sleeper, i).velocity.isZero(0));
    CHECK((body(sleeper, i).pose.translation() - body(waking, i).pose.translation()).norm() < 1e-5);
    CHECK(!waking.is_asleep(id(waking, i)));
  }
  CHECK(book(sleeper) == start);
  CHECK(sleeper.contacts().size() == waking.contacts().size());
}

/// Counts the bodies that are asked about.
class Counted final : public BuoyancyEngine {
 public:
  explicit Counted(std::size_t& count) : count_(count) {}
  Result<void> add(std::uint32_t body, const Shape& shape) override {
    return engine_->add(body, shape);
  }
  void remove(std::uint32_t body) override { engine_->remove(body); }
  Result<void> answer(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                      std::span<Buoyancy> answers) override {
    count_ += queries.size();
    return engine_->answer(queries, surface, answers);
  }
  std::shared_ptr<const Memory> save() const override { return engine_->save(); }
  void restore(const Memory& memory) override { engine_->restore(memory); }

 private:
  std::size_t& count_;
  std::shared_ptr<BuoyancyEngine> engine_ = exact_buoyancy();
};

Environment pool(double height = 0) {
  Environment water;
  water.surface = StillWater{height};
  water.drag.linear = 2;  // alone, quadratic drag lets it bob for hours
  return water;
}

TEST_CASE("what floats at rest sleeps, is not asked about, and rises with its water") {
  std::size_t asked = 0;
  World world = made(pool(), box("raft", {2, 2, 0.5}, {0, 0, 0}));
  REQUIRE(world.set_engine(std::make_shared<Counted>(asked)));
  REQUIRE(world.set_contact(sleeping()));
  while (world.time() < 60 && !all_sleep(world)) run(world, 10, 0.01);
  REQUIRE(all_sleep(world));
  asked = 0;
  run(world, 10, 0.01);
  CHECK(asked == 0);
  REQUIRE(world.set_environment(pool(0.1)));
  asked = 0;
  run(world, 10, 0.01);
  CHECK(asked == 10);
  CHECK(body(world, 0).velocity[2] > 0);
}

TEST_CASE("who is pushed wakes with whom it stands on, and nobody else") {
  World world = asleep(pile());
  const BodyState before = body(world, 2);
  const double mass = test::mass(world, 2).mass, work = world.work();
  REQUIRE(world.push(id(world, 2), {0, 0, mass}, before.pose.translation()));
  run(world, 1, 1e-3);
  CHECK(!world.is_asleep(id(world, 1)));
  CHECK(!world.is_asleep(id(world, 2)));
  CHECK(world.is_asleep(id(world, 3)));
  CHECK(body(world, 2).velocity[2] == test::approx(1).epsilon(0.02));
  CHECK(world.work() - work == test::approx(mass / 2).epsilon(1e-12));

  World pulled = asleep(pile());
  REQUIRE(pulled.set_force(id(pulled, 3), {0, 0, 3 * kGravity * 500}, Vec3::Zero()));
  run(pulled, 20);
  CHECK(body(pulled, 3).velocity[2] == test::approx(2 * kGravity * 0.1).epsilon(0.02));
  CHECK(pulled.is_asleep(id(pulled, 1)));
}

// The springs between two cubes hold one by d = 1e-4 of its size: let go, they throw it at no more
// than sqrt(g d). A step of delay would be a tenth of the way.
TEST_CASE("whoever loses its support falls at once") {
  const auto fallen = [](World& world, std::size_t i) {
    const double height = body(world, i).pose.translation()[2];
    run(world, 20);  // 0.1 s
    return height - body(world, i).pose.translation()[2];
  };
  const double expected = kGravity * 0.1 * 0.1 / 2, thrown = 0.1 * std::sqrt(kGravity * 1e-4);
  SUBCASE("the floor is taken away") {
    World world = asleep(pile());
    REQUIRE(world.remove(id(world, 0)));
    CHECK(!world.is_asleep(id(world, 0)));
    CHECK(!world.is_asleep(id(world, 2)));
    CHECK(std::fabs(fallen(world, 1) - expected) < thrown);
  }
  SUBCASE("the floor is put elsewhere") {
    World world = asleep(pile());
    Pose below = body(world, 0).pose;
    below.translation()[2] -= 10;
    REQUIRE(world.set_state(id(world, 0), below, Vec3::Zero(), Vec3::Zero()));
    CHECK(std::fabs(fallen(world, 3) - expected) < thrown);
  }
  SUBCASE("the cube below is taken away") {
    World world = asleep(pile());
    REQUIRE(world.remove(id(world, 1)));
    CHECK(std::fabs(fallen(world, 1) - expected) < thrown);
    CHECK(world.is_asleep(id(world, 2)));
  }
  SUBCASE("it passes through its support") {
    World world = asleep(pile());
    REQUIRE(world.ignore(id(world, 3), id(world, 0)));
    CHECK(std::fabs(fallen(world, 3) - expected) < thrown);
  }
  SUBCASE("it is of its support's group") {
    World world = asleep(pile());
    REQUIRE(world.set_group(id(world, 0), 1));
    REQUIRE(world.set_group(id(world, 3), 1));
    CHECK(std::fabs(fallen(world, 3) - expected) < thrown);
  }
  SUBCASE("nothing meets any more") {
    World world = asleep(pile());
    REQUIRE(world.set_contact({}));
    CHECK(std::fabs(fallen(world, 2) - expected) < thrown);
  }
}

TEST_CASE("who is hit wakes before it is passed through") {
  World world = asleep(pile());
  RigidBody ball = box("ram", {0.5, 0.5, 0.5}, {3, -2, 0.6});
  ball.velocity = {0, 5, 0};
  REQUIRE(world.add(ball));
  run(world, 60);
  CHECK(world.is_asleep(id(world, 1)));
  CHECK(body(world, 3).velocity[1] > 0.1);
  CHECK(body(world, 4).velocity[1] < 5);
}

TEST_CASE("a lift takes along who sleeps on it" * kLong) {
  World world = asleep(pile());
  const double height = body(world, 2).pose.translation()[2];
  const Pose here = body(world, 0).pose;
  REQUIRE(world.set_state(id(world, 0), here, {0, 0, 0.1}, Vec3::Zero()));
  run(world, 100);
  CHECK(body(world, 2).pose.translation()[2] - height == test::approx(0.05).epsilon(0.02));
  run(world, 100);
  for (std::size_t i = 1; i < 4; ++i) CHECK(!world.is_asleep(id(world, i)));
  REQUIRE(world.set_state(id(world, 0), body(world, 0).pose, Vec3::Zero(), Vec3::Zero()));
  for (int i = 0; i < 60 && !all_sleep(world); ++i) run(world, 10);
  CHECK(all_sleep(world));
}

TEST_CASE("who is put into sleepers drives them off") {
  World world = asleep(pile());
  RigidBody wedge = box("wedge", {1, 1, 1}, {3.9, 0, 0.5});
  wedge.is_kinematic = true;
  REQUIRE(world.add(wedge));
  run(world, 10);
  CHECK(!world.is_asleep(id(world, 3)));
  CHECK(world.is_asleep(id(world, 1)));
  CHECK(body(world, 3).velocity[0] < 0);
}

struct Breath final : ForceModel {
  Result<void> push(const WorldNow&, std::span<BodyForce>) override { return {}; }
};

TEST_CASE("nobody sleeps on waves, nor while a program has forces of its own") {
  World world = asleep(pile());
  const auto breath = std::make_shared<Breath>();
  world.add_force(breath);
  run(world, 80);
  for (std::size_t i = 1; i < 4; ++i) CHECK(!world.is_asleep(id(world, i)));
  world.remove_force(breath);
  run(world, 80);
  CHECK(all_sleep(world));
  Environment sea = air();
  sea.surface = Waves{-20, {{0.1, 5, 0, 0}}};
  REQUIRE(world.set_environment(sea));
  run(world, 80);
  for (std::size_t i = 1; i < 4; ++i) CHECK(!world.is_asleep(id(world, i)));
}

TEST_CASE("all wake where the law of contact, the surroundings or the engine are others") {
  World world = asleep(pile());
  const auto all_wake = [&] {
    for (std::size_t i = 1; i < 4; ++i) CHECK(!world.is_asleep(id(world, i)));
    for (int i = 0; i < 20 && !all_sleep(world); ++i) run(world, 10);
    REQUIRE(all_sleep(world));
  };
  REQUIRE(world.set_contact(sleeping()));
  all_wake();
  REQUIRE(world.set_environment(air()));
  all_wake();
  REQUIRE(world.set_engine(nullptr));
  all_wake();
}

TEST_CASE("what is slow but moves does not sleep") {
  RigidBody slow = box("slow", {1, 1, 1}, {0, 0, 0});
  slow.velocity = {1e-5, 0, 0};  // two millionths of its size in 0.2 s
  RigidBody turning = box("turning", {1, 1, 1}, {0, 0, 5});
  turning.angular_velocity = {0, 0, 1e-5};
  World world = meeting(air(0), {slow, turning}, sleeping());
  run(world, 400);
  CHECK(!world.is_asleep(id(world, 0)));
  CHECK(!world.is_asleep(id(world, 1)));
}

TEST_CASE("what falls asleep as it drifts loses what it moves with, and the book knows") {
  RigidBody slow = box("slow", {1, 1, 1}, {0, 0, 0});
  slow.velocity = {1e-5, 0, 0};  // a tenth of a millionth of its size in 0.01 s
  World world = meeting(air(0), {slow}, sleeping(0.01));
  const double kinetic = world.energy().kinetic;
  CHECK(kinetic == test::approx(500.0 / 2 * 1e-10));
  run(world, 10);
  REQUIRE(world.is_asleep(id(world, 0)));
  CHECK(world.energy().kinetic == 0);
  CHECK(world.dissipated() == test::approx(kinetic));
}

TEST_CASE("nobody sleeps on a belt, though it slides away below without friction" * kLong) {
  RigidBody belt = floor_body();
  belt.velocity = {0.1, 0, 0};
  ContactLaw law = sleeping();
  law.friction = 0;
  World world = meeting(air(), {belt, box("block", {1, 1, 1}, {0, 0, 0.4999})}, law);
  run(world, 400);
  CHECK(body(world, 1).velocity.norm() < 1e-9);
  CHECK(!world.is_asleep(id(world, 1)));
}

TEST_CASE("a snapshot knows who sleeps, and since when the others rest") {
  World world = meeting(air(), pile(), sleeping());
  run(world, 20);
  const WorldSnapshot early = world.snapshot();
  run(world, 60);
  const std::uint64_t end = world.state_hash();
  CHECK(all_sleep(world));
  REQUIRE(world.restore(early));
  CHECK(!all_sleep(world));
  run(world, 60);
  CHECK(world.state_hash() == end);
  CHECK(all_sleep(world));
}

TEST_CASE("a step that fails leaves sleepers asleep") {
  World world = asleep(pile());
  RigidBody fast = box("fast", {0.01, 0.01, 0.01}, {3, -5, 0.5});
  fast.velocity = {0, 1e7, 0};
  REQUIRE(world.add(fast));
  REQUIRE(!world.step(0.01));
  for (std::size_t i = 1; i < 4; ++i) CHECK(world.is_asleep(id(world, i)));
}

TEST_CASE("a time to sleep that is none is refused") {
  World world = made(air(), pile());
  for (const double after : {0.0, -1.0, std::nan("")}) {
    const Result<void> refused = world.set_contact(sleeping(after));
    REQUIRE(!refused);
    CHECK(refused.error().where == "contact.sleep_after");
  }
  CHECK(world.set_contact(sleeping(kNever)));
}

}  // namespace
}  // namespace plimsoll
