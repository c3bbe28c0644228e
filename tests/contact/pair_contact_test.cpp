// Bodies in contact, in motion: frequencies, depths, speeds and ways of textbook mechanics.
#include "contact/pair_contact.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/frequency.h"
#include "support/mesh_parts.h"
#include "support/sanitizers.h"
#include "support/threads.h"

namespace plimsoll {
namespace {

constexpr double kGravity = 9.80665;

/// Motion of thousands of steps is none of the address sanitizer's: contact_test asks as much.
const doctest::skip kLong(test::kAddressSanitizer);

/// A body whose moments of inertia are equal, as those of cubes and balls are: it turns at a
/// constant rate where nothing turns it.
struct Body {
  SolidTree solid;
  double mass, inertia;
  bool is_fixed = false;
  Vec3 at = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  [[nodiscard]] MovingSolid moving() const {
    MovingSolid now{&solid};
    now.world_from_solid.linear() = turn.toRotationMatrix();
    now.world_from_solid.translation() = at;
    now.center = at;
    now.velocity = velocity;
    now.angular_velocity = spin;
    now.inverse_mass = is_fixed ? 0 : 1 / mass;
    return now;
  }
  void kick(const Vec3& impulse, const Vec3& angular) {
    if (is_fixed) return;
    velocity += impulse / mass;
    spin += angular / inertia;
  }
  void drift(double h) {
    if (is_fixed) return;
    at += h * velocity;
    const double angle = h * spin.norm();
    if (angle > 0) turn = (Eigen::AngleAxisd(angle, spin.normalized()) * turn).normalized();
  }
  [[nodiscard]] double kinetic() const {
    return mass / 2 * velocity.squaredNorm() + inertia / 2 * spin.squaredNorm();
  }
};

Body cube(double side, double density = 1000) {
  const double mass = density * side * side * side;
  return {test::solid(make_box({side, side, side})), mass, mass * side * side / 6};
}

Body plane() {
  return {test::solid(test::moved(make_box({40, 40, 1}), {0.1, 0.2, -0.5})), 1, 1, true};
}

/// Two bodies by the leapfrog.
struct Meeting {
  Body a, b;
  PairLaw law;
  Vec3 gravity = Vec3(0, 0, -kGravity);
  PairContact contact = {};
  PairContactSearch search = {};
  PairForces now = {};
  double taken = 0;  // by what resists, from the bodies

