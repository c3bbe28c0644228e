// The oracle sums over all pairs of leaves, with the textbook's formula of the lens.
#include "spheres/sphere_overlap.h"

#include <doctest/doctest.h>

#include <set>

#include "random_spheres.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::ball_volume;
using test::PlacedBall;
using test::RandomPair;

/// Volume, and centroid from the center of the first ball.
struct Lens {
  double volume = 0, centroid = 0;
};

/// Two caps on the plane in which the surfaces cross. A cap's centroid is 3 (2 r - h)^2 / (4 (3 r -
/// h)) from the center of its ball.
Lens textbook_lens(double r, double s, double d) {
  if (d >= r + s) return {};
  if (d <= std::abs(r - s)) return {ball_volume(std::min(r, s)), r < s ? 0 : d};
  const double x = (d * d + r * r - s * s) / (2 * d);
  const auto cap = [](double radius, double height) {
    return std::numbers::pi / 3 * height * height * (3 * radius - height);
  };
  const auto centroid = [](double radius, double height) {
    return 3 * (2 * radius - height) * (2 * radius - height) / (4 * (3 * radius - height));
  };
  const double first = cap(r, r - x), second = cap(s, s - d + x);
  const double volume = first + second;
  return {volume, (first * centroid(r, r - x) + second * (d - centroid(s, s - d + x))) / volume};
}

struct Sum {
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  std::size_t lenses = 0;
};

Sum sum_over_all(const RandomPair& pair, double PlacedBall::* radius) {
  Sum sum;
  const std::vector<PlacedBall> others = test::placed_leaves(pair.b, pair.a_from_b);
  for (const PlacedBall& x : test::placed_leaves(pair.a))
    for (const PlacedBall& y : others) {
      const double d = (y.center - x.center).norm();
      const Lens lens = textbook_lens(x.*radius, y.*radius, d);
      if (lens.volume == 0) continue;
      sum.volume += lens.volume;
      const Vec3 centroid = x.center + lens.centroid / d * (y.center - x.center);
      sum.moment += lens.volume * centroid;
      ++sum.lenses;
    }
  return sum;
}

// The textbook's caps are differences: a lens is wrong by some 1e-16 of the larger ball, 0.1 m^3
// here. Scaled bodies are up to 10 times as large, and moments up to 10 m farther.
TEST_CASE("the volume is the sum of the lenses of all pairs, whole subtrees included") {
  Random random(1);
  SphereWalk walk;
  std::size_t subtrees = 0, tests = 0, pairs = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const RandomPair pair =
        i % 4 == 0 ? test::nested_pair(random, 3, 100) : RandomPair(random, 300);
    for (const NodeBall ball : {NodeBall::kPrimary, NodeBall::kSecondary}) {
      const SphereOverlap found = sphere_overlap(pair.posed(), walk, ball);
      const Sum all = sum_over_all(
          pair, ball == NodeBall::kPrimary ? &PlacedBall::radius : &PlacedBall::secondary);
      const double size = std::pow(std::max(1.0, pair.a_from_b.linear().col(0).norm()), 3);
      CHECK(std::abs(found.volume - all.volume) <= 1e-12 * size);
      CHECK((found.moment - all.moment).norm() <= 1e-11 * size);
      CHECK(found.lenses <= all.lenses);
      if (found.subtrees == 0) CHECK(found.lenses == all.lenses);
      subtrees += found.subtrees;
      tests += found.tests;
    }
    pairs += 2 * pair.a.nodes.size() * pair.b.nodes.size();
  }
  CHECK(subtrees > 0);
  CHECK(tests < pairs / 5);
}

TEST_CASE("two balls have the volume and the center of their lens in common") {
  const SphereHierarchy a = test::median_hierarchy({test::leaf(Vec3(1, 0, 0), 1, 1, 1)});
  const SphereHierarchy b = test::median_hierarchy({test::leaf(Vec3(0, 2, 0), 0.5, 0.75, 1)});
  SphereWalk walk;
  Similarity there = Similarity::Identity();
  there.linear() *= 2;
  there.translation() = Vec3(1, -3, 0);  // b's ball of radius 1 stands at (1, 1, 0)
  const SphereOverlap found = sphere_overlap({a, b, there}, walk, NodeBall::kPrimary);
  CHECK(found.volume == test::approx(5 * std::numbers::pi / 12).epsilon(1e-14));
  CHECK((found.center() - Vec3(1, 0.5, 0)).norm() <= 1e-14);
  CHECK(found.area == test::approx(0.75 * std::numbers::pi).epsilon(1e-14));
  CHECK(found.lenses == 1);
}

TEST_CASE("bodies change places without a change of the volume") {
  Random random(2);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 200);
    const SphereOverlap here = sphere_overlap(pair.posed(), walk, NodeBall::kSecondary);
    const PosedHierarchies swapped(pair.b, pair.a, pair.a_from_b.inverse());
    const SphereOverlap there = sphere_overlap(swapped, walk, NodeBall::kSecondary);
    const double scale = std::pow(pair.a_from_b.linear().col(0).norm(), 3);
    CHECK(std::abs(here.volume - scale * there.volume) <= 1e-12 * std::max(1.0, scale));
  }
}

