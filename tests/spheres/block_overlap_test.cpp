// The oracle is the published walk, which has tests of its own against all pairs.
#include "spheres/block_overlap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "random_spheres.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/instruction_sets.h"

namespace plimsoll {
namespace {

using test::RandomPair;

struct Blocks {
  SphereBlocks a, b;
  PosedBlocks posed;

  explicit Blocks(const RandomPair& pair)
      : a(make_sphere_blocks(pair.a)), b(make_sphere_blocks(pair.b)), posed(a, b, pair.a_from_b) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
};

double size_of(const RandomPair& pair) {
  const auto size = [](const SphereNode& root) {
    return root.center.norm() + 2 * std::max(root.secondary_radius, root.reach);
  };
  return size(pair.a.nodes[0]) + pair.a_from_b.linear().col(0).norm() * size(pair.b.nodes[0]);
}

// The bound of block_overlap.h. A moment is a volume times a place, itself known to the rounding.
TEST_CASE("blocks find the volume of the published walk but for the rounding of floats") {
  Random random(1);
  BlockOverlapSearch search;
  SphereWalk walk;
  std::size_t subtrees = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const RandomPair pair =
        i % 4 == 0 ? test::nested_pair(random, 40, 300) : RandomPair(random, 500);
    const Blocks blocks(pair);
    for (const NodeBall ball : {NodeBall::kPrimary, NodeBall::kSecondary}) {
      const SphereOverlap published = sphere_overlap(pair.posed(), walk, ball);
      const SphereOverlap found = search.find(blocks.posed, ball);
      const double size = size_of(pair);
      const double rounding = 0x1p-20 * (size * published.area + published.volume);
      CHECK(std::abs(found.volume - published.volume) <= rounding);
      CHECK((found.moment - published.moment).norm() <=
            size * (rounding + 0x1p-20 * published.volume));
      subtrees += found.subtrees;
    }
  }
  CHECK(subtrees > 0);
}

TEST_CASE("an answer has the same bits for every instruction set and after any other question") {
  Random random(2);
  BlockOverlapSearch used;
  for (int i = 0; i < test::campaign(200); ++i) {
    const RandomPair pair(random, 300);
    const Blocks blocks(pair);
    const SphereOverlap x = used.find(blocks.posed, NodeBall::kSecondary);
    test::for_each_instruction_set([&] {
      BlockOverlapSearch fresh;
      const SphereOverlap y = fresh.find(blocks.posed, NodeBall::kSecondary);
      CHECK(x.volume == y.volume);
      CHECK(x.moment == y.moment);
      CHECK(x.lenses == y.lenses);
    });
  }
}

TEST_CASE("every pair of primary spheres that meet is visited once, others only near a touch") {
  Random random(3);
  BlockOverlapSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair =
        i % 4 == 0 ? test::nested_pair(random, 40, 300) : RandomPair(random, 300);
    const Blocks blocks(pair);
    const PosedHierarchies bodies = pair.posed();
    std::set<SpherePair> published, found;
    visit_meeting_spheres(bodies, walk,
                          [&](SpherePair leaves, double) { published.insert(leaves); });
    search.visit_meeting(blocks.posed, [&](SpherePair leaves) {
      CHECK(found.insert(leaves).second);
      CHECK(sphere_gap(bodies, leaves) <= 0x1p-19 * size_of(pair));
    });
    CHECK(std::includes(found.begin(), found.end(), published.begin(), published.end()));
  }
}

TEST_CASE("two balls have their lens in common, at any scale") {
  for (const double scale : {1e-60, 1.0, 1e60}) {
    const SphereHierarchy a =
        test::median_hierarchy({test::leaf(scale * Vec3(1, 0, 0), scale, scale, scale)});
    Similarity there = Similarity::Identity();
    there.linear() *= 2;
    there.translation() = scale * Vec3(1, -3, 0);
    const SphereHierarchy b = test::median_hierarchy(
        {test::leaf(scale * Vec3(0, 2, 0), 0.5 * scale, 0.75 * scale, scale)});
    const SphereBlocks a_blocks = make_sphere_blocks(a), b_blocks = make_sphere_blocks(b);
    BlockOverlapSearch search;
    const SphereOverlap found =
        search.find(PosedBlocks(a_blocks, b_blocks, there), NodeBall::kPrimary);
    // Some roundings of floats, 6e-8 each.
    CHECK(found.volume / scale / scale / scale ==
          test::approx(5 * std::numbers::pi / 12).epsilon(1e-6));
    CHECK((found.center() / scale - Vec3(1, 0.5, 0)).norm() <= 1e-6);
    CHECK(found.lenses == 1);
  }
}

}  // namespace
}  // namespace plimsoll