  void find() {
    const Result<PairForces> found = search.forces(contact, a.moving(), b.moving(), law);
    REQUIRE(found);
    now = *found;
  }
  /// A force F does the work F . v in the middle of the kick.
  void kick(double h) {
    const PairForce &elastic = now.elastic, &resisting = now.resisting;
    const auto power = [&] {
      return resisting.force.dot(a.velocity - b.velocity) + resisting.torque_a.dot(a.spin) +
             resisting.torque_b.dot(b.spin);
    };
    taken -= h / 2 * power();
    a.kick(h * (elastic.force + resisting.force + a.mass * gravity),
           h * (elastic.torque_a + resisting.torque_a));
    b.kick(h * (b.mass * gravity - elastic.force - resisting.force),
           h * (elastic.torque_b + resisting.torque_b));
    taken -= h / 2 * power();
  }
  void step(double h) {
    kick(h / 2);
    a.drift(h);
    b.drift(h);
    find();
    kick(h / 2);
  }
};

// The sides of the cube and rims of the plane change the stiffness by shares of the order of the
// depth, 1e-3 of the side, and cells leave out 1 % of a face's moment: half of that of a frequency.
TEST_CASE("a cube on a plane heaves and rocks with the frequencies of its bed of springs" * kLong) {
  constexpr double kSide = 0.1, kStiffness = 1e7, kStep = 2e-4;
  const double mass = 1000 * kSide * kSide * kSide;
  const double sink = mass * kGravity / (kStiffness * kSide * kSide);
  for (const bool rocks : {false, true}) {
    Meeting meeting{cube(kSide), plane(), {kStiffness, 0, 0}};
    meeting.a.at = Vec3(0, 0, kSide / 2 - (rocks ? 1 : 0.8) * sink);
    if (rocks) meeting.a.turn = Eigen::AngleAxisd(0.8 * sink / kSide, Vec3::UnitY());
    meeting.find();
    std::vector<double> x;
    for (int i = 0; i < 1500; ++i) {
      meeting.step(kStep);
      x.push_back(rocks ? meeting.a.turn.y() : meeting.a.at.z());
    }
    const double square = rocks ? kStiffness * kSide * kSide / (2 * mass) - 3 * kGravity / kSide
                                : kStiffness * kSide * kSide / mass;
    CHECK(test::frequency(x, kStep) ==
          test::approx(std::sqrt(square) / (2 * std::numbers::pi)).epsilon(0.01));
  }
}

TEST_CASE("a damped cube comes to rest where its weight presses it" * kLong) {
  constexpr double kSide = 0.1, kStiffness = 1e7;
  Meeting meeting{cube(kSide), plane(), {kStiffness, 0.5, 0.5}};
  meeting.a.at = Vec3(0.01, 0.02, 0.51 * kSide);
  meeting.find();
  for (int i = 0; i < 5000; ++i) meeting.step(2e-4);
  const double sink = meeting.a.mass * kGravity / (kStiffness * kSide * kSide);
  CHECK((kSide / 2 - meeting.a.at.z()) / sink == test::approx(1).epsilon(6e-3));
  CHECK(meeting.a.velocity.norm() < 1e-6);
  CHECK(meeting.a.spin.norm() < 1e-5);
  CHECK((meeting.a.at - Vec3(0.01, 0.02, meeting.a.at.z())).norm() < 1e-6);
}

TEST_CASE("a cube that falls and is not damped comes back to its height" * kLong) {
  constexpr double kSide = 0.1, kStiffness = 1e7;
  Meeting meeting{cube(kSide), plane(), {kStiffness, 0, 0}};
  meeting.a.at = Vec3(0, 0, 0.8 * kSide);
  meeting.find();
  double highest = 0;
  for (int i = 0; i < 16'000; ++i) {
    meeting.step(2e-5);
    if (i > 8000) highest = std::max(highest, meeting.a.at.z());
  }
  // Two or three bounces; steps of w h = 0.02 change the energy by 1e-4 or so each.
  CHECK(highest == test::approx(0.8 * kSide).epsilon(1e-3));
}

TEST_CASE("on a slope a cube sticks below the angle of friction and slides above it" * kLong) {
  constexpr double kSide = 0.14;
  for (const auto& [degrees, friction] : {std::pair(20.0, 0.5), std::pair(30.0, 0.3)}) {
    const double angle = degrees * std::numbers::pi / 180;
    Meeting meeting{cube(kSide), plane(), {4e7, 0.5, friction}};
    meeting.gravity = kGravity * Vec3(std::sin(angle), 0, -std::cos(angle));
    const double sink = 1000 * kSide * kGravity * std::cos(angle) / 4e7;
    meeting.a.at = Vec3(0, 0, kSide / 2 - sink);
    meeting.find();
    double way[3] = {};
    for (int i = 1; i <= 3750; ++i) {
      meeting.step(4e-4);
      if (i % 1250 == 0) way[i / 1250 - 1] = meeting.a.at.x();
    }
    if (degrees < 25) {
      CHECK(std::fabs(way[2] - way[1]) < 1e-5 * kSide / 4);  // in half a second
    } else {
      const double speeding = (way[2] - 2 * way[1] + way[0]) / 0.25;
      CHECK(speeding ==
            test::approx(kGravity * (std::sin(angle) - friction * std::cos(angle))).epsilon(0.01));
    }
    CHECK(meeting.a.spin.norm() < 1e-3);
  }
}

// A ball of icosphere triangles rolls over edges of a hundredth of its radius high.
TEST_CASE("a ball rolls with 5/7 of the slope, and slips where friction is too little" * kLong) {
  const double angle = 20 * std::numbers::pi / 180;
  for (const double friction : {0.3, 0.05}) {
    Body ball{test::solid(make_icosphere(0.1, 4)), 4.18, 4.18 * 0.4 * 0.01};
    Meeting meeting{std::move(ball), plane(), {1e7, 0, friction}};
    meeting.gravity = kGravity * Vec3(std::sin(angle), 0, -std::cos(angle));
    meeting.a.at = Vec3(0, 0, 0.0992);
    meeting.find();
    double way[3] = {};
    for (int i = 1; i <= 1200; ++i) {
      meeting.step(5e-4);
      if (i % 400 == 0) way[i / 400 - 1] = meeting.a.at.x();
    }
    const double wanted = friction > 0.2
                              ? 5.0 / 7 * kGravity * std::sin(angle)
                              : kGravity * (std::sin(angle) - friction * std::cos(angle));
    CHECK((way[2] - 2 * way[1] + way[0]) / 0.04 == test::approx(wanted).epsilon(0.05));
  }
}

TEST_CASE("two cubes in space keep their momenta, and the book of energy closes" * kLong) {
  Meeting meeting{cube(0.7, 700), cube(0.9, 400), {3e7, 0.2, 0.3}, Vec3::Zero()};
  Body &a = meeting.a, &b = meeting.b;
  a.at = Vec3(-1, 0.1, 0.05);
  a.velocity = Vec3(1.5, 0, 0);
  a.spin = Vec3(0.3, -0.2, 0.5);
  b.at = Vec3(1, -0.1, -0.05);
  b.velocity = Vec3(-1, 0.1, 0);
  b.turn = Eigen::AngleAxisd(0.4, Vec3::UnitY());
  const auto momentum = [&] { return Vec3(a.mass * a.velocity + b.mass * b.velocity); };
  const auto angular = [&] {
    return Vec3(a.mass * a.at.cross(a.velocity) + a.inertia * a.spin +
                b.mass * b.at.cross(b.velocity) + b.inertia * b.spin);
  };
  const Vec3 before = momentum(), turning = angular();
  const double energy = a.kinetic() + b.kinetic();
  meeting.find();
  bool met = false;
  for (int i = 0; i < 20'000; ++i) {
    meeting.step(5e-5);
    met = met || meeting.now.overlaps;
  }
  CHECK(met);
  CHECK_FALSE(meeting.now.overlaps);
  CHECK((momentum() - before).norm() < 1e-11 * a.mass);
  CHECK((angular() - turning).norm() < 1e-9 * a.mass);
  // As a bounce without damping.
  CHECK(std::fabs(a.kinetic() + b.kinetic() + meeting.taken - energy) < 1e-4 * energy);
  CHECK(meeting.taken > 0);
}

TEST_CASE("damping never pulls: bodies that part fast are let go") {
  Meeting meeting{cube(0.1), plane(), {1e7, 1, 0}};
  meeting.a.at = Vec3(0, 0, 0.0499);
  for (const double speed : {-30.0, -1.0, 0.0, 1.0, 30.0}) {
    meeting.a.velocity = Vec3(0, 0, speed);
    meeting.find();
    const double elastic = 1e7 * 0.01 * 1e-4;
    const PairForces& now = meeting.now;
    const double push = now.elastic.force.z() + now.resisting.force.z();
    // The strips along the rims are a thousandth of the side wide, and agree with the push to as
    // much.
    CHECK(push >= -2e-6 * elastic);
    CHECK(push <= 2 * elastic * 1.01);
    CHECK(speed * now.resisting.force.z() <= 0);
    if (speed == 0) CHECK(push == test::approx(elastic).epsilon(5e-3));
  }
}

// Springs of K A in all: sides of the cube as wide as it is deep, 4 h / a of the face, are held
// too.
TEST_CASE("what sticks is held by springs, that turn with both bodies and hold energy") {
  constexpr double kSide = 0.1, kDepth = 1e-5, kStiffness = 1e7, kArea = kSide * kSide;
  constexpr double kSides = 8 * kDepth / kSide;
  Meeting meeting{cube(kSide), plane(), {kStiffness, 0.2, 10}};
  Body &a = meeting.a, &b = meeting.b;
  a.at = Vec3(0, 0, kSide / 2 - kDepth);
  meeting.find();
  CHECK(meeting.now.held == 0);

  constexpr double kShift = 1e-7;
  a.at.x() += kShift;
  meeting.find();
  const double force = kStiffness * kArea * kShift, energy = force * kShift / 2;
  CHECK(meeting.now.resisting.force.x() == test::approx(-force).epsilon(kSides));
  CHECK(meeting.now.held == test::approx(energy).epsilon(kSides));

  // A twist by t about the middle of the face: springs at x are displaced by t |x|, of mean square
  // a^2 / 6, which cells leave out 3 % of. No torque changes by more than is said.
  constexpr double kTwist = 1e-6;
  const double before = meeting.now.resisting.torque_a.z();
  a.turn = Eigen::AngleAxisd(kTwist, Vec3::UnitZ()) * a.turn;
  meeting.find();
  const double twisted = before - meeting.now.resisting.torque_a.z();
  CHECK(twisted == test::approx(kStiffness * kArea * kSide * kSide / 6 * kTwist).epsilon(0.04));
  CHECK(twisted <= 1.01 * meeting.now.turning_a(2, 2) * kTwist);

  // Both go along with the world: nothing is displaced.
  const PairForces held = meeting.now;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.3, Vec3(1, 2, -1).normalized()));
  for (int k = 0; k < 3; ++k)
    for (Body* body : {&a, &b}) {
      body->at = turn * body->at + Vec3(0.2, -0.1, 0.3);
      body->turn = turn * body->turn;
      if (body == &a) continue;
      meeting.find();
      const Mat3 so_far = b.turn.toRotationMatrix();
      CHECK(meeting.now.held == test::approx(held.held).epsilon(kSides));
      CHECK((meeting.now.resisting.force - so_far * held.resisting.force).norm() < kSides * force);
      CHECK((meeting.now.resisting.torque_a - so_far * held.resisting.torque_a).norm() <
            kSides * force * kSide);
    }
}

