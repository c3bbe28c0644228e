// The inner spheres of one body against the surface of another: judged by the caps of balls.
#include "contact/spheres_in_solid.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_packing.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "contact/pair_contact.h"
#include "core/random.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/meeting_bodies.h"
#include "support/mesh_parts.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using test::air;
using test::body;
using test::box;
using test::floor_body;
using test::meeting;
using test::run;

constexpr double kForever = std::numeric_limits<double>::infinity();

SphereTree tree_of(const TriangleMesh& mesh, std::size_t count) {
  const Result<ClosedMesh> solid = ClosedMesh::borrow(mesh);
  REQUIRE(solid);
  const Result<SpherePacking> packing = pack_spheres(*solid, {.max_count = count});
  REQUIRE(packing);
  Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres);
  REQUIRE(tree);
  return *std::move(tree);
}

Similarity placed(const Vec3& at, double scale = 1, const Vec3& turn = Vec3::Zero()) {
  Similarity pose = Similarity::Identity();
  const Mat3 rotation = turn.norm() > 0
                            ? Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix()
                            : Mat3(Mat3::Identity());
  pose.linear() = scale * rotation;
  pose.translation() = at;
  return pose;
}

struct Push {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // about the origin
  double energy = 0;
};

Push pushed(const SpheresInSolid& found) {
  Push sum;
  for (const ContactPoint& point : found.points) {
    sum.force += point.push * point.way;
    sum.torque += point.at.cross(point.push * point.way);
    sum.energy += point.pressed;
  }
  return sum;
}

/// A polygon, all of which its first corner sees, from z = -1/2 to 1/2.
TriangleMesh prism(const std::vector<Vec2>& corners) {
  TriangleMesh mesh;
  const auto count = static_cast<std::uint32_t>(corners.size());
  for (const double z : {-0.5, 0.5})
    for (const Vec2& corner : corners) mesh.vertices.emplace_back(corner.x(), corner.y(), z);
  for (std::uint32_t k = 1; k + 1 < count; ++k) {
    mesh.triangles.push_back({0, k + 1, k});
    mesh.triangles.push_back({count, count + k, count + k + 1});
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    mesh.triangles.push_back({k, next, count + next});
    mesh.triangles.push_back({k, count + next, count + k});
  }
  return mesh;
}

/// Its upper face is at z = 0.
TriangleMesh ground() { return test::moved(make_box({4, 4, 1}), {0, 0, -0.5}); }

TEST_CASE("a ball is pushed by the cap that a face cuts off, out of either side of the solid") {
  const SphereTree ball = tree_of(make_icosphere(1, 3), 1);
  REQUIRE(ball.spheres().size() == 1);
  const double r = 0.1 * ball.spheres()[0].radius;
  const Vec3 off = 0.1 * ball.spheres()[0].center;
  SpheresInSolidSearch search;
  for (const bool inward : {false, true})
    for (const double height : {1.2, 1.0, 0.7, 0.1, 0.0, -0.4, -0.99, -1.0, -1.5}) {
      CAPTURE(height);
      TriangleMesh mesh = ground();
      if (inward)
        for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
      const SolidTree solid = test::solid(mesh);
      const SpheresInSolid found = search.find(ball, placed(Vec3(0.3, 0.2, height * r) - off, 0.1),
                                               solid, Similarity::Identity(), kForever);
      CHECK(found.is_complete);
      const double h = std::clamp(r - height * r, 0.0, 2 * r);
      const double cap = std::numbers::pi / 3 * h * h * (3 * r - h);
      if (!(cap > 0)) {
        CHECK(found.points.empty());
        CHECK(found.volume == 0);
        continue;
      }
      REQUIRE(found.points.size() == 1);
      const ContactPoint& point = found.points[0];
      CHECK(point.push == test::approx(cap).epsilon(1e-12));
      CHECK(found.volume == test::approx(cap).epsilon(1e-12));
      CHECK((point.way - Vec3::UnitZ()).norm() < 1e-12);
      CHECK((point.at - Vec3(0.3, 0.2, 0)).norm() < 1e-12);
      const double disk = std::max(0.0, std::numbers::pi * (r * r - height * height * r * r));
      CHECK(point.area == test::approx(disk).scale(r * r).epsilon(1e-12));
      CHECK(found.area == point.area);
    }
}