TEST_CASE("earlier questions change no bit of an answer") {
  Random random(3);
  SphereWalk used;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 100);
    SphereWalk fresh;
    const SphereOverlap x = sphere_overlap(pair.posed(), used, NodeBall::kSecondary);
    const SphereOverlap y = sphere_overlap(pair.posed(), fresh, NodeBall::kSecondary);
    CHECK(x.volume == y.volume);
    CHECK(x.moment == y.moment);
    CHECK(x.tests == y.tests);
  }
}

TEST_CASE("every pair of primary spheres that meet is visited once") {
  Random random(4);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(1000); ++i) {
    const RandomPair pair(random, 150);
    std::set<SpherePair> visited;
    visit_meeting_spheres(pair.posed(), walk,
                          [&](SpherePair leaves, double) { CHECK(visited.insert(leaves).second); });
    CHECK(visited.size() == sum_over_all(pair, &PlacedBall::radius).lenses);
  }
}

TEST_CASE("one question gives the distance of bodies apart and the volume of bodies that meet") {
  Random random(5);
  SphereWalk walk;
  int meeting = 0;
  for (int i = 0; i < test::campaign(1000); ++i) {
    const RandomPair pair(random, 150);
    const PosedHierarchies bodies = pair.posed();
    const SphereProximity found = sphere_proximity(bodies, walk, NodeBall::kSecondary);
    CHECK(found.distance.distance == sphere_distance(bodies, walk).distance);
    if (spheres_meet(bodies, walk)) {
      ++meeting;
      CHECK(found.distance.distance == 0);
      CHECK(found.overlap.volume == sphere_overlap(bodies, walk, NodeBall::kSecondary).volume);
    } else {
      CHECK(found.overlap.volume == 0);
    }
  }
  CHECK(meeting > 0);
}

/// Upper bound by its definition.
double upper_bound(const RandomPair& pair) {
  const std::vector<PlacedBall> a = test::placed_leaves(pair.a);
  const std::vector<PlacedBall> b = test::placed_leaves(pair.b, pair.a_from_b);
  const auto meet = [](const PlacedBall& x, const PlacedBall& y) {
    return (x.center - y.center).norm() < x.reach + y.reach;
  };
  const auto rest = [&](const std::vector<PlacedBall>& from, const std::vector<PlacedBall>& to) {
    double sum = 0;
    for (const PlacedBall& x : from)
      if (std::any_of(to.begin(), to.end(), [&](const PlacedBall& y) { return meet(x, y); }))
        sum += x.uncovered;
    return sum;
  };
  const auto whole = [](const std::vector<PlacedBall>& balls) {
    double sum = 0;
    for (const PlacedBall& x : balls) sum += ball_volume(x.radius) + x.uncovered;
    return sum;
  };
  return std::min({sum_over_all(pair, &PlacedBall::radius).volume + rest(a, b) + rest(b, a),
                   whole(a), whole(b)});
}

// Sums of 300 rounded numbers, of volumes up to 8 m^3 and, scaled, 27 times as large.
TEST_CASE("bounds are the sum of the lenses, and with it what may be uncovered there") {
  Random random(6);
  OverlapBoundsSearch search;
  int uncertain = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const RandomPair pair =
        i % 4 == 0 ? test::nested_pair(random, 3, 100) : RandomPair(random, 200);
    const OverlapBounds bounds = search.find(pair.a, pair.b, pair.a_from_b);
    const double size = std::pow(std::max(1.0, pair.a_from_b.linear().col(0).norm()), 3);
    const double lower = sum_over_all(pair, &PlacedBall::radius).volume;
    CHECK(std::abs(bounds.lower - lower) <= 1e-10 * size);
    CHECK(std::abs(bounds.upper - upper_bound(pair)) <= 1e-10 * size);
    CHECK(bounds.lower <= bounds.upper);
    if (bounds.upper > bounds.lower + 0.01) ++uncertain;
  }
  CHECK(uncertain > 0);
}

/// Disjoint balls, each with a concentric sphere of `share` of its radius as its packing: what
/// these balls have in common is known in closed form.
SphereHierarchy shells(Random& random, double share) {
  std::vector<SphereNode> leaves = test::random_leaves(random, 1 + random.below(60));
  for (SphereNode& node : leaves) {
    node.reach = node.radius;
    node = test::leaf(node.center, share * node.radius, node.radius, node.radius);
    node.uncovered = ball_volume(node.reach) - node.volume;
  }
  return test::median_hierarchy(leaves);
}

TEST_CASE("bounds contain the volume of solids that are made of balls") {
  Random random(7);
  OverlapBoundsSearch search;
  for (const double share : {1.0, 0.9, 0.5})
    for (int i = 0; i < test::campaign(1000); ++i) {
      CAPTURE(i);
      RandomPair pair(random, 1);
      pair.a = shells(random, share);
      pair.b = shells(random, share);
      const double truth = sum_over_all(pair, &PlacedBall::reach).volume;
      const double size = std::pow(std::max(1.0, pair.a_from_b.linear().col(0).norm()), 3);
      const auto [lower, upper] = search.find(pair.a, pair.b, pair.a_from_b);
      // The truth itself is rounded as above.
      CHECK(lower <= truth + 1e-12 * size);
      CHECK(upper >= truth - 1e-12 * size);
      if (share == 1) CHECK(upper - lower <= 1e-10 * size);
    }
}

}  // namespace
}  // namespace plimsoll
