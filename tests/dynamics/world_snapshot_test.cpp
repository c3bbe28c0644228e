// A world goes back to a snapshot and then does again what it did, bit by bit.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/world.h>

#include <cmath>

#include "core/random.h"
#include "support/checked.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr double kStep = 0.005;

RigidBody body(const std::string& name, const Shape& shape, const Vec3& at) {
  RigidBody body;
  body.name = name;
  body.shape = shape;
  body.pose.translation() = at;
  body.angular_velocity = {0.5, -0.3, 0.8};
  return body;
}

Shape solid(TriangleMesh mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
}

/// Meshes are followed by trackers, whose answers depend in the last bits on the questions before.
std::vector<RigidBody> flotsam() {
  const Shape bumpy = solid(make_bumpy_sphere(0.3, 0.4, 40, 60));
  RigidBody mill = body("mill", {BoxSolid{{1, 0.2, 0.2}}}, {9, 0, 0});
  mill.is_kinematic = true;
  return {body("a", bumpy, {0, 0, 0.2}), body("b", bumpy, {3, 0, 0.1}),
          body("c", {BoxSolid{{0.6, 0.4, 0.3}}}, {6, 0, 0.5}), mill};
}

std::vector<std::uint64_t> hashes(World& world, int steps) {
  std::vector<std::uint64_t> hashes;
  for (int step = 0; step < steps; ++step) {
    REQUIRE(world.step(kStep));
    hashes.push_back(world.state_hash());
  }
  return hashes;
}

World made(const Environment& environment, std::shared_ptr<BuoyancyEngine> engine = {}) {
  Result<World> world = World::create(environment, flotsam(), std::move(engine));
  REQUIRE_MESSAGE(world, world.error().where, " ", world.error().message);
  return *std::move(world);
}

Environment waves() {
  Environment environment;
  environment.surface = Waves{0, {{0.05, 2, 30, 0}, {0.03, 1, 200, 1}}};
  return environment;
}

void check_returns(World& world, int before, int after) {
  hashes(world, before);
  const WorldSnapshot then = world.snapshot();
  const std::vector<std::uint64_t> first = hashes(world, after);
  const double dissipated = world.dissipated(), work = world.work();
  for (int again = 0; again < 2; ++again) {
    REQUIRE(world.restore(then));
    CHECK(hashes(world, after) == first);
    CHECK(world.dissipated() == dissipated);
    CHECK(world.work() == work);
  }
}

/// Pushes bodies on by what it counts: it remembers.
class Counting final : public ForceModel {
 public:
  Result<void> push(const WorldNow& now, std::span<BodyForce> forces) override {
    ++count_;
    for (std::size_t i = 0; i < now.bodies.size(); ++i) forces[i].force[0] += 1e-3 * count_;
    return {};
  }
  std::shared_ptr<const Memory> save() const override {
    auto kept = std::make_shared<Kept>();
    kept->count = count_;
    return kept;
  }
  void restore(const std::shared_ptr<const Memory>& memory) override {
    count_ = static_cast<const Kept&>(*memory).count;
  }

 private:
  struct Kept final : Memory {
    int count = 0;
  };
  int count_ = 0;
};

}  // namespace

TEST_CASE("a world that goes back does the same again, on still water and on waves") {
  for (const bool is_wavy : {false, true}) {
    World world = made(is_wavy ? waves() : Environment{});
    check_returns(world, is_wavy ? 3 : 150, is_wavy ? 3 : 150);
  }
}

// Or the tests above would show nothing: a tracker that was not put back would answer otherwise.
TEST_CASE("a tracker's answers depend on the questions before, and a copy remembers the same") {
  const SolidTree tree(test::checked(make_bumpy_sphere(0.3, 0.4, 40, 60)));
  SubmersionTracker tracker(tree);
  const auto volume = [](SubmersionTracker& asked, int k) {
    const Vec3 up = Vec3(0.1 + 1e-4 * std::sin(0.3 * k), 0.2, 1).normalized();
    return asked.submersion({up, 0.01 + 1e-4 * std::cos(0.2 * k)}).volume;
  };
  for (int k = 0; k < 20; ++k) (void)volume(tracker, k);
  SubmersionTracker copy = tracker, fresh(tree);
  bool differs = false;
  for (int k = 20; k < 60; ++k) {
    const double expected = volume(tracker, k);
    CHECK(volume(copy, k) == expected);
    differs = differs || volume(fresh, k) != expected;
  }
  CHECK(differs);
  copy = fresh;
  CHECK(volume(copy, 70) == volume(fresh, 70));
}

TEST_CASE("bodies that came and went between are gone and back") {
  World world = made({});
  hashes(world, 40);
  const std::vector<BodyId> ids = world.ids();
  const WorldSnapshot then = world.snapshot();
  const std::vector<std::uint64_t> first = hashes(world, 60);
  REQUIRE(world.restore(then));
  REQUIRE(world.remove(ids[0]));
  REQUIRE(world.add(body("d", solid(make_torus(0.3, 0.1, 20, 12)), {0, 3, 0.2})));
  REQUIRE(world.add(body("e", {Sphere{0.2}}, {3, 3, 0.2})));
  REQUIRE(world.remove(ids[2]));
  REQUIRE(world.set_force(ids[1], {10, 0, 0}, {0, 0, 1}));
  REQUIRE(world.set_density(ids[1], 700));
  hashes(world, 30);
  REQUIRE(world.restore(then));
  CHECK(world.ids() == ids);
  CHECK(!world.find("d"));
  CHECK(hashes(world, 60) == first);
  // The same ids are given again.
  REQUIRE(world.restore(then));
  const BodyId one = *world.add(body("d", {Sphere{0.2}}, {0, 3, 0.2}));
  REQUIRE(world.restore(then));
  CHECK(*world.add(body("d", {Sphere{0.2}}, {0, 3, 0.2})) == one);
}

TEST_CASE("forces, water, engine and what models remember go back too") {
  World world = made({});
  const std::vector<BodyId> ids = world.ids();
  REQUIRE(world.set_force(ids[2], {5, 0, 0}, {0, 0.1, 0}));
  const auto counting = std::make_shared<Counting>();
  world.add_force(counting);
  hashes(world, 10);
  const WorldSnapshot then = world.snapshot();
  const std::vector<std::uint64_t> first = hashes(world, 20);
  REQUIRE(world.set_force(ids[2], {0, 0, 0}, {0, 0, 0}));
  world.remove_force(counting);
  Environment high = world.environment();
  high.surface = StillWater{0.3};
  REQUIRE(world.set_environment(high));
  REQUIRE(world.set_engine(image_buoyancy()));
  CHECK(hashes(world, 20) != first);
  REQUIRE(world.restore(then));
  CHECK(hashes(world, 20) == first);
}

TEST_CASE("images go back too") {
  World world = made({}, image_buoyancy({.width = 16, .height = 16}));
  check_returns(world, 10, 10);
}

TEST_CASE("a snapshot outlives its world's later life and serves no other world") {
  World world = made({}), other = made({});
  std::optional<WorldSnapshot> then = world.snapshot();
  const std::uint64_t hash = world.state_hash();
  CHECK(!other.restore(*then));
  hashes(world, 20);
  for (const BodyId id : world.ids()) REQUIRE(world.remove(id));
  CHECK(world.body_count() == 0);
  hashes(world, 1);
  World moved = std::move(world);
  REQUIRE(moved.restore(*then));
  then.reset();
  CHECK(moved.state_hash() == hash);
  hashes(moved, 20);
}

}  // namespace plimsoll