// In the middle of the hole the nearest points are edges of triangles as often as faces.
TEST_CASE("what is in the hole of a ring, or in a hollow, is outside") {
  const SphereTree ball = tree_of(make_icosphere(0.2, 2), 30);
  SpheresInSolidSearch search;
  const SolidTree ring = test::solid(make_torus(1, 0.4, 24, 16));
  CHECK(
      search.find(ball, placed({0, 0, 0}), ring, Similarity::Identity(), kForever).points.empty());
  const SpheresInSolid in =
      search.find(ball, placed({1, 0, 0}), ring, Similarity::Identity(), kForever);
  double whole = 0;
  for (const PlacedSphere& sphere : ball.spheres())
    whole += 4.0 / 3 * std::numbers::pi * std::pow(sphere.radius, 3);
  CHECK(in.volume == test::approx(whole).epsilon(1e-12));
  CHECK(in.area == 0);
}

// A notch of a right angle points into an L: in front of its corner, the nearest point of what is
// inside is no face's, and the way out is towards it.
TEST_CASE("beside an edge that bends inward a sphere inside is pushed towards it") {
  const SphereTree ball = tree_of(make_icosphere(1, 3), 1);
  const double r = 0.1 * ball.spheres()[0].radius;
  const Vec3 off = 0.1 * ball.spheres()[0].center;
  const TriangleMesh l = prism({{0, 0}, {1, 0}, {1, 0.5}, {0.5, 0.5}, {0.5, 1}, {0, 1}});
  SpheresInSolidSearch search;
  const Vec3 edge(0.5, 0.5, 0.2), way = Vec3(1, 1, 0).normalized();
  for (const double deep : {0.5, 2.0}) {
    CAPTURE(deep);
    const SpheresInSolid found = search.find(ball, placed(edge - deep * r * way - off, 0.1),
                                             test::solid(l), Similarity::Identity(), kForever);
    REQUIRE(found.points.size() == 1);
    CHECK((found.points[0].way - way).norm() < 1e-9);
    CHECK((found.points[0].at - edge).norm() < 1e-9);
    const double h = std::min(2 * r, r + deep * r);
    CHECK(found.volume == test::approx(std::numbers::pi / 3 * h * h * (3 * r - h)).epsilon(1e-9));
  }
}

// In front of a blade most places are behind the plane of one of its faces.
TEST_CASE("in front of a sharp edge is outside") {
  const SphereTree ball = tree_of(make_icosphere(1, 3), 1);
  const double r = 0.1 * ball.spheres()[0].radius;
  const Vec3 off = 0.1 * ball.spheres()[0].center;
  const SolidTree blade = test::solid(prism({{0, 0}, {-1, 0.1}, {-1, -0.1}}));
  SpheresInSolidSearch search;
  for (int degrees = -75; degrees <= 75; degrees += 5) {
    CAPTURE(degrees);
    const double angle = degrees * std::numbers::pi / 180;
    const Vec3 aside(std::cos(angle), std::sin(angle), 0);
    const auto at = [&](double distance) {
      return search.find(ball, placed(Vec3(0, 0, 0.1) + distance * r * aside - off, 0.1), blade,
                         Similarity::Identity(), kForever);
    };
    CHECK(at(1.5).points.empty());
    const SpheresInSolid touched = at(0.5);
    REQUIRE(touched.points.size() == 1);
    CHECK((touched.points[0].way - aside).norm() < 1e-9);
    const double h = 0.5 * r;
    CHECK(touched.volume == test::approx(std::numbers::pi / 3 * h * h * (3 * r - h)).epsilon(1e-9));
  }
}

// The gradient by differences of 1e-6: their error is the potential's third derivative times its
// square, and rounding over it.
TEST_CASE("force and torque are those of the potential, beside edges and corners too") {
  const SphereTree spheres = tree_of(make_torus(0.3, 0.12, 16, 12), 200);
  const SolidTree solid = test::solid(make_box({1, 1, 1}));
  SpheresInSolidSearch search;
  Random random(11);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 20; ++i) {
    const Vec3 at(random.uniform(0.3, 0.7), random.uniform(0.3, 0.7), random.uniform(0.3, 0.7));
    const Vec3 turn(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    const auto energy = [&](const Vec3& shift, const Vec3& spin) {
      const Similarity moved = placed(shift, 1, spin) * placed(at, 0.8, turn);
      return pushed(search.find(spheres, moved, solid, Similarity::Identity(), kForever)).energy;
    };
    const Push push = pushed(
        search.find(spheres, placed(at, 0.8, turn), solid, Similarity::Identity(), kForever));
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = kStep * Vec3::Unit(k), none = Vec3::Zero();
      const double force = -(energy(step, none) - energy(-step, none)) / (2 * kStep);
      const double torque = -(energy(none, step) - energy(none, -step)) / (2 * kStep);
      CHECK(std::fabs(push.force[k] - force) < 1e-7);
      CHECK(std::fabs(push.torque[k] - torque) < 1e-7);
    }
  }
}

