// The oracle compares all pairs of leaves.
#include "spheres/sphere_distance.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "random_spheres.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::PlacedBall;
using test::RandomPair;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Coordinates are below 10, and rounded as often as a distance has terms.
constexpr double kRounding = 1e-14;

double gap(const PlacedBall& x, const PlacedBall& y) {
  return (x.center - y.center).norm() - x.radius - y.radius;
}
double reach_gap(const PlacedBall& x, const PlacedBall& y) {
  return (x.center - y.center).norm() - x.reach - y.reach;
}

template <class Gap>
double least_gap(const RandomPair& pair, const Gap& measure) {
  double least = kInfinite;
  const std::vector<PlacedBall> others = test::placed_leaves(pair.b, pair.a_from_b);
  for (const PlacedBall& x : test::placed_leaves(pair.a))
    for (const PlacedBall& y : others) least = std::min(least, measure(x, y));
  return least;
}

SphereHierarchy one_ball(double radius, double reach) {
  return test::median_hierarchy({test::leaf(Vec3::Zero(), radius, radius, reach)});
}

TEST_CASE("distance, meeting and lower bound are those of all pairs") {
  Random random(1);
  SphereWalk walk;
  int apart = 0, meeting = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 300);
    const PosedHierarchies bodies = pair.posed();
    const double least = least_gap(pair, gap);
    const SphereDistance found = sphere_distance(bodies, walk);
    CHECK(std::abs(found.distance - std::max(0.0, least)) <= kRounding);
    CHECK(spheres_meet(bodies, walk) == (found.distance == 0));
    CHECK(std::abs(distance_lower_bound(bodies, walk) -
                   std::max(0.0, least_gap(pair, reach_gap))) <= 10 * kRounding);
    // The named pair has that distance, or meets.
    REQUIRE(bodies.are_leaves(found.nearest));
    const double named = std::sqrt(bodies.squared_distance(found.nearest)) -
                         bodies.a(found.nearest.a).radius -
                         bodies.b_radius(found.nearest.b, NodeBall::kPrimary);
    CHECK(std::abs(found.distance - std::max(0.0, named)) <= kRounding);
    (least > 0 ? apart : meeting) += 1;
  }
  CHECK(apart > test::campaign(300));
  CHECK(meeting > test::campaign(300));
}

TEST_CASE("any pair of leaves may begin the search, which finds the same distance") {
  Random random(2);
  SphereWalk walk, fresh;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 100);
    const PosedHierarchies bodies = pair.posed();
    const SphereDistance found = sphere_distance(bodies, walk);
    const auto any_leaf = [&](const SphereHierarchy& hierarchy) {
      const std::vector<PlacedBall> leaves = test::placed_leaves(hierarchy);
      return leaves[random.below(leaves.size())].node;
    };
    const SphereDistance again =
        sphere_distance(bodies, walk, SpherePair{any_leaf(pair.a), any_leaf(pair.b)});
    CHECK(again.distance == found.distance);
    const SphereDistance with_answer = sphere_distance(bodies, walk, found.nearest);
    CHECK(with_answer.distance == found.distance);
    CHECK(with_answer.nearest == found.nearest);
    CHECK(with_answer.tests <= found.tests);
    // Memory from other questions changes nothing.
    const SphereDistance alone = sphere_distance(bodies, fresh);
    fresh = SphereWalk();
    CHECK(alone.nearest == found.nearest);
    CHECK(alone.tests == found.tests);
  }
}

TEST_CASE("two balls are as far apart as their centers less both radii") {
  const SphereHierarchy a = one_ball(1, 1.5), b = one_ball(0.5, 0.75);
  Similarity there = Similarity::Identity();
  there.linear() *= 2;
  SphereWalk walk;
  for (const double x : {0.0, 1.0, 1.999, 2.001, 2.5, 3.5, 100.0}) {
    there.translation() = Vec3(0, x, 0);
    const PosedHierarchies bodies(a, b, there);
    CHECK(sphere_distance(bodies, walk).distance ==
          test::approx(std::max(0.0, x - 2)).epsilon(1e-12));
    CHECK(spheres_meet(bodies, walk) == (x < 2));
    // A bound stays below what it bounds, by rounding at most.
    const double bound = distance_lower_bound(bodies, walk);
    CHECK(bound <= std::max(0.0, x - 3));
    CHECK(bound >= std::max(0.0, x - 3) - 1e-11);
    if (x > 3) CHECK(bound < x - 3);
  }
}

