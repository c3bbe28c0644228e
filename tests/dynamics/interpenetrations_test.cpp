// Bodies that pass through each other: what is found is so, and what is deep is found.
#include <doctest/doctest.h>
#include <plimsoll/interpenetrations.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/sanitizers.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

RigidBody body(const Shape& shape, const Vec3& at = Vec3::Zero()) {
  RigidBody made;
  made.shape = shape;
  made.pose.translation() = at;
  return made;
}

Shape solid(TriangleMesh mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
}

Interpenetrations found_among(const std::vector<RigidBody>& bodies) {
  const Result<World> world = World::create({}, bodies);
  REQUIRE_MESSAGE(world, world.error().where, " ", world.error().message);
  Result<InterpenetrationSearch> search = InterpenetrationSearch::create(*world);
  REQUIRE(search);
  const Result<Interpenetrations> found = search->find(*world);
  REQUIRE(found);
  return *found;
}

std::vector<Interpenetration> overlaps(const std::vector<RigidBody>& bodies) {
  const Interpenetrations found = found_among(bodies);
  CHECK(found.is_all);
  CHECK(found.count == found.first.size());
  return found.first;
}

bool meet(const RigidBody& a, const RigidBody& b) { return overlaps({a, b}).size() == 1; }

Eigen::Quaterniond random_turn(Random& random) {
  Vec4 turn;
  for (double& x : turn) x = random.uniform(-1, 1);
  return Eigen::Quaterniond(turn.normalized());
}

}  // namespace

TEST_CASE("bodies that touch do not share space, and those that cross do") {
  const Shape cube{BoxSolid{{1, 1, 1}}};
  CHECK_FALSE(meet(body(cube), body(cube, {1, 0, 0})));
  CHECK_FALSE(meet(body(cube), body(cube, {0, 0, 1})));
  CHECK(meet(body(cube), body(cube, {0, 0, 0.99})));
  CHECK(meet(body(cube), body(cube, {0.99, 0.3, -0.2})));
  CHECK_FALSE(meet(body({Sphere{0.5}}), body({Sphere{0.5}}, {1, 0, 0})));
  CHECK_FALSE(meet(body({Sphere{0.5}}), body({Sphere{0.5}}, {1 - 1e-15, 0, 0})));
  CHECK(meet(body({Sphere{0.5}}), body({Sphere{0.5}}, {0.999, 0, 0})));  // by the middle line
  // Two bars that cross have no corner in each other.
  CHECK(meet(body({BoxSolid{{4, 0.1, 0.1}}}), body({BoxSolid{{0.1, 4, 0.1}}}, {0, 0, 0.05})));
  CHECK_FALSE(meet(body({BoxSolid{{4, 0.1, 0.1}}}), body({BoxSolid{{0.1, 4, 0.1}}}, {0, 0, 0.11})));
}

TEST_CASE("pairs that are ignored are not looked for") {
  const Shape cube{BoxSolid{{1, 1, 1}}};
  const World world =
      World::create({}, std::vector{body(cube), body(cube, {0.5, 0, 0}), body(cube, {0.9, 0, 0})})
          .value();
  const std::vector<BodyId> ids = world.ids();
  InterpenetrationSearch search = InterpenetrationSearch::create(world).value();
  search.ignore(ids[2], ids[0]);
  search.ignore(ids[0], ids[1]);
  const Interpenetrations found = search.find(world).value();
  REQUIRE(found.count == 1);
  CHECK(found.first.at(0).a == ids[1]);
  CHECK(found.first.at(0).b == ids[2]);
}

TEST_CASE("boxes that meet are not yet bodies that do") {
  CHECK_FALSE(meet(body({Torus{1, 0.2}}), body({Sphere{0.7}})));
  CHECK(meet(body({Torus{1, 0.2}}), body({Sphere{0.9}})));
  CHECK_FALSE(meet(body({Sphere{1}}), body({Sphere{1}}, {1.3, 1.3, 1.3})));
  CHECK_FALSE(meet(body(solid(make_torus(1, 0.2, 40, 20))), body({Sphere{0.7}})));
  CHECK(meet(body(solid(make_torus(1, 0.2, 40, 20))), body({Sphere{0.9}})));
}

TEST_CASE("a body inside of another shares its space") {
  CHECK(meet(body({BoxSolid{{10, 10, 10}}}), body({Sphere{0.1}}, {1, 2, 3})));
}

TEST_CASE("meshes that do not close are not judged by their holes") {
  TriangleMesh open = make_box({2, 2, 2});
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 2);
  const auto found = overlaps({body(solid(open)), body({Sphere{0.3}}, {0, 0, 0.5})});
  for (const Interpenetration& overlap : found) CHECK(overlap.at.cwiseAbs().maxCoeff() <= 1);
}

TEST_CASE("a pair is told once, and of two kinematic bodies never") {
  const RigidBody cube = body({BoxSolid{{1, 1, 1}}});
  RigidBody post = cube;
  post.is_kinematic = true;
  CHECK(overlaps({post, post}).empty());
  CHECK(overlaps({post, cube}).size() == 1);
  const std::vector<RigidBody> heap(4, cube);
  const Result<World> world = World::create({}, heap);
  REQUIRE(world);
  Result<InterpenetrationSearch> search = InterpenetrationSearch::create(*world);
  REQUIRE(search);
  const std::vector<Interpenetration> found = search->find(*world)->first;
  REQUIRE(found.size() == 6);
  CHECK((found[0].a == test::id(*world, 0) && found[0].b == test::id(*world, 1)));
  CHECK((found[5].a == test::id(*world, 2) && found[5].b == test::id(*world, 3)));
  const Interpenetrations again = *search->find(*world);
  CHECK(again.count == 0);
  CHECK(again.first.empty());
  CHECK(again.is_all);
}