TEST_CASE("without time what lies across the surface does not push, and what is inside does") {
  const TriangleMesh mesh = make_box({0.4, 0.4, 0.4});
  const SphereTree spheres = tree_of(mesh, 500);
  const SolidTree solid = test::solid(ground());
  SpheresInSolidSearch search;
  const auto at = [&](double z, double time) {
    return search.find(spheres, placed({0, 0, z}), solid, Similarity::Identity(), time);
  };
  const SpheresInSolid none = at(0, 1e-12), all = at(0, kForever);
  CHECK(!none.is_complete);
  CHECK(none.points.empty());
  CHECK(none.volume == 0);
  CHECK(all.is_complete);
  for (const double time : {1e-6, 1e-5, 1e-4}) {
    const SpheresInSolid some = at(0, time);
    CHECK(some.volume <= all.volume * (1 + 1e-12));
  }
  CHECK(at(1, 1e-12).is_complete);
  CHECK(at(1, 1e-12).points.empty());
  const SpheresInSolid inside = at(-0.5, 1e-12);
  CHECK(inside.is_complete);
  CHECK(inside.points.size() == 1);
  CHECK(inside.volume == test::approx(at(-0.5, kForever).volume).epsilon(1e-9));
}

// A floor of 2,000 spheres of its own lets a cube of 0.3 m sink by a third.
TEST_CASE("a cube of spheres rests on a floor that is met by its surface") {
  const std::size_t count = test::kAddressSanitizer ? 300 : 2000;
  const Result<SpherePacking> packing =
      pack_spheres(*ClosedMesh::from_triangles(make_box({0.3, 0.3, 0.3})), {.max_count = count});
  REQUIRE(packing);
  ContactLaw law{.damping = 0.5, .method = ContactMethod::kSpheres, .spheres = count};
  law.exact_fixed = true;
  for (const bool floor_first : {false, true}) {
    CAPTURE(floor_first);
    std::vector<RigidBody> bodies{box("cube", {0.3, 0.3, 0.3}, {0, 0, 0.152}), floor_body()};
    if (floor_first) std::swap(bodies[0], bodies[1]);
    const std::size_t cube = floor_first ? 1 : 0;
    World world = meeting(air(), bodies, law);
    run(world, 400);
    const double sink = 0.15 - body(world, cube).pose.translation().z();
    CHECK(sink > 0);
    CHECK(sink < packing->largest_protrusion);
    CHECK(body(world, cube).velocity.norm() < 1e-5);
    REQUIRE(world.contacts().size() == 1);
    const double up = (floor_first ? -1 : 1) * world.contacts()[0].force.z();
    CHECK(up == test::approx(test::mass(world, cube).mass * 9.80665).epsilon(1e-3));
    const Result<double> shared = world.shared_volume(test::id(world, 0), test::id(world, 1));
    REQUIRE(shared);
    CHECK(*shared == test::approx(0.3 * 0.3 * 0.3 * 1e-4).epsilon(1e-3));
  }
}

// The potential is exact; what is left is the leapfrog's, as for surfaces.
TEST_CASE("what falls on a surface as spheres comes back with its energy" * test::kLong) {
  ContactLaw law{1e8, 0, 0, ContactMethod::kSpheres, 200};
  law.exact_fixed = true;
  World world = meeting(
      air(),
      {test::tilted(box("cube", {0.3, 0.3, 0.3}, {0, 0, 0.5}), 0.4, {1, 0.5, 0.2}), floor_body()},
      law);
  const double before = world.energy().total();
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    run(world, 1, 0.002);
    CHECK(std::fabs(world.energy().total() - before) < 1e-3 * before);
    met += world.contacts().empty() ? 0 : 1;
  }
  CHECK(met > 0);
}

}  // namespace
}  // namespace plimsoll