// Of critical: the swing falls by exp(-2 pi z / sqrt(1 - z^2)) from one to the next of the same
// side.
TEST_CASE("a damped cube swings about where it rests by less and less" * kLong) {
  constexpr double kSide = 0.1, kStiffness = 1e7, kDamping = 0.1, kStep = 1e-4;
  Meeting meeting{cube(kSide), plane(), {kStiffness, kDamping, 0}};
  const double sink = meeting.a.mass * kGravity / (kStiffness * kSide * kSide);
  meeting.a.at = Vec3(0, 0, kSide / 2 - 0.8 * sink);
  meeting.find();
  std::vector<double> highest;
  double before = 0, now = 0.2 * sink;
  for (int i = 0; i < 2000 && highest.size() < 3; ++i) {
    meeting.step(kStep);
    const double next = meeting.a.at.z() - kSide / 2 + sink;
    if (now > before && now > next && now > 0) highest.push_back(now);
    before = now;
    now = next;
  }
  REQUIRE(highest.size() == 3);
  const double falls =
      std::exp(-2 * std::numbers::pi * kDamping / std::sqrt(1 - kDamping * kDamping));
  CHECK(highest[1] / highest[0] == test::approx(falls).epsilon(0.02));
  CHECK(highest[2] / highest[1] == test::approx(falls).epsilon(0.02));
}

