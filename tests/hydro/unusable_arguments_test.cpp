// What is no plane, no pose, no tolerance or no mesh gets an error or numbers that say so.
#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/righting_arms.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/water_image.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<WaterPlane> kNoPlanes{
    {{0, 0, 0}, 0},         {{0, 0, 0}, 1},    {{-0.0, 0, 0}, 1},      {{kNaN, 0, 1}, 0},
    {{0, 0, kInfinity}, 0}, {{0, 0, 1}, kNaN}, {{0, 0, 1}, kInfinity}, {{kNaN, kNaN, kNaN}, kNaN},
};

void check_unknown(const Submersion& wet) {
  CHECK(std::isnan(wet.volume));
  CHECK(wet.center_of_buoyancy.array().isNaN().all());
  CHECK(std::isnan(wet.wetted_area));
  CHECK(std::isnan(wet.waterplane.area));
  CHECK(wet.volume_error == kInfinity);
}

void check_unknown(const FloatingState& state) {
  CHECK(state.up.array().isNaN().all());
  CHECK(std::isnan(state.level));
  check_unknown(state.wet);
  CHECK(std::isnan(state.energy));
  CHECK(state.righting_arm.array().isNaN().all());
  CHECK(state.metacentric_heights.array().isNaN().all());
  CHECK(state.heel_axes.array().isNaN().all());
}

TEST_CASE("under what is no plane nothing is known, whichever way a body is asked") {
  for (const TriangleMesh& mesh :
       {make_box({1, 2, 3}), make_icosphere(1, 3), make_icosphere(1, 5)}) {
    const CheckedMesh body = test::checked(mesh);
    const SolidTree tree(body);
    SubmersionTracker tracker(tree);
    const Submersion before = tracker.submersion({{0, 0, 1}, 0.1});
    for (const WaterPlane& plane : kNoPlanes) {
      CHECK(!is_plane(plane));
      check_unknown(submersion(body, plane));
      check_unknown(tree.submersion(plane));
      check_unknown(tracker.submersion(plane));
      CHECK(!submersion(Shape{MeshSolid{std::make_shared<TriangleMesh>(mesh)}}, plane));
      CHECK(!water_frame(plane));
      CHECK(tree.surface_between(plane, {}).area == kInfinity);
    }
    // The body is none the worse for it.
    CHECK(tracker.submersion({{0, 0, 1}, 0.1}).volume == test::approx(before.volume));
  }
}

TEST_CASE("planes that lean by what is no number have no bound") {
  const SolidTree tree(test::checked(make_icosphere(1, 3)));
  LeaningPlanes planes;
  planes.slope = kNaN;
  CHECK(tree.surface_between({}, planes).second == kInfinity);
  planes = {};
  planes.center[1] = kInfinity;
  CHECK(tree.surface_between({}, planes).second == kInfinity);
}

TEST_CASE("a refit with another mesh is an error and leaves the tree as it was") {
  SolidTree tree(test::checked(make_icosphere(1, 3)));
  const Submersion before = tree.submersion({});
  CHECK(!tree.refit(test::checked(make_icosphere(1, 2))));
  TriangleMesh fewer = make_icosphere(1, 3);
  fewer.vertices.resize(3);
  for (Triangle& t : fewer.triangles) t = {0, 1, 2};
  CHECK(!tree.refit(test::checked(fewer)));
  // As many of both, but other vertices: those that no triangle names are not looked at.
  TriangleMesh others = make_icosphere(1, 3);
  for (Triangle& t : others.triangles) t = {0, 0, 0};
  others.vertices[7] = Vec3::Constant(kNaN);
  for (MeshTree body : {MeshTree(test::checked(make_icosphere(1, 3)), TreeQuality::kFast),
                        MeshTree(test::checked(make_icosphere(1, 3)), TreeQuality::kTight)}) {
    const Result<void> refitted = body.refit(test::checked(others));
    REQUIRE_FALSE(refitted);
    CHECK(refitted.error().where.starts_with("triangle "));
  }
  CHECK(!tree.refit(test::checked(others)));
  CHECK(tree.submersion({}).volume == before.volume);
  CHECK(tree.refit(test::checked(make_icosphere(2, 3))));
  CHECK(tree.submersion({}).volume == test::approx(8 * before.volume));
}

