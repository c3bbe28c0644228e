// Friction by closed forms of bodies that slide and spin on a plane.
#include "contact/sticking_patch.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/approx.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

constexpr double kGravity = 9.80665;

/// Motion of thousands of steps is none of the address sanitizer's: the rest asks as much.
const doctest::skip kLong(test::kAddressSanitizer);

/// A rigid body on the plane z = 0, of unit mass, that its weight presses evenly on its face.
struct Slider {
  std::vector<Vec3> points;  // from its center
  double inertia;            // about the vertical
  double friction;
  double sink = 1e-6;  // of the springs under its weight [m]
  Vec3 at = Vec3::Zero(), velocity = Vec3::Zero();
  double angle = 0, spin = 0;
  StickingPatch patch = {};
  StickingPatch::Springs springs = {};
  double dissipated = 0;
  FrictionForce last = {};

  void step(double h, const Vec3& pull = Vec3::Zero()) {
    const Eigen::AngleAxisd turn(angle, Vec3::UnitZ());
    std::vector<LoadedPoint> loaded;
    const double load = kGravity / static_cast<double>(points.size());
    for (const Vec3& x : points)
      loaded.push_back({at + turn * x, Vec3::UnitZ(), load, load / sink});
    last = patch.displace({h * velocity, h * spin * Vec3::UnitZ(), at}, loaded, friction, springs);
    dissipated += last.dissipated;
    velocity += h * (last.force + pull);
    spin += h / inertia * (last.torque - at.cross(last.force)).z();
    at += h * velocity;
    angle += h * spin;
  }
};

/// Rings of points that stand for equal areas.
Slider disc(double radius, double friction) {
  Slider body;
  constexpr int kRings = 24, kAround = 48;
  for (int i = 0; i < kRings; ++i)
    for (int k = 0; k < kAround; ++k) {
      const double r = radius * std::sqrt((i + 0.5) / kRings);
      const double angle = 2 * std::numbers::pi * (k + 0.5 * (i % 2)) / kAround;
      body.points.push_back(r * Vec3(std::cos(angle), std::sin(angle), 0));
    }
  body.inertia = radius * radius / 2;
  body.friction = friction;
  return body;
}

Slider square(double side, double friction) {
  Slider body;
  constexpr int kAlong = 10;
  for (int i = 0; i < kAlong; ++i)
    for (int k = 0; k < kAlong; ++k)
      body.points.push_back(side * Vec3((i + 0.5) / kAlong - 0.5, (k + 0.5) / kAlong - 0.5, 0));
  body.inertia = side * side / 6;
  body.friction = friction;
  return body;
}

// Springs of a sink s have a frequency of sqrt(g / s), 3132/s: steps of 1e-4 follow it.
constexpr double kStep = 1e-4;

// All but a thousandth of Coulomb's force, and the springs' last swing of a length of some 1e-6.
TEST_CASE(
    "a block slides v^2 / (2 mu g) in any direction, however it is turned, and does not turn" *
    kLong) {
  for (const double heading : {0.0, 0.3, 1.1, 2.8})
    for (const double yaw : {0.0, 0.5, 0.785}) {
      Slider block = square(0.2, 0.4);
      block.velocity = 2 * Vec3(std::cos(heading), std::sin(heading), 0);
      block.angle = yaw;
      for (int i = 0; i < 5600; ++i) block.step(kStep);
      const double way = 4 / (2 * 0.4 * kGravity);
      CHECK(block.at.norm() == test::approx(way).epsilon(2e-3));
      CHECK((block.at.normalized() - Vec3(std::cos(heading), std::sin(heading), 0)).norm() < 1e-6);
      CHECK(std::fabs(block.angle - yaw) < 1e-6);
      CHECK(block.dissipated == test::approx(2).epsilon(2e-3));
    }
}

