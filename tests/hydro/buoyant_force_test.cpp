// Force and torque on a body where a pose puts it: closed forms, the mesh posed first, and what is
// no pose.
#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGravity = 9.80665;

Similarity random_pose(Random& random, double reach, bool is_scaled) {
  const double scale = is_scaled ? std::pow(10.0, random.uniform(-3, 3)) : 1;
  return test::random_similarity(random, reach, scale);
}

// A box heeled by the angle t about x, its middle over the water by less than what wets a corner:
// the wet part is the parallelogram prism under the water, of half the volume and, of a box of the
// edges a along the axis, b and c, with its middle in the water, the righting arm
//   GZ = (b^2 (2 + tan^2 t) / (12 c) - c / 4) sin t
// of a wall-sided body, with its center of mass in the middle [BM (1 + tan^2 t / 2) - BG].
TEST_CASE("a heeled box is righted by the arm of a wall-sided body") {
  const double a = 5, b = 2, c = 1, rho = 1000, heel = 0.3;
  const CheckedMesh mesh = test::checked(make_box({a, b, c}));
  const SolidTree tree(mesh);
  const Vec3 at(3, -20, 7);
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisd(heel, Vec3::UnitX()).matrix();
  pose.translation() = at;
  const double force = rho * kGravity * a * b * c / 2, tangent = std::tan(heel);
  const double arm = (b * b * (2 + tangent * tangent) / (12 * c) - c / 4) * std::sin(heel);
  const BuoyancyOptions options{.fluid_density = rho, .gravity = kGravity};
  const SurfaceNow still = test::surface_at(StillWater{at.z()}, 0, kGravity);
  for (const Result<BuoyantForce>& pushed :
       {buoyancy(tree, Similarity(pose), {{0, 0, 2}, 2 * at.z()}, options),
        buoyancy(mesh, Similarity(pose), still, options)}) {
    REQUIRE(pushed);
    CHECK((pushed->force - Vec3(0, 0, force)).norm() <= pushed->force_error);
    CHECK(pushed->force_error <= 1e-9 * force);
    CHECK((pushed->torque - Vec3(-arm * force, 0, 0)).norm() <= pushed->torque_error);
    CHECK(pushed->torque_error <= 1e-7 * force);
  }
}

