// Boxes of 1e120 m and 1e-120 m, whose volumes are no doubles: what fits one is right, what is too
// large is infinite or an error, what is too small 0, and nothing is a plausible number that is
// wrong.
#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>
#include <plimsoll/righting_arms.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/water_image.h>
#include <plimsoll/world.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/approx.h"
#include "support/checked.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSizes[] = {1e120, 1e-120};

/// What a volume of that size is as a double.
double beyond(double size) { return size > 1 ? kInfinity : 0; }

const Vec3 kMiddle(0.1, 0.2, 0.3);  // sizes

TriangleMesh box_of(double size) {
  TriangleMesh box = make_box({size, size, size});
  for (Vec3& v : box.vertices) v += size * kMiddle;
  return box;
}

/// The same, and all primitives, with their middles in these places, over the size.
struct Placed {
  Shape shape;
  Vec3 center;
  double area;  // over the square of the size
};
std::vector<Placed> shapes_of(double size) {
  constexpr double kPi = std::numbers::pi;
  const double s = size;
  std::vector<Placed> shapes{{{MeshSolid{std::make_shared<TriangleMesh>(box_of(s))}}, kMiddle, 6},
                             {{BoxSolid{{s, s, s}}}, Vec3::Zero(), 6},
                             {{Sphere{s}}, Vec3::Zero(), 4 * kPi},
                             {{Ellipsoid{{s, s, s}}}, Vec3::Zero(), 4 * kPi},
                             {{Torus{s, s / 4}}, Vec3::Zero(), kPi * kPi},
                             {{Cylinder{s, s}}, Vec3::Zero(), 4 * kPi},
                             {{Capsule{s, s}}, Vec3::Zero(), 6 * kPi},
                             {{Cone{s, s}}, Vec3(0, 0, 0.25), (1 + std::sqrt(2)) * kPi}};
  for (std::size_t i = 1; i < 8; ++i) {  // and those, moved
    shapes.push_back(shapes[i]);
    shapes.back().shape.pose.translation() = Vec3(s, 0, 0);
    shapes.back().center += Vec3::UnitX();
  }
  return shapes;
}

TEST_CASE("the mass of a body beyond numbers is infinite or 0, and its center is right") {
  for (const double size : kSizes) {
    CAPTURE(size);
    const CheckedMesh mesh = test::checked(box_of(size));
    for (const Precision precision : {Precision::kTight, Precision::kFast}) {
      const MassProperties p = mass_properties(mesh, {.precision = precision});
      CHECK(p.volume == beyond(size));
      CHECK(p.mass == beyond(size));
      CHECK((p.center_of_mass / size - kMiddle).norm() <= 1e-12);
      CHECK(p.inertia.diagonal() == Vec3::Constant(beyond(size)));
      CHECK(p.error_bound.volume >= (size > 1 ? kInfinity : 1e-323));
      // A mass that is given has an inertia, and a density that is no number of common size.
      const MassProperties given = mass_properties(mesh, {.mass = 6, .precision = precision});
      CHECK(given.density == 1 / beyond(size));
      CHECK((given.inertia.diagonal() / size / size - Vec3::Ones()).norm() <= 1e-12);
    }
  }
}

TEST_CASE("an assembly beyond numbers has its center, and its inertia if its mass is given") {
  for (const double size : kSizes) {
    CAPTURE(size);
    const CheckedMesh box = test::checked(box_of(size));
    TriangleMesh right = box_of(size);
    for (Vec3& v : right.vertices) v.x() += size;
    const CheckedMesh beside = test::checked(right);
    const Vec3 center = kMiddle + Vec3(0.5, 0, 0);
    for (const double mass : {0.0, 6.0}) {
      const AssemblyPart parts[] = {{box, {}}, {beside, {}}};
      const Assembly both = assembly_mass_properties(parts, mass);
      CHECK(both.total.volume == beyond(size));
      CHECK(both.total.mass == (mass > 0 ? mass : beyond(size)));
      CHECK((both.total.center_of_mass / size - center).norm() <= 1e-12);
      // m (a^2 + b^2) / 12 of a bar of 2 x 1 x 1.
      const Vec3 inertia = both.total.inertia.diagonal() / size / size;
      if (mass > 0) CHECK((inertia - Vec3(1, 2.5, 2.5)).norm() <= 1e-12);
      if (mass == 0) CHECK(both.total.inertia(1, 1) == beyond(size));
    }
    const AssemblyPart given[] = {{box, {.mass = 3}}, {beside, {.mass = 3}}};
    const Assembly both = assembly_mass_properties(given);
    CHECK(both.total.mass == 6);
    CHECK(both.parts[0].mass == 3);
    CHECK((both.total.inertia.diagonal() / size / size - Vec3(1, 2.5, 2.5)).norm() <= 1e-12);
  }
}

