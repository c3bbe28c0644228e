// What is no plane, no pose, no tolerance or no mesh gets an error or numbers that say so.
#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/water_image.h>

#include <cmath>
#include <limits>
#include <vector>

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

TEST_CASE("under what is no plane nothing is known, whichever way a body is asked") {
  for (const TriangleMesh& mesh :
       {make_box({1, 2, 3}), make_icosphere(1, 3), make_icosphere(1, 5)}) {
    const CheckedMesh body = test::checked(mesh);
    const SubmersionTree tree(body);
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
    CHECK(tracker.submersion({{0, 0, 1}, 0.1}).volume == doctest::Approx(before.volume));
  }
}

TEST_CASE("planes that lean by what is no number have no bound") {
  const SubmersionTree tree(test::checked(make_icosphere(1, 3)));
  LeaningPlanes planes;
  planes.slope = kNaN;
  CHECK(tree.surface_between({}, planes).second == kInfinity);
  planes = {};
  planes.center[1] = kInfinity;
  CHECK(tree.surface_between({}, planes).second == kInfinity);
}

TEST_CASE("a refit with another mesh is an error and leaves the tree as it was") {
  SubmersionTree tree(test::checked(make_icosphere(1, 3)));
  const Submersion before = tree.submersion({});
  CHECK(!tree.refit(test::checked(make_icosphere(1, 2))));
  TriangleMesh fewer = make_icosphere(1, 3);
  fewer.vertices.resize(3);
  for (Triangle& t : fewer.triangles) t = {0, 1, 2};
  CHECK(!tree.refit(test::checked(fewer)));
  CHECK(tree.submersion({}).volume == before.volume);
  CHECK(tree.refit(test::checked(make_icosphere(2, 3))));
  CHECK(tree.submersion({}).volume == doctest::Approx(8 * before.volume));
}

TEST_CASE("a tree over no triangles, and a coarse one of none, are no trouble") {
  const SubmersionTree none{CheckedMesh()};
  CHECK(none.submersion({}).volume == 0);
  CHECK(!none.coarse(10));
  CHECK(!SubmersionTree(test::checked(make_icosphere(1, 3))).coarse(0));
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
    const Result<Buoyancy> cut = buoyancy(box, here, now, tolerance);
    REQUIRE(!cut);
    CHECK(cut.error().code == ErrorCode::kResourceLimit);
  }
  CHECK(!buoyancy(huge, here, now, 1e-3));
  // The limit is for all triangles together, and triangles that are not cut do not count.
  const CheckedMesh ball = test::checked(make_icosphere(1, 6));
  CHECK(!buoyancy(ball, here, now, 1e-12));
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

}  // namespace
}  // namespace plimsoll