TEST_CASE("a torque is about the point of the body that is named") {
  const SolidTree tree(test::checked(make_box({1, 1, 1})));
  Similarity pose(Eigen::Translation3d(10, 0, 0) *
                  Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
  const WaterPlane deep{{0, 0, 1}, 5};
  const double force = kSeawaterDensity * kGravity;
  const BuoyantForce about_middle = *buoyancy(tree, pose, deep);
  CHECK(about_middle.torque.norm() <= about_middle.torque_error);
  // A meter along the body's x is a meter along the world's y.
  const BuoyantForce about_side = *buoyancy(tree, pose, deep, {.about = {1, 0, 0}});
  CHECK((about_side.torque - Vec3(-force, 0, 0)).norm() <= about_side.torque_error);
  CHECK(about_side.force == about_middle.force);
}

// The plane may lean: then gravity pulls against its normal.
TEST_CASE("under a leaning plane the force is along the normal, through the center of buoyancy") {
  const SolidTree tree(test::checked(make_icosphere(1, 4)));
  Similarity pose(Eigen::Translation3d(1, 2, 3));
  const Vec3 normal(1, 2, 2);
  const BuoyantForce pushed = *buoyancy(tree, pose, {normal, normal.dot(Vec3(1, 2, 3))});
  CHECK((pushed.force.normalized() - normal / 3).norm() <= 1e-15);
  CHECK(pushed.torque.norm() <= 1e-3 * pushed.force.norm());  // of a ball of facets
  CHECK(pushed.wet.volume == test::approx(tree.signed_volume() / 2));
}

// Posing rounds a vertex by a few units in the last place of its coordinates, which moves the
// surface by that: a volume of no more than its area times it.
TEST_CASE("a body under a pose and a mesh posed before are pushed alike, within the bounds") {
  Random random(5);
  for (int i = 0; i < test::campaign(2000); ++i) {
    const TriangleMesh mesh = test::random_shape(random);
    const CheckedMesh body = test::checked(mesh);
    const SolidTree tree(body);
    const Similarity pose =
        random_pose(random, std::pow(10.0, random.uniform(-1, 6)), random.below(2) == 0);
    const double size = pose.linear().col(0).norm();
    const TriangleMesh moved = posed(mesh, pose);
    const CheckedMesh placed = test::checked(MeshView(moved));
    const Vec3 normal = test::random_turn(random).row(2) * random.uniform(0.1, 9);
    const double level = normal.dot(pose.translation()) + size * random.uniform(-1, 1);
    const Vec3 about = test::random_vector(random);
    const BuoyancyOptions options{.about = about};
    const BuoyancyOptions about_same{.about = pose * about};
    const double shift = 0x1p-50 * (pose.translation().norm() + 4 * size);
    const double room = kSeawaterDensity * kGravity * 64 * size * size * shift;
    const auto check = [&](const Result<BuoyantForce>& a, const Result<BuoyantForce>& b) {
      REQUIRE(a);
      REQUIRE(b);
      CHECK((a->force - b->force).norm() <= a->force_error + b->force_error + room);
      CHECK((a->torque - b->torque).norm() <= a->torque_error + b->torque_error + 16 * size * room);
    };
    CAPTURE(i);
    const WaterPlane water{normal, level};
    check(buoyancy(tree, pose, water, options),
          buoyancy(SolidTree(placed), Similarity::Identity(), water, about_same));
    // The same water by the surface over z, and by the tree.
    const double height = pose.translation().z() + size * random.uniform(-1, 1);
    const SurfaceNow still = test::surface_at(StillWater{height}, 0, kGravity);
    check(buoyancy(body, pose, still, options),
          buoyancy(tree, pose, {Vec3::UnitZ(), height}, options));
    check(buoyancy(body, pose, still, options),
          buoyancy(placed, Similarity::Identity(), still, about_same));
  }
}

TEST_CASE("on waves the bound holds the tolerance, and a finer one is within it") {
  Random random(7);
  for (int i = 0; i < test::campaign(100); ++i) {
    const CheckedMesh body = test::checked(test::random_shape(random));
    const Similarity pose = random_pose(random, 3, false);
    const Waves waves{pose.translation().z(), {{0.1, 2, random.uniform(0, 360), 0.3}}};
    const SurfaceNow now = test::surface_at(waves, 0.7, kGravity);
    const Result<BuoyantForce> coarse = buoyancy(body, pose, now, {.tolerance = 1e-2});
    const Result<BuoyantForce> fine = buoyancy(body, pose, now, {.tolerance = 1e-4});
    const Result<BuoyantForce> usual = buoyancy(body, pose, now);
    REQUIRE(coarse);
    REQUIRE(fine);
    REQUIRE(usual);
    CHECK((coarse->force - fine->force).norm() <= coarse->force_error + fine->force_error);
    CHECK((coarse->torque - fine->torque).norm() <= coarse->torque_error + fine->torque_error);
    CHECK(fine->force_error < 0.02 * coarse->force_error);
    CHECK((usual->force - fine->force).norm() <= usual->force_error + fine->force_error);
    CHECK(fine->wet.volume == buoyancy(body, pose, now, 1e-4)->volume);
  }
}

TEST_CASE("what is no pose, plane, density or point is an error, and no triangles no force") {
  const CheckedMesh mesh = test::checked(make_box({1, 2, 3}));
  const SolidTree tree(mesh);
  const SurfaceNow still = test::surface_at(StillWater{0.1}, 0, kGravity);
  const Similarity here = Similarity::Identity();
  const auto refused = [&](const Similarity& pose, const BuoyancyOptions& options,
                           const char* where) {
    for (const Result<BuoyantForce>& pushed :
         {buoyancy(tree, pose, {}, options), buoyancy(mesh, pose, still, options)}) {
      REQUIRE(!pushed);
      CHECK(pushed.error().code == ErrorCode::kInvalidArgument);
      CHECK(pushed.error().where == where);
    }
  };
  for (const double bad : {kNaN, kInfinity, -kInfinity})
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) {
        Similarity nowhere = here;
        nowhere.matrix()(row, column) = bad;
        refused(nowhere, {}, "world_from_body");
      }
  for (const Vec3& stretch : {Vec3(1, 1, -1), Vec3(-1, -1, -1), Vec3(0, 0, 0), Vec3(1, 2, 1)})
    refused(Similarity(Eigen::Scaling(stretch)), {}, "world_from_body");
  for (const double bad : {kNaN, kInfinity, -1.0}) {
    refused(here, {.fluid_density = bad}, "fluid_density");
    refused(here, {.gravity = bad}, "gravity");
    refused(here, {.tolerance = bad}, "tolerance");
  }
  refused(here, {.about = {0, kNaN, 0}}, "about");
  for (const WaterPlane& water :
       {WaterPlane{{0, 0, 0}, 0}, WaterPlane{{kNaN, 0, 1}, 0}, WaterPlane{{0, 0, 1}, kInfinity}}) {
    const Result<BuoyantForce> pushed = buoyancy(tree, here, water);
    REQUIRE(!pushed);
    CHECK(pushed.error().where == "water");
  }
  // Printed with six digits it is the rotation that was meant.
  Similarity printed(Eigen::AngleAxisd(1, Vec3::UnitX()));
  printed.linear() = printed.linear().unaryExpr([](double x) { return std::round(1e6 * x) / 1e6; });
  CHECK(buoyancy(tree, printed, {}));
  CHECK(buoyancy(SolidTree(CheckedMesh()), here, {})->force == Vec3::Zero());
  CHECK(buoyancy(CheckedMesh(), here, still)->force == Vec3::Zero());
}

