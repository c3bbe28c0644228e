// How much a search does where surfaces have very many nearest triangles, or boxes tell little:
// counts, which are the same on any machine.
#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "proximity/search_work.h"
#include "support/approx.h"
#include "support/hard_scenes.h"
#include "support/random_mesh.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using test::TwoBodies;

std::pair<DistanceTree, DistanceTree> trees_of(const TwoBodies& two) {
  return {DistanceTree(MeshTree(*CheckedMesh::borrow(two.a), TreeQuality::kTight)),
          DistanceTree(MeshTree(*CheckedMesh::borrow(two.b), TreeQuality::kTight))};
}

struct Found {
  SurfaceDistance distance;
  SearchCounts counts;
};

Found found(const TwoBodies& two, const DistanceLimits& limits = {}) {
  const auto [a, b] = trees_of(two);
  DistanceSearch search;
  const auto here = Similarity::Identity();
  const Result<SurfaceDistance> distance = search.find(a, here, b, here, limits);
  REQUIRE(distance);
  return {*distance, counts_of(search)};
}

/// No more than before hulls are asked for the second time; all pairs are ten millions.
constexpr std::size_t kMaxPairs = 20000, kMaxHulls = 10000;

void check_growth(const TwoBodies& small, const TwoBodies& large, double distance) {
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
  check_growth(test::crossing_rods(800), test::crossing_rods(3200), 1);
}

TEST_CASE("strips that run across strips take no more pairs the finer they are") {
  check_growth(test::crossing_strips(1000), test::crossing_strips(4000), 0x1p-6);
}

TEST_CASE("fans over fans take no more pairs the finer they are") {
  check_growth(test::stacked_fans(2000), test::stacked_fans(8000), 0.3);
}

TEST_CASE("a triangle far away does not hide what is near") {
  const Found few = found(test::stray_sheets(40)), many = found(test::stray_sheets(80));
  CHECK(few.distance.distance == test::approx(0.3).epsilon(1e-9));
  CHECK(many.counts.by_boxes() <= kMaxPairs);
  CHECK(many.counts.hulls <= kMaxHulls);
}

// Any two of the slivers of a cone in another are as near as any others.
TEST_CASE("a tolerance parts cones that run along each other with few pairs") {
  DistanceLimits limits;
  limits.tolerance = 1e-2;
  constexpr int kSides = test::kAddressSanitizer ? 200 : 1000;
  const TwoBodies cones = test::nested_cones(kSides);
  const Found one = found(cones, limits);
  CHECK(one.distance.upper <= (1 + 1.001e-2) * one.distance.lower);
  // From the tip of the inner cone to the plane of a side of the outer one.
  const double apothem = std::cos(std::numbers::pi / kSides);
  const double truth = 0.5 * apothem / std::sqrt(4 + apothem * apothem);
  CHECK(one.distance.lower <= truth * (1 + 1e-12));
  CHECK(one.distance.upper >= truth * (1 - 1e-12));
}

TEST_CASE("bounds with a tolerance hold, and are as near as it says") {
  const TwoBodies balls{make_icosphere(1, 3),
                        test::moved(make_icosphere(0.9, 3), test::shift({0.01, 0.02, 0}))};
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

// Many searches end with a pair that is not the nearest.
TEST_CASE("the lower bound holds for nearer pairs that a tolerance leaves out") {
  Random random(39);
  int farther = 0;
  constexpr int kRounds = test::kAddressSanitizer ? 12 : 60;
  for (int i = 0; i < kRounds; ++i) {
    const TriangleMesh bumpy = make_bumpy_sphere(1, 0.3, 12, 20);
    const Vec3 away = random.uniform(2.4, 3) * test::random_vector(random).normalized();
    const TwoBodies two{bumpy, test::moved(bumpy, test::shift(away))};
    DistanceLimits limits;
    limits.tolerance = random.uniform(0.05, 0.8);
    const SurfaceDistance exactly = found(two).distance, about = found(two, limits).distance;
    if (!(exactly.distance > 0)) continue;
    CHECK(about.lower <= exactly.upper);
    CHECK(about.upper >= exactly.lower);
    CHECK(about.upper <= (1 + limits.tolerance * 1.001) * about.lower);
    farther += about.distance > exactly.distance * (1 + 1e-6) ? 1 : 0;
  }
  CHECK(farther > kRounds / 12);
}

// The same where hulls leave parts out.
TEST_CASE("the lower bound holds for slivers that a tolerance leaves out") {
  Random random(40);
  std::size_t hulls = 0;
  int farther = 0;
  for (int i = 0; i < (test::kAddressSanitizer ? 4 : 12); ++i) {
    const TriangleMesh rod = make_cylinder(1, 100, 300);
    Similarity there = test::random_similarity(random, 0);
    there.translation() = Vec3(0, random.uniform(2.5, 4), random.uniform(-20, 20));
    const TwoBodies two{rod, test::moved(rod, there)};
    DistanceLimits limits;
    limits.tolerance = random.uniform(0.05, 0.8);
    const Found exactly = found(two), about = found(two, limits);
    if (!(exactly.distance.distance > 0)) continue;
    CHECK(about.distance.lower <= exactly.distance.upper);
    CHECK(about.distance.upper >= exactly.distance.lower);
    hulls += about.counts.hulls;
    farther += about.distance.distance > exactly.distance.distance * (1 + 1e-6) ? 1 : 0;
  }
  CHECK(farther > 0);
  CHECK(hulls > 0);
}

TEST_CASE("a search ends with an error where it may not take the work") {
  const auto [a, b] = trees_of(test::nested_cones(400));
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

/// How many pairs of triangles are nearer than that, and how they were found.
std::pair<std::size_t, SearchCounts> near_pairs(const TwoBodies& two, double distance) {
  const auto [a, b] = trees_of(two);
  NearPairSearch search;
  const auto here = Similarity::Identity();
  const auto pairs = search.pairs(a, here, b, here, distance);
  REQUIRE(pairs);
  return {pairs->size(), counts_of(search)};
}

// Sheets 0.4 of a cell apart, and what is closer than half a cell.
TEST_CASE("near pairs of sheets with a triangle far away take what those of the sheets take") {
  constexpr std::uint32_t kCells = 40;
  const TriangleMesh sheet = test::wavy_sheet(kCells);
  const TriangleMesh other = test::moved(sheet, test::shift({0, 0, 0.4 / kCells}));
  const auto [found, counts] = near_pairs({sheet, other}, 0.5 / kCells);
  for (const double away : {1e3, 1e5}) {
    const auto [with_strays, looks] =
        near_pairs({test::with_stray_triangle(sheet, away), test::with_stray_triangle(other, away)},
                   0.5 / kCells);
    CHECK(with_strays == found + 1);
    CHECK(2 * looks.by_boxes() <= 3 * counts.by_boxes());
    CHECK(looks.hulls <= counts.hulls + kMaxHulls);
  }
}

TEST_CASE("near pairs of slivers are found without looking at all") {
  for (const int slices : {800, 3200}) {
    const auto [found, counts] = near_pairs(test::crossing_rods(slices), 0.999);
    CHECK(found == 0);
    CHECK(counts.by_boxes() <= kMaxPairs);
    CHECK(counts.hulls <= kMaxHulls);
  }
}

}  // namespace
}  // namespace plimsoll
