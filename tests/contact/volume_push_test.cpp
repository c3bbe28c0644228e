// The push by the volume that is shared: judged by the bed of springs that flat faces have.
#include "contact/volume_push.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "contact/pair_contact.h"
#include "core/random.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/frequency.h"
#include "support/meeting_bodies.h"
#include "support/mesh_parts.h"
#include "support/revolved.h"

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
  const TriangleMesh ring = test::washer(0.6, 1, 0.5, 256);
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

/// Bodies beside each other that are one, as feet of a table are.
TriangleMesh joined_boxes(const std::vector<std::pair<Vec3, Vec3>>& size_and_place) {
  TriangleMesh mesh;
  for (const auto& [size, place] : size_and_place)
    mesh = test::joined(mesh, test::moved(make_box(size), place));
  return mesh;
}

// Of beds of springs all moments are sums over the feet: area, first and second.
TEST_CASE("feet that stand apart, in any directions, push as their beds of springs") {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    std::vector<std::pair<Vec3, Vec3>> feet;
    double area = 0;
    Vec2 first = Vec2::Zero();
    const int count = 1 + static_cast<int>(random.below(4));
    for (int k = 0; k < count; ++k) {
      const Vec3 size(random.uniform(0.05, 0.4), random.uniform(0.05, 0.4), 0.1);
      const Vec3 place(0.6 * (k % 2) + random.uniform(-0.05, 0.05),
                       0.6 * (k / 2) + random.uniform(-0.05, 0.05), 0.049);
      feet.emplace_back(size, place);
      area += size.x() * size.y();
      first += size.x() * size.y() * place.head<2>();
    }
    const Vec2 middle = first / area;
    double second = 0;  // about the middle
    for (const auto& [size, place] : feet)
      second += size.x() * size.y() *
                ((place.head<2>() - middle).squaredNorm() + size.head<2>().squaredNorm() / 12);
    const std::vector<ContactPoint> points = push(joined_boxes(feet), pose(Vec3::Zero()), ground());
    const Sums sums = summed(points);
    CHECK(sums.area == test::approx(area).epsilon(1e-9));
    CHECK(sums.push == test::approx(1e-3 * area).epsilon(1e-9));
    CHECK((sums.first.head<2>() / sums.push - middle).norm() < 1e-9);
    double of_points = 0;
    for (const ContactPoint& point : points)
      of_points += point.area * (point.at.head<2>() - middle).squaredNorm();
    // Points are centroids: parallel axes leave out what is within a sector.
    CHECK(of_points < second * (1 + 1e-9));
    CHECK(of_points > 0.4 * second);
  }
}

// Seen along the push both faces of a plate lie over each other where a ball goes through it: up
// and down by nearly as much.
TEST_CASE("where the patch lies over itself there is one point, with the gradient for its area") {
  OverlapSearch search;
  const TriangleMesh plate = make_box({1, 1, 0.02});
  int single = 0;
  for (const double off : {1e-8, 0.003, 0.01, 0.02}) {
    const Result<Overlap> shared = search.overlap(
        test::solid(make_torus(0.1, 0.04, 24, 16)), Similarity(pose({0.02, 0, off}, 0.7)),
        test::solid(plate), Similarity::Identity(), {.curve = true});
    REQUIRE(shared);
    const std::vector<ContactPoint> points = volume_push(*shared);
    const Sums sums = summed(points);
    single += points.size() == 1 ? 1 : 0;
    if (points.size() == 1) CHECK(sums.area == test::approx(shared->force_a.norm()).epsilon(1e-6));
    CHECK(sums.push == test::approx(shared->volume).epsilon(1e-12));
    double reach = 0;
    for (const auto& [from, to] : shared->curve)
      reach = std::max(reach, (from - *shared->center).norm());
    for (const ContactPoint& point : points)
      CHECK((point.at - *shared->center).norm() <= reach * (1 + 1e-12));
  }
  CHECK(single > 0);
  // A pin through its middle: up and down by as much.
  const TriangleMesh pin = make_box({0.1, 0.15, 1});
  Pose turned(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
  turned.translation() = Vec3(0.05, 0.02, 0);
  CHECK(push(pin, turned, plate).empty());
}

/// Adds a square about a place, to the left as it is walked, or to the right.
void add_square(Overlap& shared, const Vec3& middle, double side, bool is_left) {
  const double h = is_left ? side / 2 : -side / 2;
  const Vec3 corner[] = {middle + Vec3(-side / 2, -h, 0), middle + Vec3(side / 2, -h, 0),
                         middle + Vec3(side / 2, h, 0), middle + Vec3(-side / 2, h, 0)};
  for (int k = 0; k < 4; ++k) shared.curve.push_back({corner[k], corner[(k + 1) % 4]});
  shared.curve_length += 4 * side;
}

TEST_CASE("a layer that pushes the other way makes one point of the patch") {
  Overlap shared;
  shared.overlaps = true;
  shared.volume = 2;
  shared.center = Vec3(0, 0, 0);
  add_square(shared, {0, 0, 0}, 4, true);
  add_square(shared, {2, 0, 0}, 2, false);
  shared.force_a = Vec3(0, 0, 12);
  const std::vector<ContactPoint> points = volume_push(shared);
  REQUIRE(points.size() == 1);
  CHECK(points[0].area == test::approx(12.0).epsilon(1e-12));
  CHECK(points[0].push == test::approx(2.0).epsilon(1e-12));
  CHECK(points[0].at.norm() < 1e-12);
}

// A square patch whose center of push is beyond the middle third: a bed that only pushes.
TEST_CASE("a sector that would pull does not push") {
  Overlap shared;
  shared.overlaps = true;
  shared.volume = 2;
  shared.center = Vec3(0.45, 0, 0);
  shared.force_a = Vec3(0, 0, 1);
  add_square(shared, {0, 0, 0}, 1, true);
  const std::vector<ContactPoint> points = volume_push(shared);
  CHECK(points.size() < 16);
  CHECK(points.size() > 4);
  CHECK(summed(points).push == test::approx(2.0).epsilon(1e-12));
}

// On one plane face the law has the potential K V z, z the depth of the center: a cone's is a
// quarter of its tip's. It is rounded by its 32 sides alone.
TEST_CASE("a cone that falls on a floor keeps the energy that the book has of it" * kLong) {
  RigidBody cone;
  cone.name = "cone";
  TriangleMesh mesh = make_cone(0.1, 0.3, 32);
  for (Vec3& vertex : mesh.vertices) vertex = Vec3(vertex.x(), -vertex.y(), -vertex.z());
  cone.shape = {MeshSolid{std::make_shared<const TriangleMesh>(mesh)}};
  cone.density = 1000;
  cone.pose.translation() = Vec3(0, 0, 0.3);
  cone.velocity = Vec3(0, 0, -2);
  World world = meeting(air(0), {cone, floor_body()}, {1e7, 0, 0, ContactMethod::kVolume});
  const double before = world.energy().total();
  double deepest = 0;
  for (int i = 0; i < 400; ++i) {
    run(world, 1, 1e-3);
    CHECK(world.energy().total() == test::approx(before).epsilon(2e-3));
    if (!world.contacts().empty()) deepest = std::max(deepest, world.energy().contact);
  }
  CHECK(deepest > 0.9 * before);
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
