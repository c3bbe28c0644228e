// How much a search does where surfaces have very many nearest triangles, or boxes tell little:
// counts, which are the same on any machine.
#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "proximity/search_work.h"
#include "support/hard_bodies.h"

namespace plimsoll {
namespace {

TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

struct Two {
  TriangleMesh a, b;

  [[nodiscard]] std::pair<DistanceTree, DistanceTree> trees() const {
    return {DistanceTree(MeshTree(*CheckedMesh::borrow(a), TreeQuality::kTight)),
            DistanceTree(MeshTree(*CheckedMesh::borrow(b), TreeQuality::kTight))};
  }
};

/// Crossing rods of n slivers each, 1 apart.
Two rods(int slices) {
  TriangleMesh b = make_cylinder(1, 100, slices);
  const Mat3 turn = Eigen::AngleAxisd(0.5, Vec3::UnitY()).toRotationMatrix();
  for (Vec3& v : b.vertices) v = turn * v + Vec3(0, 3, 10);
  return {test::askew(make_cylinder(1, 100, slices)), test::askew(std::move(b))};
}

/// Strips over strips that run across them, 1/64 apart.
Two crossing_strips(std::uint32_t n) {
  TriangleMesh b = test::strips(n, 100);
  for (Vec3& v : b.vertices) v = Vec3(v.y(), v.x(), 0x1p-6);
  return {test::askew(test::strips(n, 100)), test::askew(std::move(b))};
}

/// Cones in cones, whose sides run along each other.
Two nested_cones(int slices) {
  return {test::askew(make_cone(1, 2, slices)),
          test::askew(moved(make_cone(0.5, 1, slices), Vec3(0, 0, 0.5)))};
}

/// Sheets of size 1, each with a triangle that is 1e5 away.
Two stray_sheets(std::uint32_t cells) {
  const TriangleMesh sheet = test::with_stray_triangle(test::wavy_sheet(cells), 1e5);
  return {sheet, moved(sheet, Vec3(0.3, 0.1, 0.4))};
}

struct Found {
  SurfaceDistance distance;
  SearchCounts counts;
};

Found found(const Two& two, const DistanceLimits& limits = {}) {
  const auto [a, b] = two.trees();
  DistanceSearch search;
  const auto here = Similarity::Identity();
  const Result<SurfaceDistance> distance = search.find(a, here, b, here, limits);
  REQUIRE(distance);
  return {*distance, counts_of(search)};
}

/// No more than before hulls are asked for the second time; all pairs are ten millions.
constexpr std::size_t kMaxPairs = 20000, kMaxHulls = 10000;

void check_growth(const Two& small, const Two& large, double distance) {
  const Found few = found(small), many = found(large);
  for (const Found& one : {few, many}) {
    CHECK(one.distance.lower <= distance * (1 + 1e-13));
    CHECK(one.distance.upper >= distance * (1 - 1e-13));
    CHECK(one.distance.upper - one.distance.lower <= 1e-8 * distance);
  }
  CHECK(few.counts.by_boxes() <= kMaxPairs);
  CHECK(many.counts.by_boxes() <= kMaxPairs);
  CHECK(many.counts.hulls <= kMaxHulls);
}

TEST_CASE("rods of slivers that cross take no more pairs the finer they are") {
  check_growth(rods(800), rods(3200), 1);
}

TEST_CASE("strips that run across strips take no more pairs the finer they are") {
  check_growth(crossing_strips(1000), crossing_strips(4000), 0x1p-6);
}

TEST_CASE("a triangle far away does not hide what is near") {
  const Found few = found(stray_sheets(40)), many = found(stray_sheets(80));
  CHECK(few.distance.distance == doctest::Approx(0.3).epsilon(1e-9));
  CHECK(many.counts.by_boxes() <= kMaxPairs);
  CHECK(many.counts.hulls <= kMaxHulls);
}

// Any two of the slivers of a cone in another are as near as any others.
TEST_CASE("a tolerance parts cones that run along each other with few pairs") {
  DistanceLimits limits;
  limits.tolerance = 1e-2;
  const Two cones = nested_cones(1000);
  const Found one = found(cones, limits);
  CHECK(one.distance.upper <= (1 + 1.001e-2) * one.distance.lower);
  // From the tip of the inner cone to the plane of a side of the outer one.
  const double apothem = std::cos(std::numbers::pi / 1000);
  const double truth = 0.5 * apothem / std::sqrt(4 + apothem * apothem);
  CHECK(one.distance.lower <= truth * (1 + 1e-12));
  CHECK(one.distance.upper >= truth * (1 - 1e-12));
}

TEST_CASE("bounds with a tolerance hold, and are as near as it says") {
  const Two balls{make_icosphere(1, 3), moved(make_icosphere(0.9, 3), Vec3(0.01, 0.02, 0))};
  const Found exactly = found(balls);
  for (const double tolerance : {1e-6, 1e-3, 0.1, 1.0}) {
    CAPTURE(tolerance);
    DistanceLimits limits;
    limits.tolerance = tolerance;
    const Found about = found(balls, limits);
    CHECK(about.distance.lower <= exactly.distance.upper);
    CHECK(about.distance.upper >= exactly.distance.lower);
    CHECK(about.distance.distance >= exactly.distance.lower);
    CHECK(about.distance.upper <= (1 + tolerance * 1.001) * about.distance.lower);
    CHECK(about.distance.nearest);
    if (tolerance >= 1e-3) CHECK(about.counts.by_boxes() < exactly.counts.by_boxes());
  }
}

TEST_CASE("a search ends with an error where it may not take the work") {
  const auto [a, b] = nested_cones(400).trees();
  DistanceSearch search;
  DistanceLimits limits;
  const auto here = Similarity::Identity();
  limits.max_work = 100;
  const auto refused = search.find(a, here, b, here, limits);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kResourceLimit);
  CHECK(refused.error().where == "max_work");
  for (double DistanceLimits::* field : {&DistanceLimits::tolerance, &DistanceLimits::max_work})
    for (const double value : {-1.0, std::nan("")}) {
      DistanceLimits wrong;
      wrong.*field = value;
      const auto none = search.find(a, here, b, here, wrong);
      REQUIRE(!none);
      CHECK(none.error().code == ErrorCode::kInvalidArgument);
    }
  NearPairSearch near_pairs;
  const auto pairs = near_pairs.pairs(a, here, b, here, 0.2, 100);
  REQUIRE(!pairs);
  CHECK(pairs.error().code == ErrorCode::kResourceLimit);
}

TEST_CASE("near pairs of slivers are found without looking at all") {
  const auto look = [](const Two& two, double distance) {
    const auto [a, b] = two.trees();
    NearPairSearch search;
    const auto here = Similarity::Identity();
    const auto pairs = search.pairs(a, here, b, here, distance);
    REQUIRE(pairs);
    return std::pair(pairs->size(), counts_of(search));
  };
  for (const int slices : {800, 3200}) {
    const auto [found, counts] = look(rods(slices), 0.999);
    CHECK(found == 0);
    CHECK(counts.by_boxes() <= kMaxPairs);
    CHECK(counts.hulls <= kMaxHulls);
  }
}

}  // namespace
}  // namespace plimsoll
