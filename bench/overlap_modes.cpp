#include "overlap_modes.h"

#include <plimsoll/parallel.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "harness.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

}  // namespace

Overlap ask(OverlapSearch& search, const TwoSolids& solids, const PosedPair& pair,
            const OverlapParts& parts) {
  Result<Overlap> found =
      search.overlap(solids.a, pair.world_from_a, solids.b, pair.world_from_b, parts);
  if (!found) std::abort();  // poses are made by such questions
  return std::move(*found);
}

OverlapEstimate estimate(OverlapSearch& search, const TwoSolids& solids, const PosedPair& pair,
                         double seconds) {
  Result<OverlapEstimate> found = search.estimate(solids.a, pair.world_from_a, solids.b,
                                                  pair.world_from_b, {.max_time = seconds});
  if (!found) std::abort();
  return std::move(*found);
}

OverlapMode exact_mode(const char* name, const TwoSolids& solids, const OverlapParts& parts) {
  return {name, [&solids, parts, search = std::make_shared<OverlapSearch>()](
                    const PosedPair& pair) { sink = ask(*search, solids, pair, parts).volume; }};
}

std::vector<OverlapMode> modes_of(const TwoSolids& solids) {
  constexpr double kBudget = 100e-6;  // [s]
  return {exact_mode("volume_and_force", solids, {}),
          exact_mode("force", solids, {.volume = false}),
          exact_mode("with_contacts", solids, {.contacts = true}),
          exact_mode("with_curve", solids, {.curve = true}),
          {"estimate_100us",
           [&solids, search = std::make_shared<OverlapSearch>()](const PosedPair& pair) {
             sink = estimate(*search, solids, pair, kBudget).volume;
           }}};
}

std::vector<std::vector<double>> time_modes(const std::vector<OverlapMode>& modes,
                                            const OverlapPoses& poses, int rounds) {
  const std::size_t uncounted = std::min<std::size_t>(4, poses.size());
  std::vector<std::vector<std::vector<double>>> samples(
      modes.size(), std::vector<std::vector<double>>(poses.size()));
  with_threads(1, [&] {
    for (int round = 0; round < rounds; ++round)
      for (std::size_t m = 0; m < modes.size(); ++m) {
        for (std::size_t i = poses.size() - uncounted; i < poses.size(); ++i)
          modes[m].ask(poses[i]);
        for (std::size_t i = 0; i < poses.size(); ++i) {
          const double start = seconds_now(1);
          modes[m].ask(poses[i]);
          samples[m][i].push_back(seconds_now(1) - start);
        }
      }
  });
  std::vector<std::vector<double>> seconds(modes.size());
  for (std::size_t m = 0; m < modes.size(); ++m)
    for (const std::vector<double>& of_pose : samples[m]) seconds[m].push_back(median(of_pose));
  return seconds;
}

}  // namespace plimsoll::bench