TEST_CASE("damping along the push does not hold what slides") {
  constexpr double kSide = 0.1, kDepth = 1e-4, kSides = 8 * kDepth / kSide, kStiffness = 1e7;
  Meeting meeting{cube(kSide), plane(), {kStiffness, 0.5, 0}};
  meeting.a.at = Vec3(0, 0, kSide / 2 - kDepth);
  meeting.a.velocity = Vec3(2, 1, 0);
  meeting.find();
  const PairForces& now = meeting.now;
  // The rims' pushes cancel each other, so that the whole agrees but for the square of their share.
  CHECK(now.resisting.force.head<2>().norm() < kSides * kSides * now.elastic.force.z());
}

// Its flanks lean: what they push adds up to a push along the axis, along which the nut moves.
// Facets of 48 slices leave 0.02 mm of their thread, a fifth of the depth here.
TEST_CASE("a nut that slides along its thread is not damped, and one that is pulled off it is") {
  const test::Thread thread;
  constexpr double kSpeed = 0.1;
  PairLaw law;
  law.stiffness = 1e11;
  law.damping = 0.2;
  law.friction = 0;
  for (const ContactMethod method : {ContactMethod::kExact, ContactMethod::kLesserDepth}) {
    law.method = method;
    Body post{test::solid(test::bolt(thread, 72)), 1, 1, true};
    Body nut{test::solid(test::nut(thread, 12, 3e-4, 0.02)), 1, 1};
    nut.at = Vec3(0, 0, thread.lead / 2 - 3e-4 - 1e-4);
    const auto damping = [&](const Vec3& velocity, double spin) {
      nut.velocity = velocity;
      nut.spin = Vec3(0, 0, spin);
      PairContact memory;
      PairContactSearch search;
      const Result<PairForces> found = search.forces(memory, nut.moving(), post.moving(), law);
      REQUIRE(found);
      CHECK(found->elastic.force.z() > 0);
      return found->resisting.force.z();
    };
    const double spin = -kSpeed / thread.lead * 2 * std::numbers::pi;
    const double off_it = damping({0, 0, -kSpeed}, 0);
    CHECK(off_it > 0);
    CHECK(std::fabs(damping({0, 0, -kSpeed}, spin)) < 0.1 * off_it);
    CHECK(damping({0, 0, -kSpeed}, -spin) > off_it);
  }
}

}  // namespace
}  // namespace plimsoll
