// Distances within a budget against exact ones. Budgets are steps, so that no clock decides.
#include "spheres/body_distance.h"

#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.h"
#include "random_spheres.h"
#include "solids.h"
#include "spheres/near_triangles.h"
#include "support/campaign.h"
#include "support/heap_peak.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr std::size_t kAllSteps = std::numeric_limits<std::size_t>::max() - 1;

class SphereAndExactBody {
 public:
  SphereAndExactBody(TriangleMesh triangles, std::size_t spheres)
      : mesh_(test::closed(std::move(triangles))),
        exact_(MeshTree(mesh_)),
        triangles_(mesh_),
        shares_(*share_solid(mesh_, packed(spheres), 32)),
        hierarchy_(
            make_sphere_hierarchy(packed(spheres), shares_.shares, SecondaryRadii::kShares, 4)) {}

  [[nodiscard]] SphereBody spheres() const { return {hierarchy_, shares_, triangles_, 0}; }
  [[nodiscard]] const DistanceTree& exact() const { return exact_; }

 private:
  [[nodiscard]] std::vector<PlacedSphere> packed(std::size_t count) const {
    return pack_spheres(mesh_, {.max_count = count})->spheres;
  }

  ClosedMesh mesh_;
  DistanceTree exact_;
  BalledTriangles triangles_;
  SphereShares shares_;
  SphereHierarchy hierarchy_;
};

const SphereAndExactBody& body(std::size_t number) {
  static const SphereAndExactBody bodies[] = {{make_box({1, 1, 1}), 30},
                                              {make_torus(1, 0.3, 24, 12), 200},
                                              {make_cone(1, 2, 9), 50},
                                              {make_box({0.05, 0.05, 0.05}), 1}};
  return bodies[number];
}

/// The distance of two solids, between two numbers.
struct Truth {
  double lower, upper;
  double surfaces_lower, surfaces_upper;
};

Truth truth_of(const SphereAndExactBody& a, const SphereAndExactBody& b,
               const Similarity& a_from_b) {
  DistanceSearch search;
  const Similarity here = Similarity::Identity();
  const SurfaceDistance surfaces = *search.find(a.exact(), here, b.exact(), a_from_b);
  Truth truth{surfaces.lower, surfaces.upper, surfaces.lower, surfaces.upper};
  if (surfaces.meeting != SurfaceMeeting::kApart ||
      *containment(a.exact(), here, b.exact(), a_from_b) != Containment::kNone)
    truth.lower = truth.upper = 0;
  return truth;
}

/// Coordinates of up to five, in two frames.
constexpr double kRounding = 1e-13;

}  // namespace

TEST_CASE("bounds enclose the exact distance wherever the search ends") {
  Random random(1);
  BodyDistanceSearch search;
  int ended = 0, apart = 0, contained = 0;
  for (int round = 0; round < test::campaign(3000); ++round) {
    CAPTURE(round);
    const SphereAndExactBody &a = body(random.below(4)), &b = body(random.below(4));
    const Similarity a_from_b =
        test::random_similarity(random, random.uniform(0, 3), random.uniform(0.5, 1.5));
    const Truth truth = truth_of(a, b, a_from_b);
    if (truth.upper < truth.surfaces_lower) ++contained;
    const BodyDistance all = search.find(a.spheres(), b.spheres(), a_from_b, std::nullopt);
    std::optional<SpherePair> last;
    for (const std::size_t steps : {0u, 1u, 2u, 5u, 20u, 100u, 500u, 3000u}) {
      CAPTURE(steps);
      const BodyDistance found =
          search.find(a.spheres(), b.spheres(), a_from_b, last, {.max_steps = steps});
      if (random.below(2) == 0) last = found.nearest;
      if (found.is_complete) {
        CHECK(found.distance == all.distance);
        CHECK(found.spheres_meet == all.spheres_meet);
      }
      if (found.spheres_meet) {
        CHECK(truth.lower == 0);
        continue;
      }
      CHECK(found.lower >= 0);
      CHECK(found.lower <= truth.upper);
      CHECK(found.upper >= truth.lower);
      CHECK(found.surfaces_lower <= truth.surfaces_upper);
      // In a solid of which one lies in the other spheres may be nearer than the surfaces.
      if (truth.lower > 0) CHECK(found.distance >= truth.lower - kRounding);
      CHECK(found.distance <= found.upper);
      if (found.point_a)
        CHECK(std::abs((*found.point_a - *found.point_b).norm() - found.distance) <= kRounding);
      else
        CHECK(found.distance == 0);
      if (found.is_complete && truth.upper == truth.surfaces_upper) {
        CHECK(found.distance >= truth.lower - kRounding);
        CHECK(found.distance <= truth.upper + kRounding);
      }
      if (!found.is_complete) ++ended;
      if (!found.is_complete && found.lower > 0) ++apart;
    }
  }
  CHECK(ended > test::campaign(3000));
  CHECK(apart > test::campaign(1000));
  CHECK(contained > test::campaign(20));
}

TEST_CASE("a budget that suffices finds the distance that a search without one finds") {
  Random random(2);
  BodyDistanceSearch search;
  for (int round = 0; round < test::campaign(1000); ++round) {
    CAPTURE(round);
    const SphereAndExactBody &a = body(random.below(4)), &b = body(random.below(4));
    const Similarity a_from_b =
        test::random_similarity(random, random.uniform(0, 3), random.uniform(0.5, 1.5));
    const BodyDistance all = search.find(a.spheres(), b.spheres(), a_from_b, std::nullopt);
    const BodyDistance found =
        search.find(a.spheres(), b.spheres(), a_from_b, std::nullopt, {.max_steps = kAllSteps});
    CHECK(found.is_complete);
    CHECK(found.distance == all.distance);
    CHECK(found.spheres_meet == all.spheres_meet);
    CHECK((found.lower > 0) == (all.lower > 0));
    CHECK(std::abs(found.lower - all.lower) <= kRounding);
    CHECK(std::abs(found.upper - all.upper) <= kRounding);
    CHECK(std::abs(found.surfaces_lower - all.surfaces_lower) <= kRounding);
  }
}

