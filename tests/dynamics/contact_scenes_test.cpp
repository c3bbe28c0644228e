// Scenes of bodies that meet, as a whole: what hangs, bumps, falls into a cup or onto its like.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/hard_bodies.h"
#include "support/meeting_bodies.h"
#include "support/revolved.h"
#include "support/shared_meshes.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using std::numbers::pi;
using test::air;
using test::body;
using test::book;
using test::box;
using test::fixed;
using test::floor_body;
using test::id;
using test::kLong;
using test::meeting;
using test::of_mesh;
using test::run;
using test::tilted;

/// Points along a profile, `parts` of each of its edges.
std::vector<Vec2> divided(const std::vector<Vec2>& corners, int parts) {
  std::vector<Vec2> profile{corners[0]};
  for (std::size_t i = 1; i < corners.size(); ++i)
    for (int k = 1; k <= parts; ++k)
      profile.emplace_back(corners[i - 1] + (corners[i] - corners[i - 1]) * k / parts);
  return profile;
}

// Tubes of radius r that cross at right angles have their middle lines 2 r apart, less what is cut
// off: faces of 24 sides are up to r (1 - cos(pi / 24)) below their corners.
TEST_CASE("a ring that is linked with another hangs in it, and swings" * kLong) {
  constexpr double kMajor = 0.5, kMinor = 0.1;
  const TriangleMesh ring = make_torus(kMajor, kMinor, 36, 24);
  const Vec3 across(0, 0, -2 * kMajor + 2 * kMinor);
  const RigidBody hook = fixed(tilted(of_mesh("hook", ring, {0, 0, 0}), pi / 2, {1, 0, 0}));
  const RigidBody hung =
      tilted(of_mesh("ring", ring, across + Vec3(0, 0, 0.02)), pi / 2, {0, 1, 0});
  World world = meeting(air(), {hook, hung}, {std::nullopt, 0.5, 0.5});
  run(world, 200);
  const Vec3 at = body(world, 1).pose.translation();
  const double sides = 2 * kMinor * (1 - std::cos(pi / 24)) + kMajor * (1 - std::cos(pi / 36));
  CHECK(at.z() < across.z() + sides);
  CHECK(at.z() > across.z() - 2 * sides - 1e-3);
  REQUIRE(world.contacts().size() == 1);
  CHECK(std::fabs(world.contacts()[0].force.z()) ==
        test::approx(test::mass(world, 1).mass * 9.80665).epsilon(1e-3));

  // As a pendulum: its center stays below the hook's lowest part, and no farther from it.
  REQUIRE(world.push(id(world, 1), Vec3(0.1 * test::mass(world, 1).mass, 0, 0), at));
  double farthest = 0;
  for (int i = 0; i < 200; ++i) {
    run(world, 1);
    const Vec3 now = body(world, 1).pose.translation();
    farthest = std::max(farthest, std::fabs(now.x()));
    CHECK((now - Vec3(0, 0, -kMajor)).norm() < kMajor - kMinor + 2 * sides + 0.01);
    CHECK(now.z() < -kMajor);
  }
  CHECK(farthest > 0.01);
}

// Pressed against the wall over all of its side, whose center is that of mass: nothing turns it.
TEST_CASE("a cube afloat bumps against the wall of a basin and goes back as fast") {
  Environment water;
  water.drag = {0, 0.0, 0};
  const std::vector<Vec2> profile =
      divided({{0, -3}, {4, -3}, {4, 1}, {3.5, 1}, {3.5, -2.5}, {0, -2.5}}, 1);
  const RigidBody basin = fixed(of_mesh("basin", test::revolved(4, profile), {0, 0, 0}));
  RigidBody cube = tilted(box("cube", {0.5, 0.5, 0.5}, {0.5, 0.5, 0}, 0.5 * water.fluid_density),
                          pi / 4, {0, 0, 1});
  cube.velocity = Vec3(1, 1, 0);
  World world = meeting(water, {basin, cube}, {std::nullopt, 0, 0.3});
  const double before = book(world);
  bool met = false;
  for (int i = 0; i < 300 && !(met && world.contacts().empty()); ++i) {
    run(world, 1);
    met = met || !world.contacts().empty();
  }
  REQUIRE(met);
  const BodyState after = body(world, 1);
  CHECK((after.velocity - Vec3(-1, -1, 0)).norm() < 1e-3);
  CHECK(after.angular_velocity.norm() < 1e-3);
  CHECK(std::fabs(after.pose.translation().z()) < 1e-6);
  CHECK(std::fabs(book(world) - before) < 5e-4 * before);
}