// Of thin triangles the products of edges are far larger than the areas, and a point where an edge
// is cut is rounded as far as from the middle. A tree sums about other points.
TEST_CASE("bounds of mesh and tree hold for needles and sheets that the water cuts anywhere") {
  Random random(7);
  const SurfaceNow still = test::surface_at(StillWater{0}, 0, kGravity);
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const auto thin = [&] { return std::pow(10.0, random.uniform(-18, 0)); };
    const double length = std::pow(10.0, random.uniform(-3, 14));
    const TriangleMesh mesh = make_box({length, length * thin(), length * thin()});
    const CheckedMesh body = test::checked(mesh);
    Similarity pose = Similarity::Identity();
    pose.linear() = test::random_turn(random);
    // A cut near an end is where the other end is deepest.
    const double near_end = random.below(2) == 0 ? 0.5 - thin() : random.uniform(-0.5, 0.5);
    pose.translation() = -near_end * length * pose.linear().col(0);
    const Result<BuoyantForce> by_mesh = buoyancy(body, pose, still);
    const Result<BuoyantForce> by_tree = buoyancy(SolidTree(body), pose, WaterPlane{{0, 0, 1}, 0});
    REQUIRE(by_mesh);
    REQUIRE(by_tree);
    CHECK((by_mesh->force - by_tree->force).norm() <= by_mesh->force_error + by_tree->force_error);
    CHECK((by_mesh->torque - by_tree->torque).norm() <=
          by_mesh->torque_error + by_tree->torque_error);
  }
}

// The roundings of a posed vertex are those of the terms of its sum, which cancel here.
TEST_CASE("the bound holds for a body that is far from its own origin and near the world's") {
  const Vec3 far(5e6, -5e6, 2.5e6);
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  TriangleMesh box = make_box({1, 1, 1});
  Pose home = Pose::Identity();
  home.linear() = turn;
  const CheckedMesh near = test::checked(box);
  for (Vec3& v : box.vertices) v += far;  // exact: halves
  Pose back = home;
  back.translation() = -(turn * far);
  const SurfaceNow still = test::surface_at(StillWater{0.1}, 0, kGravity);
  const BuoyantForce truth = *buoyancy(near, home, still);
  const BuoyantForce found = *buoyancy(test::checked(box), back, still, {.about = far});
  CHECK((found.force - truth.force).norm() <= found.force_error + truth.force_error);
  CHECK((found.torque - truth.torque).norm() <= found.torque_error + truth.torque_error);
}

}  // namespace
}  // namespace plimsoll
