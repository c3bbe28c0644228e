// What overlaps are asked for, and how it is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "options.h"
#include "overlap_scenes.h"

namespace plimsoll::bench {

constexpr double kShares[] = {0.02, 0.1, 0.5};  ///< Light, medium, heavy: of the smaller volume.
constexpr std::uint64_t kPoseSeed = 1;

using OverlapPoses = std::vector<PosedPair>;

// The poses were made by such questions: an error ends the program.
[[nodiscard]] Overlap ask(OverlapSearch& search, const TwoSolids& solids, const PosedPair& pair,
                          const OverlapParts& parts = {});
[[nodiscard]] OverlapEstimate estimate(OverlapSearch& search, const TwoSolids& solids,
                                       const PosedPair& pair, double seconds);

struct OverlapMode {
  const char* name;
  std::function<void(const PosedPair&)> ask;
};

/// Keeps a reference to the solids.
[[nodiscard]] OverlapMode exact_mode(const char* name, const TwoSolids& solids,
                                     const OverlapParts& parts);
/// Volume and force first.
[[nodiscard]] std::vector<OverlapMode> modes_of(const TwoSolids& solids);

/// CPU seconds of each pose by each mode, the median of the rounds. The last poses are asked about
/// before the clock runs, so that the trees are where a caller who asks all the time has them.
[[nodiscard]] std::vector<std::vector<double>> time_modes(const std::vector<OverlapMode>& modes,
                                                          const OverlapPoses& poses, int rounds);

[[nodiscard]] inline std::size_t triangles_of(const TwoSolids& solids) {
  return solids.a.triangle_count() + solids.b.triangle_count();
}

/// Calls `measure` with each scene that is asked for.
template <class Measure>
Result<void> for_scenes(const std::vector<OverlapScene>& scenes, const Options& options,
                        const Measure& measure) {
  for (const OverlapScene& scene : scenes) {
    if (!options.only.empty() && options.only != scene.name) continue;
    std::fprintf(stderr, "%s\n", scene.name.c_str());
    const Result<TwoMeshes> meshes = scene.make();
    if (!meshes) return meshes.error();
    if (const Result<void> done = measure(scene, *meshes); !done) return done;
  }
  return {};
}

/// Writes the meshes of the scene `options.only` into the folder, prints the poses of all shares,
/// and answers each line of stdin.
Result<void> answer_overlap_requests(const Options& options, const std::string& folder);

}  // namespace plimsoll::bench