// Each bar of a row reaches into its neighbors only. The ids of the bars are not in the order of
// the row.
TEST_CASE("pairs of bodies that lie scattered are told in order, and each pair once") {
  constexpr std::size_t kBars = 41, kStride = 18;  // without a common divisor
  std::vector<RigidBody> row(kBars);
  std::vector<std::pair<std::size_t, std::size_t>> expected;
  for (std::size_t k = 0; k < kBars; ++k) {
    const std::size_t here = kStride * k % kBars, next = kStride * (k + 1) % kBars;
    row[here] = body({BoxSolid{{1.5, 1, 1}}}, {static_cast<double>(k), 0, 0});
    if (k + 1 < kBars) expected.emplace_back(std::min(here, next), std::max(here, next));
  }
  std::sort(expected.begin(), expected.end());
  const World world = World::create({}, row).value();
  InterpenetrationSearch search = InterpenetrationSearch::create(world).value();
  const Interpenetrations found = search.find(world).value();
  CHECK(found.is_all);
  CHECK(found.count == kBars - 1);
  REQUIRE(found.first.size() == kBars - 1);
  for (std::size_t k = 0; k < found.first.size(); ++k) {
    CHECK(found.first[k].a == test::id(world, expected[k].first));
    CHECK(found.first[k].b == test::id(world, expected[k].second));
  }
  const Interpenetrations again = search.find(world).value();
  CHECK(again.count == 0);
  CHECK(again.first.empty());
}

TEST_CASE(
    "a heap of bodies in one place is counted by any number of threads, its first pairs named") {
  constexpr std::size_t kBalls = test::kAddressSanitizer || test::kThreadSanitizer ? 150 : 500;
  const std::vector<RigidBody> heap(kBalls, body({Sphere{1}}));
  for (const int threads : {1, 3})
    with_threads(threads, [&] {
      const Interpenetrations found = found_among(heap);
      CHECK(found.is_all);
      CHECK(found.count == kBalls * (kBalls - 1) / 2);
      REQUIRE(found.first.size() == kMaxNamedPairs);
      for (std::size_t k = 0; k < kMaxNamedPairs; ++k) {
        CHECK(found.first[k].a.index == 0);
        CHECK(found.first[k].b.index == k + 1);
        CHECK(found.first[k].at.norm() <= 1);
      }
    });
}

// 1500 balls are 1,124,250 pairs; of a million and some that are known no more are sought.
TEST_CASE("the search ends where it would remember too much, and says so") {
  if (test::kAddressSanitizer || test::kThreadSanitizer) return;
  const std::vector<RigidBody> heap(1500, body({Sphere{1}}));
  const Result<World> world = World::create({}, heap);
  REQUIRE(world);
  Result<InterpenetrationSearch> search = InterpenetrationSearch::create(*world);
  REQUIRE(search);
  const Interpenetrations found = *search->find(*world);
  CHECK(found.count == std::size_t{1} << 20);
  CHECK(!found.is_all);
  CHECK(found.first.size() == kMaxNamedPairs);
  const Interpenetrations again = *search->find(*world);
  CHECK(again.count == 0);
  CHECK(!again.is_all);
}

// The point is inside both by their own formulas, but for rounding. Balls that overlap by half a
// radius share a lens that is half a radius thick and 1.3 radii wide, and the probes of the box
// around it are a seventh of it apart.
TEST_CASE("what is found is inside both bodies, and balls half a radius deep are found") {
  Random random(23);
  int found_boxes = 0, found_balls = 0;
  constexpr int kRounds = test::kAddressSanitizer || test::kThreadSanitizer ? 100 : 2000;
  for (int round = 0; round < kRounds; ++round) {
    const double size = std::exp(random.uniform(-3, 3));
    const RigidBody ball =
        body({Sphere{size}},
             size * Vec3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)));
    const RigidBody other = body({Sphere{size * random.uniform(0.5, 1)}});
    const double radius = std::get<Sphere>(other.shape.solid).radius;
    const double gap = ball.pose.translation().norm() - size - radius;
    const auto balls = overlaps({ball, other});
    if (gap > 0) CHECK(balls.empty());
    if (gap < -radius / 2) CHECK(balls.size() == 1);
    for (const Interpenetration& overlap : balls) {
      ++found_balls;
      CHECK((overlap.at - ball.pose.translation()).norm() <= size * (1 + 1e-12));
      CHECK(overlap.at.norm() <= radius * (1 + 1e-12));
    }
    RigidBody box = body({BoxSolid{size * Vec3(1, 0.6, 0.3)}});
    box.pose.linear() = random_turn(random).toRotationMatrix();
    for (const Interpenetration& overlap : overlaps({ball, box})) {
      ++found_boxes;
      CHECK((overlap.at - ball.pose.translation()).norm() <= size * (1 + 1e-12));
      const Vec3 own = box.pose.linear().transpose() * overlap.at;
      CHECK((own.cwiseAbs() - size * Vec3(0.5, 0.3, 0.15)).maxCoeff() <= 1e-12 * size);
    }
  }
  CHECK(found_balls > 3 * kRounds / 20);
  CHECK(found_boxes > kRounds / 10);
}

}  // namespace plimsoll
