#include "spheres/faded_overlap.h"

#include <doctest/doctest.h>

#include "random_spheres.h"
#include "spheres/sphere_overlap.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::RandomPair;

// Sums of thousands of lenses of up to 100 m^3 in another order.
TEST_CASE("without a budget the volume, its moment and the forces are those of all pairs") {
  Random random(1);
  FadedOverlapSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 150);
    const PosedHierarchies bodies = pair.posed();
    ForceSum forces(ForceDirection::kCenters, {});
    const TimedOverlap found = search.find(bodies, NodeBall::kSecondary, {}, &forces);
    const SphereOverlap all = sphere_overlap(bodies, walk, NodeBall::kSecondary);
    const SphereForces whole = sphere_forces(bodies, walk, ForceDirection::kCenters, {});
    CHECK(found.is_complete);
    CHECK(std::abs(found.volume - all.volume) <= 1e-11);
    CHECK((found.moment - all.moment).norm() <= 1e-10);
    CHECK((forces.sum().force_on_a - whole.force_on_a).norm() <= 1e-11);
    CHECK(forces.sum().energy == doctest::Approx(whole.energy).epsilon(1e-11));
    CHECK(search.find(bodies, NodeBall::kSecondary, {}).volume ==
          doctest::Approx(found.volume).epsilon(1e-11));
  }
}

TEST_CASE("two leaves are known without a budget, and two nodes are expected") {
  const std::vector<SphereNode> leaves = {test::leaf(Vec3(1, 0, 0), 1, 1, 1),
                                          test::leaf(Vec3(-1, 0, 0), 1, 1, 1)};
  const SphereHierarchy two = test::median_hierarchy(leaves);
  const SphereHierarchy one = test::median_hierarchy({leaves[0]});
  FadedOverlapSearch search;
  const Similarity here = Similarity::Identity();
  const OverlapBudget nothing{.max_expansions = 0};
  CHECK(search.find({one, one, here}, NodeBall::kPrimary, nothing).volume ==
        doctest::Approx(test::ball_volume(1)).epsilon(1e-14));
  // A ball of radius 2 about two of radius 1: a quarter is filled, and so is a quarter of that.
  CHECK(search.find({two, two, here}, NodeBall::kPrimary, nothing).volume ==
        doctest::Approx(test::ball_volume(2) / 16).epsilon(1e-14));
}

/// The volume and the force that a budget finds where `b` is shifted.
struct Answer {
  double volume;
  Vec3 force;
  bool is_complete;
};

Answer ask(const RandomPair& pair, FadedOverlapSearch& search, std::size_t expansions,
           const Vec3& shift) {
  Similarity pose = pair.a_from_b;
  pose.translation() += shift;
  ForceSum forces(ForceDirection::kCenters, {});
  const TimedOverlap found = search.find({pair.a, pair.b, pose}, NodeBall::kSecondary,
                                         {.max_expansions = expansions}, &forces);
  return {found.volume, forces.sum().force_on_a, found.is_complete};
}

// Where the change of a step is largest, the step is cut into a hundred. A function without jumps
// that is nearly straight over the step changes by 1 % of that each time; a jump, by all of it.
// Four times as much is left for what bends.
TEST_CASE("under a budget of expansions volume and force have no jumps") {
  Random random(2);
  FadedOverlapSearch search;
  int budgets = 0;
  for (int i = 0; i < test::campaign(150); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 200);
    const Vec3 step = 1e-5 * test::random_vector(random);
    for (const std::size_t expansions : {5, 30, 100}) {
      CAPTURE(expansions);
      std::vector<Answer> path;
      for (int k = 0; k <= 100; ++k) path.push_back(ask(pair, search, expansions, k * step));
      if (path[0].is_complete || path[0].volume < 1e-3) continue;
      ++budgets;
      std::size_t worst = 1;
      const auto change = [&](std::size_t k) {
        return std::abs(path[k].volume - path[k - 1].volume);
      };
      for (std::size_t k = 2; k < path.size(); ++k)
        if (change(k) > change(worst)) worst = k;
      const double most = change(worst);
      const double most_force = (path[worst].force - path[worst - 1].force).norm();
      double largest = 0, largest_force = 0;
      Answer before = path[worst - 1];
      for (int k = 1; k <= 100; ++k) {
        const Vec3 shift = (static_cast<double>(worst - 1) + 0.01 * k) * step;
        const Answer here = ask(pair, search, expansions, shift);
        largest = std::max(largest, std::abs(here.volume - before.volume));
        largest_force = std::max(largest_force, (here.force - before.force).norm());
        before = here;
      }
      CHECK(largest <= 0.04 * most + 1e-11);
      CHECK(largest_force <= 0.04 * most_force + 1e-11);
    }
  }
  CHECK(budgets > 20);
}

}  // namespace
}  // namespace plimsoll
