// Theorem 1 of [Govindaraju2004] as a property of any renderer.
#pragma once

#include <plimsoll/culling.h>

#include "cull/culling_cases.h"
#include "cull/found_pairs.h"
#include "support/campaign.h"

namespace plimsoll::test {

enum class Wanted { kTouching, kNear };

/// Most at 256 and below, a few up to 1400.
inline int random_resolution(Random& random) {
  if (random.below(200) == 0) return 257 + static_cast<int>(random.below(1144));
  return 16 + static_cast<int>(random.below(random.below(2) == 0 ? 241 : 48));
}

/// 100,000 scenes in a full run, 400 else, or 40 under the address sanitizer: of each, all pairs
/// are to be found that trees find. `cull` takes bodies and options.
template <class Cull>
void find_all_pairs(std::uint64_t seed, Wanted wanted, const Cull& cull) {
  Random random(seed);
  const int scenes = is_full_run() ? 100000 : kAddressSanitizer ? 40 : 400;
  for (int i = 0; i < scenes; ++i) {
    CAPTURE(i);
    const std::vector<CullBody> bodies = culling_case(random, i % kCullingCaseKinds);
    CullOptions options;
    options.resolution = random_resolution(random);
    options.part_triangles = 1 + random.below(4);
    options.refines_triangles = random.below(2) == 0;
    options.remembers_passes = random.below(2) == 0;
    options.from_both_ends = random.below(2) == 0;
    if (wanted == Wanted::kNear) options.within = culling_distance(random, bodies);
    const Result<Culling> left = cull(bodies, options);
    REQUIRE(left);
    REQUIRE(are_equal(pairs_left(bodies, *left), pairs_by_trees(bodies, options.within)));
  }
}

}  // namespace plimsoll::test