TEST_CASE("what is pulled with less than friction sticks where its springs hold it, for 1e5 steps" *
          kLong) {
  Slider block = square(0.2, 0.5);
  const Vec3 pull(0.8 * 0.5 * kGravity, 0, 0);
  double most = 0;
  for (int i = 0; i < 100'000; ++i) {
    // The pull grows slowly, so that springs do not swing.
    block.step(kStep, std::min(1.0, i / 20'000.0) * pull);
    most = std::max(most, block.at.x());
    CHECK_FALSE(block.last.slides);
  }
  // A sink of 1e-6 m under the weight: 0.4e-6 along the plane; the ramp makes it swing by
  // g 0.4 / (2 s) over the square of the frequency, 1e-7 of that.
  CHECK(most < 0.4e-6 * 1.01);
  CHECK(block.at.x() > 0.4e-6 * 0.99);
  CHECK(std::fabs(block.dissipated) < 1e-12);  // rounding of energies of 1e-6 J
}

TEST_CASE("what is pulled with more than friction slides with what is left") {
  Slider block = square(0.2, 0.5);
  for (int i = 0; i < 10'000; ++i) block.step(kStep, Vec3(0.6 * kGravity, 0, 0));
  // A thousandth of friction is left to stick: 5 / 1000 of the rest.
  CHECK(block.velocity.x() == test::approx(0.1 * kGravity).epsilon(7e-3));
  CHECK(block.last.slides);
}

// A spinning disc is slowed by (2 / 3) mu m g R. One that also slides is slowed less each way; its
// two equations have been solved by quadrature to four digits.
TEST_CASE("a disc that spins stops after 3 R w / (4 mu g), and later if it slides too" * kLong) {
  Slider spinning = disc(0.05, 0.3);
  spinning.spin = 20;
  double stopped = 0;
  for (int i = 0; i < 4000 && stopped == 0; ++i) {
    spinning.step(kStep);
    if (spinning.spin < 0.02) stopped = (i + 1) * kStep;
  }
  CHECK(stopped == test::approx(3 * 0.05 * 20 / (4 * 0.3 * kGravity)).epsilon(0.01));
  CHECK(spinning.at.norm() < 1e-9);
  CHECK(spinning.dissipated == test::approx(spinning.inertia / 2 * 400).epsilon(5e-3));

  Slider both = disc(0.05, 0.3);
  both.spin = 20;
  both.velocity = Vec3(1, 0, 0);
  stopped = 0;
  for (int i = 0; i < 6000; ++i) {
    both.step(kStep);
    if (stopped == 0 && std::fabs(both.spin) < 0.2) stopped = (i + 1) * kStep;
  }
  CHECK(stopped == test::approx(0.4553).epsilon(0.01));
  CHECK(both.at.x() == test::approx(0.2167).epsilon(0.01));
  CHECK(std::fabs(both.at.y()) < 1e-4);
}

TEST_CASE("friction is no more than its share of the load at any point, and none without a load") {
  Slider block = square(0.2, 0.5);
  block.velocity = Vec3(3, -1, 0);
  block.spin = 7;
  for (int i = 0; i < 1000; ++i) {
    block.step(kStep);
    CHECK(block.last.force.norm() <= 0.5 * kGravity * (1 + 1e-12));
    CHECK(block.last.dissipated >= -1e-12);
    CHECK(block.last.force.z() == 0);
  }
  StickingPatch patch;
  StickingPatch::Springs springs;
  const LoadedPoint loaded{Vec3::Zero(), Vec3::UnitZ(), 1, 1e6},
      lifted{Vec3::Zero(), Vec3::UnitZ(), 0, 1e6};
  const Displacement aside{Vec3(1e-7, 0, 0), Vec3::Zero(), Vec3::Zero()};
  CHECK(patch.displace(aside, {&loaded, 1}, 0.5, springs).force.x() == test::approx(-0.1));
  CHECK(patch.displace(aside, {&lifted, 1}, 0.5, springs).force == Vec3::Zero());
  // Where it was lifted, it has forgotten.
  CHECK(patch.displace(aside, {&loaded, 1}, 0.5, springs).force.x() == test::approx(-0.1));
  CHECK(patch.displace(aside, {}, 0.5, springs).force == Vec3::Zero());
  CHECK(patch.displace(aside, {&loaded, 1}, 0, springs).force == Vec3::Zero());
}

// What is remembered at one place of the contact tells what is at another: the patch wanders over a
// surface that spins.
TEST_CASE("a displacement is the same about any center, and as the patch wanders") {
  const Vec3 turn(0, 0, 1e-6), shift(3e-8, -2e-8, 0);
  const auto force = [&](const Vec3& center, const Vec3& first_at) {
    StickingPatch patch;
    StickingPatch::Springs springs;
    const LoadedPoint first{first_at, Vec3::UnitZ(), 1, 1e6};
    const LoadedPoint last[2] = {{Vec3(0.3, 0.1, 0), Vec3::UnitZ(), 1, 1e6},
                                 {Vec3(0.2, 0.4, 0), Vec3::UnitZ(), 2, 1e6}};
    static_cast<void>(
        patch.displace({shift + turn.cross(center), turn, center}, {&first, 1}, 0.9, springs));
    return patch.displace({Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}, last, 0.9, springs);
  };
  const FrictionForce here = force(Vec3::Zero(), Vec3::Zero());
  for (const Vec3& center : {Vec3(1, 2, 0), Vec3(-3, 0.5, 0)})
    for (const Vec3& first_at : {Vec3(0, 0, 0), Vec3(0.1, 0.05, 0), Vec3(0.2, -0.1, 0)}) {
      const FrictionForce there = force(center, first_at);
      CHECK((there.force - here.force).norm() < 1e-12);
      CHECK((there.torque - here.torque).norm() < 1e-12);
    }
  // Springs of 1e6 N/m, displaced by shift + turn x: (3, -2) 1e-8 + (-y, x) 1e-6.
  CHECK((here.force - -1e6 * Vec3(2 * 3e-8 - 0.5e-6, 2 * -2e-8 + 0.5e-6, 0)).norm() < 1e-12);
}

// Both turn together, and the springs with them.
TEST_CASE("what sticks is held alike when the whole turns") {
  StickingPatch patch;
  StickingPatch::Springs springs;
  const Displacement aside{Vec3(1e-7, 0, 0), Vec3::Zero(), Vec3::Zero()};
  const Displacement none{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  LoadedPoint point{Vec3(1, 2, 3), Vec3::UnitZ(), 1, 1e6};
  const Vec3 before = patch.displace(aside, {&point, 1}, 0.5, springs).force;
  Mat3 turn = Mat3::Identity();
  for (int i = 0; i < 100; ++i) {
    turn = Eigen::AngleAxisd(0.01, Vec3::UnitY()).toRotationMatrix() * turn;
    point.way = turn * Vec3::UnitZ();
    const Vec3 force = patch.displace(none, {&point, 1}, 0.5, springs).force;
    CHECK((force - turn * before).norm() < 1e-12);
  }
}

// The weak spring gives way at 5e-8 m, where its pull is 0.05 N; the strong one goes on.
TEST_CASE("springs hold what displaced them, until they give way, and lose it with their load") {
  constexpr double kStiffness = 1e6, kFriction = 0.5, kLimit = 0.05;
  const Displacement none{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (const double u : {4e-8, 4.999999e-8, 5.000001e-8, 1e-7}) {
    CAPTURE(u);
    StickingPatch patch;
    StickingPatch::Springs springs;
    LoadedPoint points[2] = {{Vec3::Zero(), Vec3::UnitZ(), kLimit / kFriction, kStiffness},
                             {Vec3::UnitX(), Vec3::UnitZ(), 10, kStiffness}};
    const double give = kLimit / kStiffness, strong = kStiffness / 2 * u * u;
    const double weak = u < give ? strong : kLimit * (u - give / 2);
    const FrictionForce held =
        patch.displace({Vec3(0, u, 0), Vec3::Zero(), Vec3::Zero()}, points, kFriction, springs);
    CHECK_FALSE(held.slides);
    CHECK(held.energy == test::approx(strong + weak).epsilon(1e-9));
    CHECK(held.dissipated == 0);
    CHECK(held.force.y() == test::approx(-kStiffness * u - std::min(kStiffness * u, kLimit)));

    points[0].load /= 2;
    const double left = kLimit / 2 * (u - give / 4);
    const FrictionForce lost = patch.displace(none, points, kFriction, springs);
    CHECK(lost.energy == test::approx(strong + left).epsilon(1e-9));
    CHECK(lost.dissipated == test::approx(weak - left).epsilon(1e-9));
  }
}

TEST_CASE("a point without area and load holds nothing beside one that has both") {
  StickingPatch patch;
  StickingPatch::Springs springs;
  const LoadedPoint points[2] = {{Vec3::Zero(), Vec3::UnitZ(), 0, 0},
                                 {Vec3::UnitX(), Vec3::UnitZ(), 10, 1e6}};
  const FrictionForce held =
      patch.displace({Vec3(0, 1e-7, 0), Vec3::Zero(), Vec3::Zero()}, points, 0.5, springs);
  CHECK(held.energy == test::approx(1e6 / 2 * 1e-14));
  CHECK(held.force.y() == test::approx(-0.1));
}

// A ball in a deep groove turns about the line between the two points where it touches, which goes
// along with it: nothing slips there, but what is 1e-3 beside the points, by 1e-6 in a step. What
// it turns by is remembered no longer than a step.
TEST_CASE("what rolls between two sides is not held") {
  constexpr double kAside = 0.95, kBelow = 0.3, kTurn = 1e-3;
  StickingPatch patch;
  StickingPatch::Springs springs;
  double along = 0;
  for (int step = 0; step < 20'000; ++step) {
    const Vec3 center(0, along, 0);
    const Vec3 turn(-kTurn, 0, 0), shift(0, kTurn * kBelow, 0);
    std::vector<LoadedPoint> points;
    for (const double side : {-1.0, 1.0})
      for (const double off : {-1e-3, 1e-3})
        points.push_back({center + Vec3(side * kAside, off, -kBelow),
                          Vec3(-side * kAside, 0, kBelow).normalized(), 1, 1e3});
    Similarity carried = Similarity::Identity();
    carried.pretranslate(-center);
    carried.prerotate(Eigen::AngleAxisd(-kTurn / 2, Vec3::UnitX()));
    carried.pretranslate(center + shift / 2);
    const FrictionForce felt = patch.displace({shift, turn, center, carried}, points, 0.5, springs);
    CHECK(felt.energy <= 4 * 1e3 / 2 * 1e-6 * 1e-6);
    along += shift.y();
  }
  CHECK(std::fabs(along) > 5);
}

}  // namespace
}  // namespace plimsoll
