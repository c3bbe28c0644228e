// The push by the volume that is shared: judged by the bed of springs that flat faces have.
#include "contact/volume_push.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "contact/pair_contact.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/frequency.h"
#include "support/meeting_bodies.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

using test::air;
using test::body;
using test::box;
using test::floor_body;
using test::kLong;
using test::meeting;
using test::run;

std::vector<ContactPoint> push(const TriangleMesh& a, const Pose& pose, const TriangleMesh& b) {
  OverlapSearch search;
  const Result<Overlap> shared = search.overlap(test::solid(a), Similarity(pose), test::solid(b),
                                                Similarity::Identity(), {.curve = true});
  REQUIRE(shared);
  return volume_push(*shared);
}

struct Sums {
  double push = 0, area = 0, pressed = 0;
  Vec3 first = Vec3::Zero();
};

Sums summed(const std::vector<ContactPoint>& points) {
  Sums sums;
  for (const ContactPoint& point : points) {
    sums.push += point.push;
    sums.area += point.area;
    sums.pressed += point.pressed;
    sums.first += point.push * point.at;
    CHECK(point.push > 0);
    CHECK(point.area > 0);
  }
  return sums;
}

/// A disc with a hole, of which corners of the inner and the outer circle are joined.
TriangleMesh washer(double inner, double outer, double height, std::uint32_t slices) {
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < slices; ++k) {
    const double angle = 2 * std::numbers::pi * k / slices;
    for (const auto& [radius, side] :
         {std::pair(inner, -1), std::pair(outer, -1), std::pair(outer, 1), std::pair(inner, 1)})
      mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle),
                                 side * height / 2);
  }
  for (std::uint32_t k = 0; k < slices; ++k)
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t next = 4 * ((k + 1) % slices), here = 4 * k, j = (i + 1) % 4;
      mesh.triangles.push_back({here + i, next + i, next + j});
      mesh.triangles.push_back({here + i, next + j, here + j});
    }
  return mesh;
}

/// Its upper face is at z = 0.
TriangleMesh ground() { return test::moved(make_box({4, 4, 1}), {0, 0, -0.5}); }