TEST_CASE("closed forms of bodies beyond numbers keep their center and their area") {
  for (const double size : kSizes)
    for (const Placed& placed : shapes_of(size)) {
      CAPTURE(size);
      CAPTURE(placed.shape.solid.index());
      const Result<ShapeMass> found = mass_properties(placed.shape);
      REQUIRE(found);
      const MassProperties& p = found->body.properties;
      CHECK(p.volume == beyond(size));
      CHECK((p.center_of_mass / size - placed.center).norm() <= 1e-12);
      CHECK(p.inertia.diagonal() == Vec3::Constant(beyond(size)));
      CHECK(found->surface_area / size / size == test::approx(placed.area));
      CHECK(!std::isnan(found->body.error.volume));
      CHECK(!std::isnan(found->body.error.center_of_mass));
      CHECK(!std::isnan(found->body.error.inertia));
      const Result<ShapeMass> given = mass_properties(placed.shape, {.mass = 1});
      CHECK(given->body.properties.inertia.allFinite());
      CHECK(given->body.properties.inertia(0, 0) / size / size > 0.01);
    }
}

TEST_CASE("health and areas are those of the body at any size") {
  for (const double size : kSizes) {
    const MeshHealth health =
        examine(test::checked(box_of(size)), {.check_self_intersections = true});
    CHECK(health.status == MeshStatus::kOk);
    CHECK(health.surface_area / size / size == test::approx(6));
    CHECK(health.self_intersecting_pairs == 0);
  }
}

void check_half_wet(const Submersion& wet, double size, const Vec3& center) {
  CHECK(wet.volume == beyond(size));
  CHECK((wet.center_of_buoyancy / size - center).norm() <= 1e-12);
  CHECK(wet.wetted_area / size / size == test::approx(3));
  CHECK(wet.waterplane.area / size / size == test::approx(1));
  CHECK(wet.waterplane.second_moments(0, 0) == beyond(size));
  CHECK(!std::isnan(wet.volume_error));
}

TEST_CASE("the part under water of a body beyond numbers has its center and its areas") {
  for (const double size : kSizes) {
    CAPTURE(size);
    const CheckedMesh mesh = test::checked(box_of(size));
    const SolidTree tree(mesh);
    SubmersionTracker tracker(tree);
    const WaterPlane water{{0, 0, 1}, 0.3 * size};
    const Vec3 center = kMiddle - Vec3(0, 0, 0.25);
    check_half_wet(submersion(mesh, water), size, center);
    check_half_wet(tree.submersion(water), size, center);
    check_half_wet(tracker.submersion(water), size, center);
    CHECK(tree.signed_volume() == beyond(size));
    for (const Placed& placed : shapes_of(size)) {
      CAPTURE(placed.shape.solid.index());
      const Result<Submersion> wet =
          submersion(placed.shape, {{0, 0, 1}, size * placed.center.z()});
      REQUIRE(wet);
      CHECK(wet->volume == beyond(size));
      CHECK(wet->volume_error > 0);  // no number is the volume
      CHECK(wet->center_of_buoyancy.allFinite());
      CHECK(std::fabs(wet->center_of_buoyancy.x() / size - placed.center.x()) <= 1e-9);
      CHECK(wet->center_of_buoyancy.z() < size * placed.center.z());
      CHECK(wet->wetted_area / size / size > 0.4 * placed.area);
      CHECK(wet->wetted_area / size / size < 0.9 * placed.area);
      CHECK(wet->waterplane.area / size / size > 0.5);
      CHECK(wet->waterplane.second_moments(0, 0) == beyond(size));
      const Result<Submersion> dry = submersion(placed.shape, {{0, 0, 1}, -5 * size});
      CHECK(dry->volume == 0);
      CHECK(dry->center_of_buoyancy == Vec3::Zero());
      CHECK(dry->waterplane.area == 0);
    }
  }
}