TEST_CASE("all pairs whose parts may be nearer than the limit are visited once") {
  Random random(3);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 150);
    const PosedHierarchies bodies = pair.posed();
    const double limit = random.uniform(-0.2, 1);
    std::set<SpherePair> visited;
    visit_near_parts(bodies, walk, limit, [&](SpherePair leaves, double) {
      CHECK(visited.insert(leaves).second);
      return limit;
    });
    const std::vector<PlacedBall> others = test::placed_leaves(pair.b, pair.a_from_b);
    for (const PlacedBall& x : test::placed_leaves(pair.a))
      for (const PlacedBall& y : others) {
        const bool is_visited = visited.contains({x.node, y.node});
        if (reach_gap(x, y) < limit) CHECK(is_visited);
        if (reach_gap(x, y) > limit + 1e-12) CHECK(!is_visited);
      }
  }
}

// The visitor measures what the bound is a bound of: here, the gap of the primary spheres.
TEST_CASE("a limit that shrinks to what was measured keeps every pair that may hold the least") {
  Random random(4);
  SphereWalk walk;
  std::size_t visits = 0, pairs = 0;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 150);
    const PosedHierarchies bodies = pair.posed();
    double least = kInfinite;
    visit_near_parts(bodies, walk, kInfinite, [&](SpherePair leaves, double bound) {
      const double measured = std::sqrt(bodies.squared_distance(leaves)) -
                              bodies.a(leaves.a).radius -
                              bodies.b_radius(leaves.b, NodeBall::kPrimary);
      CHECK(bound < measured);
      ++visits;
      return least = std::min(least, measured);
    });
    CHECK(std::abs(least - least_gap(pair, gap)) <= kRounding);
    pairs += test::placed_leaves(pair.a).size() * test::placed_leaves(pair.b).size();
  }
  CHECK(visits < pairs / 10);
}

// The oracle knows which pairs were not visited, and how near they are.
TEST_CASE("the nearest parts come first, and what is left is no nearer than the walk says") {
  Random random(6);
  SphereWalk walk;
  const Deadline never(kInfinite);
  int ended = 0, sharp = 0;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 100);
    const PosedHierarchies bodies = pair.posed();
    const double limit = random.below(2) == 0 ? kInfinite : random.uniform(0, 1);
    const std::size_t most = random.below(4) == 0 ? 100'000 : random.below(60);
    StepLimit steps(never, most, 0);
    std::set<SpherePair> visited;
    double before = -kInfinite;
    const NearestFirst found = walk.visit_nearest_first(bodies, NodeBall::kReach, limit, steps,
                                                        [&](SpherePair leaves, double gap) {
                                                          CHECK(gap >= before - 1e-12);
                                                          before = gap;
                                                          CHECK(visited.insert(leaves).second);
                                                          return limit;
                                                        });
    CHECK(steps.steps() <= most);
    double least = kInfinite, least_left = kInfinite;
    const std::vector<PlacedBall> others = test::placed_leaves(pair.b, pair.a_from_b);
    for (const PlacedBall& x : test::placed_leaves(pair.a))
      for (const PlacedBall& y : others) {
        least = std::min(least, reach_gap(x, y));
        if (!visited.contains({x.node, y.node})) least_left = std::min(least_left, reach_gap(x, y));
      }
    CHECK(found.least <= least + kRounding);
    CHECK(found.least_left <= least_left + kRounding);
    if (found.is_complete) {
      CHECK(found.least_left == limit);
      CHECK(std::abs(found.least - std::min(limit, least)) <= kRounding);
    } else {
      ++ended;
      if (found.least_left > least) ++sharp;
    }
  }
  CHECK(ended > test::campaign(200));
  CHECK(sharp > test::campaign(50));
}

// A frame that is 1e6 away rounds distances to 1e-10; a bound takes that into account.
TEST_CASE("bounds hold far from the origin") {
  Random random(5);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(300); ++i) {
    RandomPair pair(random, 50);
    const double least = least_gap(pair, reach_gap);
    const Vec3 far = 1e6 * test::random_vector(random);
    for (SphereNode& node : pair.a.nodes) node.center += far;
    pair.a_from_b.translation() += far;
    const double bound = distance_lower_bound(pair.posed(), walk);
    // Centers that were moved are rounded to 1.2e-10 at each of three coordinates.
    CHECK(bound <= std::max(0.0, least) + 5e-10);
    CHECK(bound >= least - 1e-7);
  }
}

}  // namespace
}  // namespace plimsoll