TEST_CASE("a tree over no triangles, and a coarse one of none, are no trouble") {
  const SolidTree none{CheckedMesh()};
  CHECK(none.submersion({}).volume == 0);
  CHECK(!none.coarse(10));
  CHECK(!SolidTree(test::checked(make_icosphere(1, 3))).coarse(0));
}

// A piece is a quarter of the one before, so that the number of pieces grows as one over the
// tolerance; the limit is some seconds of work, on any surface, and no depth of the stack.
TEST_CASE("a fluid over which a mesh would have to be cut beyond number is an error, and soon") {
  const Waves waves{0, {{0.1, 1, 0, 0}}};
  const SurfaceNow now = test::surface_at(waves, 0, 9.81);
  const Similarity here = Similarity::Identity();
  const CheckedMesh box = test::checked(make_box({1, 1, 1}));
  const CheckedMesh huge = test::checked(make_box({1e120, 1e120, 1e120}));
  for (const double tolerance : {1e-300, 1e-12}) {
    // As of the ball below, only 20 million pieces end this one.
    if (test::kAddressSanitizer && tolerance == 1e-12) continue;
    const Result<Buoyancy> cut = buoyancy(box, here, now, tolerance);
    REQUIRE(!cut);
    CHECK(cut.error().code == ErrorCode::kResourceLimit);
  }
  CHECK(!buoyancy(huge, here, now, 1e-3));
  // The limit is for all triangles together, and triangles that are not cut do not count.
  const CheckedMesh ball = test::checked(make_icosphere(1, 6));
  if (!test::kAddressSanitizer) CHECK(!buoyancy(ball, here, now, 1e-12));
  CHECK(buoyancy(ball, here, test::surface_at(StillWater{0.1}, 0, 9.81), 1e-12));
  for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
    const Result<Buoyancy> cut = buoyancy(box, here, now, bad);
    REQUIRE(!cut);
    CHECK(cut.error().code == ErrorCode::kInvalidArgument);
  }
  Similarity nowhere = here;
  nowhere.translation()[2] = kNaN;
  CHECK(!buoyancy(box, nowhere, now, 1e-3));
  CHECK(buoyancy(box, here, now, 1e-5));
}

TEST_CASE("heels that are no angle of one turn have no state, and end soon") {
  const FloatingBody body =
      floating_body(SolidTree(test::checked(make_box({4, 2, 1}))), Vec3::Zero(), 4);
  const std::vector<double> heels{0, 0.3, kNaN, kInfinity, -kInfinity, 1e9, -7};
  const RightingArms arms = righting_arms(body, {}, heels);
  const RightingArms plain = righting_arms(body, {}, std::vector<double>{0, 0.3});
  for (std::size_t i = 0; i < heels.size(); ++i) CHECK(arms.states[i].has_value() == (i < 2));
  CHECK(arms.states[1]->righting_arm == plain.states[1]->righting_arm);
  Heeling longer;
  longer.axis *= 4;
  longer.up *= 2;
  CHECK(righting_arms(body, longer, heels).states[1]->righting_arm == arms.states[1]->righting_arm);
}