// A gap of two balls is rounded by some 1e-15 here. The search takes off 2^-48 of all lengths,
// 3e-14, so that its bound is below the least gap, and by no more than kRounding.
TEST_CASE("the bound of the parts is below the least gap of their balls, by rounding") {
  const SphereBody a = body(1).spheres(), b = body(2).spheres();
  NearTriangleSearch search;
  const Deadline never(std::numeric_limits<double>::infinity());
  for (const Vec3& way : {Vec3(1, 0.3, 0.2), Vec3(-0.1, 0.4, 1), Vec3(0.2, -1, 0.1)}) {
    Similarity a_from_b = Similarity::Identity();
    a_from_b.translation() = 4 * way;
    double least = std::numeric_limits<double>::infinity();
    const std::vector<test::PlacedBall> others = test::placed_leaves(b.hierarchy, a_from_b);
    for (const test::PlacedBall& x : test::placed_leaves(a.hierarchy))
      for (const test::PlacedBall& y : others)
        least = std::min(least, (x.center - y.center).norm() - x.reach - y.reach);
    REQUIRE(least > 0);
    StepLimit steps(never, kAllSteps, 0);
    const TriangleGapSoFar found = search.find(
        a, b, a_from_b, std::numeric_limits<double>::infinity(), SpherePair{0, 0}, steps);
    CHECK(found.is_complete);
    CHECK(found.parts_lower < least);
    CHECK(found.parts_lower >= least - kRounding);
  }
}

TEST_CASE("more steps bring both bounds nearer") {
  Random random(3);
  BodyDistanceSearch search;
  constexpr std::size_t kBudgets[] = {0, 30, 300, 3000};
  double lower[4] = {}, upper[4] = {};
  for (int round = 0; round < std::max(50, test::campaign(500)); ++round) {
    const SphereAndExactBody &a = body(1), &b = body(random.below(2));
    Similarity a_from_b = test::random_similarity(random, 0);
    a_from_b.translation() = 3 * test::random_vector(random).normalized();
    for (std::size_t i = 0; i < 4; ++i) {
      const BodyDistance found =
          search.find(a.spheres(), b.spheres(), a_from_b, std::nullopt, {.max_steps = kBudgets[i]});
      lower[i] += found.lower;
      upper[i] += found.upper;
    }
  }
  for (std::size_t i = 0; i + 1 < 4; ++i)
    CHECK(upper[i] - lower[i] > 1.1 * (upper[i + 1] - lower[i + 1]));
  for (std::size_t i = 0; i + 1 < 4; ++i) CHECK(lower[i] < lower[i + 1]);
}

// The surfaces are apart by 1e-3; the one sphere that is there reaches into no corner.
TEST_CASE("a body in a corner of another is never said to be apart from it") {
  BodyDistanceSearch search;
  const SphereAndExactBody corner(make_box({1, 1, 1}), 1);
  Similarity a_from_b = Similarity::Identity();
  a_from_b.translation() = Vec3(-0.474, -0.474, -0.474);
  bool are_surfaces_apart = false;
  for (std::size_t steps : {std::size_t{0}, std::size_t{3}, std::size_t{30}, std::size_t{300},
                            std::size_t{3000}, kAllSteps, kAllSteps + 1}) {
    const BodyDistance found = search.find(corner.spheres(), body(3).spheres(), a_from_b,
                                           std::nullopt, {.max_steps = steps});
    CHECK_FALSE(found.spheres_meet);
    CHECK(found.lower == 0);
    CHECK(found.upper > 0);
    CHECK(found.surfaces_lower <= 0.001);
    are_surfaces_apart = found.surfaces_lower > 0.0009;
  }
  CHECK(are_surfaces_apart);
}

TEST_CASE("no time is an answer with bounds, and much time is the whole answer") {
  Random random(4);
  BodyDistanceSearch search;
  for (int round = 0; round < test::campaign(100); ++round) {
    const Similarity a_from_b = test::random_similarity(random, 3);
    const auto find = [&](const DistanceBudget& budget) {
      return search.find(body(1).spheres(), body(2).spheres(), a_from_b, std::nullopt, budget);
    };
    const BodyDistance none = find({.max_time = 0}), no_steps = find({.max_steps = 0});
    CHECK(none.distance == no_steps.distance);
    CHECK(none.lower == no_steps.lower);
    CHECK(none.is_complete == none.spheres_meet);
    CHECK(find({.max_time = 3600}).is_complete);
    CHECK(find({.max_time = 3600}).distance == find({}).distance);
  }
}

TEST_CASE("a distance that is asked again takes no memory") {
  BodyDistanceSearch search;
  Similarity a_from_b = Similarity::Identity();
  a_from_b.translation() = Vec3(2.1, 1, 0.5);
  const SphereBody torus = body(1).spheres(), cone = body(2).spheres();
  for (const std::size_t steps : {std::size_t{300}, kAllSteps, kAllSteps + 1}) {
    const double first = search.find(torus, cone, a_from_b, {}, {.max_steps = steps}).lower;
    test::reset_heap_peak();
    CHECK(search.find(torus, cone, a_from_b, {}, {.max_steps = steps}).lower == first);
    CHECK(test::heap_peak() == 0);
  }
}

}  // namespace plimsoll