// Squares of radii underflow, and so do volumes and bounds of areas. What is left is not exact.
TEST_CASE("a needle so thin that areas underflow still has an error of its volume") {
  for (const double thin : {1e-150, 1e-165, 1e-200, 1e-300})
    for (const Shape& needle :
         {Shape{Ellipsoid{{thin, thin, 1}}}, Shape{Ellipsoid{{1, thin, thin}}},
          Shape{Cylinder{thin, 2}}, Shape{Capsule{thin, 2}}, Shape{Cone{thin, 2}}}) {
      CAPTURE(thin);
      CAPTURE(needle.solid.index());
      const Result<Submersion> wet = submersion(needle, {Vec3(1, 2, 2) / 3, 0});
      REQUIRE(wet);
      CHECK(wet->volume <= 10 * thin * thin);  // a cylinder's, the largest, is 2 pi r^2
      CHECK(wet->volume_error > 0);
    }
}

// From sizes on whose volumes are numbers, while moments are none.
TEST_CASE("a small body is lifted where its wet part is") {
  for (const double size : {1.0, 1e-40, 1e-100}) {
    const SurfaceNow still = test::surface_at(StillWater{0.3 * size}, 0, 9.81);
    const Result<Buoyancy> wet =
        buoyancy(test::checked(box_of(size)), Similarity::Identity(), still, 1e-3 * size);
    REQUIRE(wet);
    CHECK(std::fabs(wet->volume / (size * size * size) - 0.5) <= 1e-12);
    CHECK((wet->center / size - (kMiddle - Vec3(0, 0, 0.25))).norm() <= 1e-12);
  }
}

TEST_CASE("forces beyond numbers are an error, and below them 0") {
  for (const double size : kSizes) {
    const CheckedMesh mesh = test::checked(box_of(size));
    const Similarity here = Similarity::Identity();
    const SurfaceNow still = test::surface_at(StillWater{0}, 0, 9.81);
    const Result<Buoyancy> wet = buoyancy(mesh, here, still, 1e-3 * size);
    const Result<BuoyantForce> pushed = buoyancy(mesh, here, still);
    const Result<BuoyantForce> by_tree = buoyancy(SolidTree(mesh), here, {{0, 0, 1}, 0});
    if (size > 1) {
      CHECK(wet.error().code == ErrorCode::kResourceLimit);
      CHECK(pushed.error().code == ErrorCode::kResourceLimit);
      CHECK(by_tree.error().code == ErrorCode::kResourceLimit);
      continue;
    }
    CHECK(wet->volume == 0);
    for (const Result<BuoyantForce>& found : {pushed, by_tree}) {
      REQUIRE(found);
      CHECK(found->force == Vec3::Zero());
      CHECK(found->torque == Vec3::Zero());
      CHECK(found->force_error > 0);
      CHECK(found->force_error < 1e-300);
    }
  }
}

TEST_CASE("what cannot be made of bodies beyond numbers is refused, or claims nothing") {
  for (const double size : kSizes) {
    CAPTURE(size);
    const TriangleMesh box = box_of(size);
    const CheckedMesh mesh = test::checked(box);
    CHECK(!image_mass_properties(mesh));
    const SurfaceNow still = test::surface_at(StillWater{0}, 0, 9.81);
    for (const Placed& placed : shapes_of(size)) {
      CHECK(!image_mass_properties(placed.shape));
      CHECK(!water_image(placed.shape, still));
      RigidBody body;
      body.shape = placed.shape;
      CHECK(!World::create({}, std::span(&body, 1)));
      body.mass = GivenMass{.mass = 1, .inertia = Mat3(Mat3::Identity())};
      CHECK(!World::create({}, std::span(&body, 1)));
    }
    const FloatingBody body = floating_body(SolidTree(mesh), size * kMiddle, 0.5 * beyond(size));
    CHECK(find_equilibria(body, {.starts = 4}).found.empty());
    CHECK(!come_to_rest(body, Vec3::UnitZ()));
    const RightingArms arms = righting_arms(body, {}, std::vector<double>{0.1});
    CHECK(!arms.upright);
    CHECK(!arms.states[0]);
  }
}

}  // namespace
}  // namespace plimsoll