TEST_CASE("what is no body has no equilibria, and that is not proven") {
  const SolidTree tree(test::checked(make_box({4, 2, 1})));
  const FloatingBody fine = floating_body(tree, Vec3::Zero(), 4);
  std::vector<FloatingBody> bodies{FloatingBody{}, fine, fine, fine, fine};
  bodies[1].displacement = kNaN;
  bodies[2].displacement = -1;
  bodies[3].center_of_mass[1] = kNaN;
  bodies[4].solid = nullptr;
  for (const FloatingBody& body : bodies) {
    const Equilibria none = find_equilibria(body);
    CHECK(none.found.empty());
    CHECK(none.complete == Completeness::kIncomplete);
    check_unknown(float_upright(body, {0, 0, 1}));
    CHECK(!come_to_rest(body, {0, 0, 1}));
    CHECK(!righting_arms(body, {}, std::vector<double>{0.1}).states[0]);
  }
  CHECK(find_equilibria(floating_body(tree, Vec3::Zero(), 9)).complete == Completeness::kProven);
  check_unknown(float_upright(fine, {0, 0, 0}));
  check_unknown(float_upright(fine, {0, kNaN, 1}));
  CHECK(float_upright(fine, {0, 0, 5}).level == float_upright(fine, {0, 0, 1}).level);
  CHECK(std::fabs(float_upright(fine, {0, 0, 1}, kNaN).level) <= 1e-14);
  CHECK(find_equilibria(fine, {.starts = -5, .tolerance = kNaN, .all_kinds = false}).found.empty());
  for (const double tolerance : {0.0, kNaN, kInfinity, 1e300})
    for (const Equilibrium& at : find_equilibria(fine, {.tolerance = tolerance}).found)
      CHECK(at.state.righting_arm.norm() <= 1e-2);
}

TEST_CASE("a lattice without a place for each pair is not a number") {
  const Waves waves{0, {{0.1, 1, 0, 0}}};
  const SurfaceNow now = test::surface_at(waves, 0, 9.81);
  const std::vector<double> x{0, 1, 2}, y{0, 1};
  std::vector<double> heights(8, 5);
  std::vector<Vec2> slopes(2);
  now.over_lattice(x, y, std::span(heights).first(2), {});
  CHECK(std::isnan(heights[0]));
  CHECK(heights[2] == 5);
  now.over_lattice(x, y, std::span(heights).first(6), slopes);
  CHECK(std::isnan(slopes[1][0]));
  now.over_lattice(x, y, std::span(heights).first(6), {});
  CHECK(heights[4] == test::approx(now.height(1, 1)));
  CHECK(heights[6] == 5);
}

TEST_CASE("masses that are none are not taken for densities") {
  const CheckedMesh mesh = test::checked(make_box({1, 2, 3}));
  for (const double mass : {kNaN, -1.0}) {
    MassOptions options;
    options.mass = mass;
#ifndef PLIMSOLL_ENABLE_ASSERTS  // which say so first
    CHECK(std::isnan(mass_properties(mesh, options).mass));
    CHECK(std::isnan(mass_properties(mesh, options).inertia(0, 0)));
#endif
  }
}

TEST_CASE("a pose has 0, 0, 0, 1 in its last row") {
  for (const double last : {kNaN, 0.0, 2.0}) {
    Similarity pose = Similarity::Identity();
    pose.matrix()(3, 3) = last;
    CHECK(!check_pose(pose));
    CHECK(!nearest_similarity(pose));
  }
}

TEST_CASE("the length of a normal does not matter, whatever it is") {
  const SolidTree tree(test::checked(make_box({1, 2, 3})));
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(0.5, 0.25, 0.3);
  const Shape ball{Sphere{1}, pose};
  const Vec3 normal(0.1, 0.2, 1);
  const double force = buoyancy(tree, pose, {normal, 0.4})->force.norm();
  const double volume = submersion(ball, {normal, 0.4})->volume;
  for (const double length : {1e-300, 1e-100, 1e100, 1e300, 1e307}) {
    const WaterPlane water{length * normal, length * 0.4};
    CHECK(std::fabs(buoyancy(tree, pose, water)->force.norm() / force - 1) <= 1e-12);
    CHECK(std::fabs(submersion(ball, water)->volume / volume - 1) <= 1e-12);
  }
  const WaterPlane above{{0, 0, 1e-300}, 1e300};
  CHECK(buoyancy(tree, pose, above)->wet.volume == test::approx(6));
}

TEST_CASE("a plane whose distance from a body no number tells is refused") {
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(1e300, 1e300, 0);
  // Along the normal the center is at 1e320 - 1e320.
  const Result<Submersion> wet = submersion(Shape{Sphere{1}, pose}, {{1e20, -1e20, 1}, 0});
  REQUIRE(!wet);
  CHECK(wet.error().code == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
