// Friction of what is held from several sides, by statics.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/world.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "support/approx.h"
#include "support/meeting_bodies.h"
#include "support/mesh_parts.h"
#include "support/revolved.h"

namespace plimsoll {
namespace {

using test::body;
using test::fixed;
using test::kLong;
using test::of_mesh;
using test::run;

constexpr double kGravity = 9.80665, kPi = std::numbers::pi;

/// Two plates about x = 0, with that gap.
RigidBody jaws(double gap) {
  const TriangleMesh plate = make_box({0.1, 0.6, 0.6});
  return fixed(of_mesh("jaws",
                       test::joined(test::moved(plate, {(gap + 0.1) / 2, 0, 0}),
                                    test::moved(plate, {-(gap + 0.1) / 2, 0, 0})),
                       Vec3::Zero()));
}

// Jaws that leave a cube of side a room for a - 2 d press with K a^2 d from both sides: they hold
// 2 mu K a^2 d, whatever the cube weighs below that.
TEST_CASE("a cube between jaws is held by friction, and above it falls by the rest" * kLong) {
  constexpr double kSide = 0.2, kPressed = 1e-4, kFriction = 0.4, kStiffness = 1e7, kTime = 0.2;
  const double hold = 2 * kFriction * kStiffness * kSide * kSide * kPressed;
  for (const double share : {0.5, 0.9, 1.5}) {
    CAPTURE(share);
    RigidBody cube = test::box("cube", {kSide, kSide, kSide}, {0, 0, 0});
    cube.mass = GivenMass{.mass = share * hold / kGravity};
    World world = test::meeting(test::air(), {jaws(kSide - 2 * kPressed), cube},
                                {kStiffness, 0.2, kFriction});
    run(world, 100, kTime / 100);
    const double fallen = -body(world, 1).pose.translation().z();
    if (share > 1) {
      const double rest = kGravity * (1 - 1 / share);
      CHECK(-body(world, 1).velocity.z() == test::approx(rest * kTime).epsilon(0.02));
      continue;
    }
    // Springs of the surface are as stiff as those into it: they hold up to mu times the depth. The
    // weight W, let go, falls by x with W x = hold (mu d / 2 + x - mu d) at most.
    CHECK(fallen > 0);
    CHECK(fallen < kFriction * kPressed / (2 * (1 - share)));
    run(world, 400, kTime / 100);
    CHECK(-body(world, 1).pose.translation().z() == test::approx(fallen).epsilon(1e-3));
    CHECK(body(world, 1).velocity.norm() < 1e-5);
  }
}

// Of a weight so far from the jaws' middle that the torque is half of what friction holds of a
// square: mu N a times 0.3826, the mean distance from its middle over the side, on each side.
TEST_CASE("a bar that is held at one end does not turn between the jaws" * kLong) {
  constexpr double kSide = 0.2, kPressed = 1e-4, kFriction = 0.4, kStiffness = 1e7;
  const double push = kStiffness * kSide * kSide * kPressed;
  for (const double share : {0.5, 2.0}) {
    CAPTURE(share);
    RigidBody cube = test::box("bar", {kSide, kSide, kSide}, {0, 0, 0});
    const double mass = 0.2 * push / kGravity;
    const double arm = share * 2 * kFriction * push * 0.3826 * kSide / (mass * kGravity);
    cube.mass = GivenMass{.mass = mass,
                          .center_of_mass = Vec3(0, arm, 0),
                          .inertia = Mat3(mass * kSide * kSide * Mat3::Identity())};
    World world = test::meeting(test::air(), {jaws(kSide - 2 * kPressed), cube},
                                {kStiffness, 0.2, kFriction});
    run(world, 200, 0.002);
    const double turned = std::fabs(body(world, 1).pose.linear()(2, 1));
    if (share < 1)
      CHECK(turned < 4 * kFriction * kPressed / kSide);
    else
      CHECK(turned > 0.05);
  }
}

// A square ring of length L round a post that leaves it room, with a weight out from the axis by a
// share of L / (2 mu): at two edges, opposite each other, the post pushes with W x / L each.
TEST_CASE("a bracket on a post holds where its load is far enough out" * kLong) {
  constexpr double kPost = 0.02, kRoom = 2e-4, kLength = 0.08, kFriction = 0.3;
  const double half_turn = std::sqrt(2.0);  // from the middles of sides to the corners
  const Mat3 aligned = Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()).toRotationMatrix();
  for (const double share : {0.6, 1.6}) {
    CAPTURE(share);
    RigidBody post = fixed(of_mesh("post", make_cylinder(half_turn * kPost, 1, 4), Vec3::Zero()));
    post.pose.linear() = aligned;
    RigidBody ring = of_mesh(
        "ring", test::washer(half_turn * (kPost + kRoom), half_turn * 2 * kPost, kLength, 4),
        Vec3::Zero());
    const double out = share * kLength / (2 * kFriction);
    // Its own axes are turned against the world's, and it leans by more than it has room.
    ring.mass = GivenMass{.mass = 1,
                          .center_of_mass = Vec3(aligned.transpose() * Vec3(out, 0, 0)),
                          .inertia = Mat3(2e-3 * Mat3::Identity())};
    ring.pose.linear() =
        Eigen::AngleAxisd(1.2 * 2 * kRoom / kLength, Vec3::UnitY()).toRotationMatrix() * aligned;
    World world = test::meeting(test::air(), {post, ring}, {1e10, 0.3, kFriction});
    run(world, 100, 0.002);
    const double early = body(world, 1).pose.translation().z();
    run(world, 100, 0.002);
    const double fallen = early - body(world, 1).pose.translation().z();
    if (share > 1)
      CHECK(fallen < 1e-4);
    else
      CHECK(fallen > 0.1);
  }
}

}  // namespace
}  // namespace plimsoll
