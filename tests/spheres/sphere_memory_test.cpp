#include <doctest/doctest.h>

#include "random_spheres.h"
#include "spheres/block_overlap.h"
#include "spheres/faded_overlap.h"
#include "spheres/sphere_forces.h"
#include "spheres/sphere_overlap.h"
#include "spheres/timed_overlap.h"
#include "support/heap_peak.h"

namespace plimsoll {
namespace {

struct Memory {
  SphereWalk walk;
  OverlapBoundsSearch bounds;
  TimedOverlapSearch timed;
  FadedOverlapSearch faded;
  BlockOverlapSearch block_overlap;
};

/// Each question once; a number that depends on all answers.
double ask_all(const test::RandomPair& pair, const PosedBlocks& blocks, Memory& memory) {
  const PosedHierarchies bodies = pair.posed();
  double sum = spheres_meet(bodies, memory.walk) ? 1 : 0;
  sum += sphere_proximity(bodies, memory.walk, NodeBall::kSecondary).overlap.volume;
  sum += distance_lower_bound(bodies, memory.walk);
  sum += sphere_forces(bodies, memory.walk, ForceDirection::kCenters, {}).energy;
  sum += memory.bounds.find(pair.a, pair.b, pair.a_from_b).upper;
  ForceSum forces(ForceDirection::kConesOrCenters, {});
  sum += memory.timed
             .find(bodies, NodeBall::kSecondary, PairOrder::kUncertainty, {.max_expansions = 500},
                   &forces)
             .volume;
  sum += memory.faded.find(bodies, blocks, NodeBall::kSecondary, {.max_expansions = 50}, &forces)
             .volume;
  sum += memory.block_overlap.find(blocks, NodeBall::kSecondary).volume;
  memory.block_overlap.visit_meeting(blocks, [&](SpherePair) { sum += 1; });
  return sum + forces.sum().force_on_a.norm();
}

TEST_CASE("a question asked again takes no memory and has the same answer") {
  Random random(1);
  Memory memory;
  for (int i = 0; i < 20; ++i) {
    const test::RandomPair pair(random, 300);
    const SphereBlocks a = make_sphere_blocks(pair.a), b = make_sphere_blocks(pair.b);
    const PosedBlocks blocks(a, b, pair.a_from_b);
    const double first = ask_all(pair, blocks, memory);
    test::reset_heap_peak();
    const double again = ask_all(pair, blocks, memory);
    CHECK(test::heap_peak() == 0);
    CHECK(again == first);
  }
}

}  // namespace
}  // namespace plimsoll
