// The oracle is the published walk, which has tests of its own against all pairs.
#include "spheres/block_distance.h"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <set>

#include "random_spheres.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::RandomPair;

TEST_CASE("blocks find the distance of the published walk to the last bit") {
  Random random(1);
  BlockDistanceSearch search;
  SphereWalk walk;
  std::optional<SpherePair> last;
  int apart = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 500);
    const SphereBlocks a = make_sphere_blocks(pair.a), b = make_sphere_blocks(pair.b);
    const PosedHierarchies bodies = pair.posed();
    const PosedBlocks blocks(a, b, pair.a_from_b);
    const SphereDistance published = sphere_distance(bodies, walk);
    const SphereDistance found = search.find(blocks, bodies);
    CHECK(found.distance == published.distance);
    CHECK(std::max(0.0, sphere_gap(bodies, found.nearest)) == found.distance);
    CHECK(search.find(blocks, bodies, found.nearest).distance == found.distance);
    CHECK(search.meet(blocks, bodies) == spheres_meet(bodies, walk));
    CHECK(search.lower_bound(blocks, bodies) == distance_lower_bound(bodies, walk));
    apart += found.distance > 0 ? 1 : 0;
  }
  CHECK(apart > 0);
}

TEST_CASE("every pair that is nearer than the limit is visited once") {
  Random random(2);
  BlockDistanceSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 300);
    const SphereBlocks a = make_sphere_blocks(pair.a), b = make_sphere_blocks(pair.b);
    const PosedHierarchies bodies = pair.posed();
    const double limit = random.uniform(0, 0.3);
    std::set<SpherePair> published, found;
    walk.visit_near(bodies, NodeBall::kReach, limit, [&](SpherePair leaves, double) {
      published.insert(leaves);
      return limit;
    });
    search.visit_near({a, b, pair.a_from_b}, bodies, NodeBall::kReach, limit,
                      [&](SpherePair leaves, double) {
                        CHECK(found.insert(leaves).second);
                        return limit;
                      });
    CHECK(found == published);
  }
}

TEST_CASE("the distance has the same bits for every instruction set") {
  Random random(3);
  for (int i = 0; i < test::campaign(100); ++i) {
    const RandomPair pair(random, 300);
    const SphereBlocks a = make_sphere_blocks(pair.a), b = make_sphere_blocks(pair.b);
    const PosedHierarchies bodies = pair.posed();
    BlockDistanceSearch search;
    const SphereDistance x = search.find({a, b, pair.a_from_b}, bodies);
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
      hwy::SetSupportedTargetsForTest(left & -left);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      const SphereDistance y = search.find({a, b, pair.a_from_b}, bodies);
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      CHECK(x.distance == y.distance);
      CHECK(x.nearest == y.nearest);
      CHECK(x.tests == y.tests);
    }
  }
}

}  // namespace
}  // namespace plimsoll