Pose pose(const Vec3& place, double tilt = 0) {
  Pose pose(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
  pose.translation() = place;
  return pose;
}

TEST_CASE("a flat face pushes with its area times how far it is pressed in, at its middle") {
  const std::vector<ContactPoint> points =
      push(make_box({1, 0.6, 0.5}), pose({0.3, -0.2, 0.249}), ground());
  CHECK(points.size() == 16);
  const Sums sums = summed(points);
  CHECK(sums.push == test::approx(0.6e-3).epsilon(1e-12));
  CHECK(sums.area == test::approx(0.6).epsilon(1e-12));
  CHECK(sums.pressed == test::approx(0.6 * 1e-6 / 2).epsilon(1e-9));
  CHECK((sums.first / sums.push - Vec3(0.3, -0.2, -0.5e-3)).norm() < 1e-12);
  for (const ContactPoint& point : points) {
    CHECK((point.way - Vec3::UnitZ()).norm() < 1e-12);
    CHECK(point.push / point.area == test::approx(1e-3).epsilon(1e-9));
  }
}

// A face of a x b that is pressed in by h in its middle and tilted by t about y has the moment
// t a^3 b / 12 of a bed of springs about its middle: here of depths 0.02 +- 0.01.
TEST_CASE("a tilted face is pushed back by the moment of its bed of springs") {
  constexpr double kTilt = 0.02, kDepth = 0.02;
  const Vec3 middle(0, 0, -kDepth);  // of the face
  const Vec3 up = pose(Vec3::Zero(), kTilt).linear().col(2);
  const std::vector<ContactPoint> points =
      push(make_box({1, 0.6, 0.5}), pose(middle + 0.25 * up, kTilt), ground());
  const Sums sums = summed(points);
  double moment = 0;
  for (const ContactPoint& point : points) moment -= point.push * (point.at - middle).x();
  // The face's shares of both are by tilt and depth: sizes are cosines, and sides lean by them.
  CHECK(sums.push == test::approx(0.6 * kDepth).epsilon(2 * kTilt * kTilt));
  CHECK(std::fabs(moment) == test::approx(kTilt * 0.6 / 12).epsilon(2 * kDepth));
  CHECK(moment * up.x() < 0);  // it turns the face back
}

// The sixteen centroids of a disc's sectors are at (2/3) sinc(pi/16) of its radius, those of a
// ring's of radii r and s at (2/3) sinc(pi/16) (s^3 - r^3) / (s^2 - r^2).
TEST_CASE("what holds against spin is spread over discs and rings as their area is") {
  const double sinc = std::sin(std::numbers::pi / 16) / (std::numbers::pi / 16);
  const TriangleMesh disc = make_cylinder(1, 0.5, 256);
  const TriangleMesh ring = washer(0.6, 1, 0.5, 256);
  for (const double hole : {0.0, 0.6}) {
    CAPTURE(hole);
    const std::vector<ContactPoint> points =
        push(hole == 0 ? disc : ring, pose({0, 0, 0.249}), ground());
    double radius = 0;
    for (const ContactPoint& point : points) radius += point.push * point.at.head<2>().norm();
    const Sums sums = summed(points);
    const double mean = 2.0 / 3 * sinc * (1 - hole * hole * hole) / (1 - hole * hole);
    CHECK(radius / sums.push == test::approx(mean).epsilon(1e-3));  // 256 corners for a circle
    CHECK(sums.area == test::approx(std::numbers::pi * (1 - hole * hole)).epsilon(1e-3));
  }
}

TEST_CASE("a body that lies in another one is not pushed, and is deep") {
  CHECK(push(make_box({0.1, 0.1, 0.1}), pose({0, 0, -0.5}), ground()).empty());
  CHECK(push(make_box({0.1, 0.1, 0.1}), pose({0, 0, 0.5}), ground()).empty());
  World world = meeting(air(0), {box("a", {0.1, 0.1, 0.1}, {0, 0, -0.5}), floor_body()},
                        {.method = ContactMethod::kVolume});
  run(world, 1);
  REQUIRE(world.contacts().size() == 1);
  CHECK(world.contacts()[0].force.norm() == 0);
  CHECK(world.contacts()[0].is_deep);
}

// m g / (K a^2); of an edge of a body that sinks in there is more volume by its share.
TEST_CASE("a cube rests by its volume as on a bed of springs, and on a slope it sticks" * kLong) {
  constexpr double kStiffness = 1e8, kWeight = 500 * 9.80665;
  for (const double slope : {0.0, 0.3}) {
    CAPTURE(slope);
    const Pose turned(Eigen::AngleAxisd(slope, Vec3::UnitY()));
    RigidBody floor = floor_body();
    floor.pose = turned * floor.pose;
    RigidBody cube = box("cube", {1, 1, 1}, Vec3::Zero());
    cube.pose = turned * pose({0, 0, 0.5});
    World world = meeting(air(), {floor, cube}, {kStiffness, 0.5, 0.5, ContactMethod::kVolume});
    run(world, 400);
    const Vec3 at = turned.inverse() * body(world, 1).pose.translation();
    CHECK(0.5 - at.z() == test::approx(kWeight * std::cos(slope) / kStiffness).epsilon(1e-3));
    const Vec3 before = at;
    run(world, 400);
    const Vec3 after = turned.inverse() * body(world, 1).pose.translation();
    CHECK((after - before).norm() < 1e-7);
    CHECK(body(world, 1).velocity.norm() < 1e-6);
  }
}

// Without friction w^2 = K a^2 / (2 m) - 3 g / a; sixteen points of a square hold 0.94 of its
// second moment, but the torque is that of the volume's center.
TEST_CASE("a cube rocks on its volume with the frequency of a bed of springs" * kLong) {
  constexpr double kStiffness = 1e6, kTilt = 1e-4;
  RigidBody cube = box("cube", {1, 1, 1}, {0, 0, 0.5 - 500 * 9.80665 / kStiffness});
  cube = test::tilted(cube, kTilt, Vec3::UnitX());
  World world = meeting(air(), {floor_body(), cube}, {kStiffness, 0, 0, ContactMethod::kVolume});
  std::vector<double> tilt;
  constexpr double kStep = 1e-3;
  for (int i = 0; i < 1500; ++i) {
    run(world, 1, kStep);
    tilt.push_back(body(world, 1).pose.linear()(2, 1));
  }
  const double expected = std::sqrt(kStiffness / (2 * 500) - 3 * 9.80665);
  CHECK(test::frequency(tilt, kStep) * 2 * std::numbers::pi ==
        test::approx(expected).epsilon(0.01));
}

// A disc that spins on its face stops after 3 R w / (4 mu g).
TEST_CASE("a disc that spins on its volume stops in time" * kLong) {
  constexpr double kRadius = 0.05, kSpin = 20, kFriction = 0.3;
  RigidBody disc;
  disc.name = "disc";
  disc.shape = {Cylinder{kRadius, 0.02}};
  disc.density = 1000;
  disc.pose.translation() = Vec3(0, 0, 0.01 - 1e-6);
  disc.angular_velocity = Vec3(0, 0, kSpin);
  World world =
      meeting(air(), {floor_body(), disc}, {std::nullopt, 0.5, kFriction, ContactMethod::kVolume});
  const double stop = 3 * kRadius * kSpin / (4 * kFriction * 9.80665);
  run(world, static_cast<int>(0.9 * stop / 1e-3), 1e-3);
  const double spin = body(world, 1).angular_velocity.z();
  CHECK(spin == test::approx(0.1 * kSpin).epsilon(0.3));  // 3 % of what it has lost
  run(world, static_cast<int>(0.15 * stop / 1e-3), 1e-3);
  CHECK(std::fabs(body(world, 1).angular_velocity.z()) < 0.01 * kSpin);
}

}  // namespace
}  // namespace plimsoll
