#include "spheres/faded_overlap.h"

#include <doctest/doctest.h>

#include <algorithm>

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

/// The volume and the force that a budget finds.
struct Answer {
  double volume = 0;
  Vec3 force = Vec3::Zero();
  bool is_complete = false;
};

Answer ask(const PosedHierarchies& bodies, std::size_t expansions, bool is_faded) {
  FadedOverlapSearch faded;
  TimedOverlapSearch published;
  ForceSum forces(ForceDirection::kCenters, {});
  const OverlapBudget budget{.max_expansions = expansions};
  const TimedOverlap found = is_faded ? faded.find(bodies, NodeBall::kSecondary, budget, &forces)
                                      : published.find(bodies, NodeBall::kSecondary,
                                                       PairOrder::kUncertainty, budget, &forces);
  return {found.volume, forces.sum().force_on_a, found.is_complete};
}

/// The largest changes of volume and force over `count` steps on a path.
struct Changes {
  double volume = 0, force = 0;
  int at = 0;  ///< The step where the volume changes most.
  bool is_complete = false;
};

Changes along(const RandomPair& pair, std::size_t expansions, bool is_faded, const Vec3& start,
              const Vec3& step, int count) {
  Changes changes;
  Answer before;
  for (int k = 0; k <= count; ++k) {
    Similarity pose = pair.a_from_b;
    pose.translation() += start + k * step;
    const Answer here = ask({pair.a, pair.b, pose}, expansions, is_faded);
    changes.is_complete = changes.is_complete || here.is_complete;
    if (k > 0) {
      const double change = std::abs(here.volume - before.volume);
      if (change > changes.volume) changes.at = k - 1;
      changes.volume = std::max(changes.volume, change);
      changes.force = std::max(changes.force, (here.force - before.force).norm());
    }
    before = here;
  }
  return changes;
}

// Where the change of a step is largest, the step is cut into a hundred. What is nearly straight
// over the step changes by 1 % of that each time; a jump, by all of it. Where the slope changes
// within the step, as it does where keys change places, it may be some times as much.
TEST_CASE(
    "under a budget of expansions volume and force have no jumps, as the published order has") {
  Random random(2);
  const int pairs = std::max(10, test::campaign(100));
  int budgets = 0, published_jumps = 0;
  for (int i = 0; i < pairs; ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 200);
    const Vec3 step = 1e-3 * test::random_vector(random);
    for (const std::size_t expansions : {5, 30, 100}) {
      CAPTURE(expansions);
      for (const bool is_faded : {false, true}) {
        const Changes whole = along(pair, expansions, is_faded, Vec3::Zero(), step, 100);
        if (whole.is_complete || whole.volume < 1e-6) continue;
        const Changes parts = along(pair, expansions, is_faded, whole.at * step, 0.01 * step, 100);
        if (is_faded) {
          ++budgets;
          CHECK(parts.volume <= 0.1 * whole.volume);
          CHECK(parts.force <= 0.1 * whole.force);
        } else {
          published_jumps += parts.volume > 0.5 * whole.volume ? 1 : 0;
        }
      }
    }
  }
  CHECK(budgets >= pairs);  // of three for each pair, those that leave something open
  CHECK(published_jumps > 5);
}

}  // namespace
}  // namespace plimsoll