// Its floor is flat, so that the box sinks in by a ten thousandth part of its side, as on any.
TEST_CASE("a box that falls into a cup of 70,000 triangles stays on its floor" * kLong) {
  if (!test::is_full_run()) return;  // half a minute
  std::vector<Vec2> profile{{0, 0}};
  const std::vector<Vec2> walls = divided({{0.5, 0}, {0.7, 1}, {0.6, 1}, {0.42, 0.1}}, 47);
  profile.insert(profile.end(), walls.begin(), walls.end());
  profile.emplace_back(0, 0.1);
  const TriangleMesh cup = test::revolved(250, profile);
  REQUIRE(cup.triangles.size() > 70'000);
  constexpr double kSide = 0.3;
  const RigidBody falls =
      tilted(box("box", Vec3::Constant(kSide), {0.3, 0.05, 0.9}), 0.4, {1, 2, 0});
  World world =
      meeting(air(), {fixed(of_mesh("cup", cup, {0, 0, 0})), falls}, {std::nullopt, 0.4, 0.3});
  const double before = book(world);
  run(world, 600);
  const BodyState rests = body(world, 1);
  CHECK(rests.pose.translation().head<2>().norm() < 0.42);
  CHECK(rests.pose.translation().z() == test::approx(0.1 + kSide / 2 - 1e-4 * kSide).epsilon(1e-5));
  CHECK(rests.velocity.norm() < 1e-6);
  CHECK(std::fabs(book(world) - before) < 1e-3 * before);
}

// It slides off the other's back, onto its feet or its side, and stays: what pushes it is then its
// weight.
TEST_CASE("a cow comes to rest on a cow and the floor" * kLong) {
  if (!test::is_full_run() || !test::has_shared_data()) return;
  const TriangleMesh cow = test::load("meshes/common/spot.obj");
  const RigidBody below = fixed(of_mesh("below", cow, {0, 0, 0}));
  const RigidBody above = of_mesh("above", cow, {0.1, 0.05, 1.5});
  World world = meeting(air(), {below, above, floor_body()}, {std::nullopt, 0.5, 0.6});
  const double before = book(world);
  run(world, 3000);
  Vec3 push = Vec3::Zero();
  for (const BodyContact& contact : world.contacts())
    push += contact.b == id(world, 1) ? Vec3(-contact.force) : contact.force;
  const double weight = test::mass(world, 1).mass * 9.80665;
  CHECK(body(world, 1).velocity.norm() < 1e-9);
  CHECK((push - Vec3(0, 0, weight)).norm() < 1e-6 * weight);
  // Of a hundred impacts, as below, the walk is 2e-3: three times that.
  CHECK(std::fabs(book(world) - before) < 6e-3 * before);
}

// Each impact costs the leapfrog up to 2e-4 of the energy, in either direction, where its parts
// change within; of thirty that is a walk of 1e-3. A body that comes to rest has few.
TEST_CASE("the book of energy closes over a hundred thousand steps" * kLong) {
  for (const double damping : {0.0, 0.3}) {
    CAPTURE(damping);
    World world = meeting(
        air(), {tilted(box("cube", {1, 0.7, 0.4}, {0, 0, 1.1}), 0.3, {1, 2, 0}), floor_body()},
        {std::nullopt, damping, damping > 0 ? 0.4 : 0});
    const double before = book(world);
    double worst = 0;
    const int steps = test::campaign(100'000);
    for (int i = 0; i < steps; ++i) {
      run(world, 1, 1e-4);
      if (world.contacts().empty() || i + 1 == steps)
        worst = std::max(worst, std::fabs(book(world) - before) / before);
    }
    CHECK(worst < (damping > 0 ? 2e-4 : 1e-3));
  }
}

// A bed of springs of stiffness K under and over the light cube: the heavy one leans over it, and
// falls where K is below 12 (1 + sqrt(1/2)) M g / a^3. Near that it sinks in by a twentieth of its
// side, and rims as wide as that push less: they take an eighth of a face's second moment.
TEST_CASE("a heavy cube stands on a light one where contact is stiff enough, and else buckles" *
          kLong) {
  constexpr double kWeight = 1000 * 9.80665;
  const double threshold = 12 * (1 + std::sqrt(0.5)) * kWeight;
  for (const double times : {0.85, 1.25}) {
    CAPTURE(times);
    const double stiffness = times * threshold, sink = kWeight / stiffness;
    World world =
        meeting(air(),
                {floor_body(), box("light", {1, 1, 1}, {0, 0, 0.5 - sink}, 1),
                 tilted(box("heavy", {1, 1, 1}, {0, 0, 1.5 - 2 * sink}, 1000), 1e-4, {0, 1, 0})},
                {stiffness, 0.2, 0.5});
    run(world, times > 1 ? 2400 : 1200);
    const double aside = body(world, 2).pose.translation().head<2>().norm();
    if (times > 1)
      CHECK(aside < 0.01);
    else
      CHECK(aside > 0.1);
  }
}

// Interior borders of coplanar triangles are no edges.
TEST_CASE("a box glides over two or thousands of coplanar triangles alike" * kLong) {
  TriangleMesh fine = test::grid_box({4, 4, 1}, 60, 60, 1);
  Random random(3);
  for (Vec3& v : fine.vertices)
    if (std::max(std::fabs(v.x()), std::fabs(v.y())) < 1.99)
      v.head<2>() += Vec2(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02));
  for (const bool is_fine : {false, true}) {
    CAPTURE(is_fine);
    const TriangleMesh ground = is_fine ? fine : make_box({4, 4, 1});
    RigidBody glider = box("glider", {0.3, 0.2, 0.1}, {-0.7, -0.2, 0});
    constexpr double kSink = 1e-5;  // by the stiffness of a law that leaves it out: L / 10,000
    glider.pose.translation().z() = 0.05 - kSink;
    glider.velocity = Vec3(1, 0.3, 0);
    World world = meeting(air(), {fixed(of_mesh("ground", ground, {0, 0, -0.5})), glider},
                          {std::nullopt, 0.2, 0});
    for (int i = 0; i < 200; ++i) {
      run(world, 1);
      if (i < 100) continue;  // it settles
      const BodyState now = body(world, 1);
      CHECK(std::fabs(now.pose.translation().z() - (0.05 - kSink)) < 1e-6);
      CHECK((now.velocity - glider.velocity).norm() < 1e-6);
      CHECK((now.pose.linear() - Mat3::Identity()).norm() < 1e-6);
    }
    const Vec3 way = body(world, 1).pose.translation() - glider.pose.translation();
    CHECK((way - Vec3(1, 0.3, 0)).norm() < 1e-6);
  }
}

}  // namespace
}  // namespace plimsoll
