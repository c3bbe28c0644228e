// The volume that two solids share and its gradient, on one thread. Prints a CSV to stdout, and to
// stderr what it does; README.md tells how to read it.
//
//   overlap PART [--cache DIR] [--only SCENE] [--rounds N]
//
//   cold         poses at random
//   path         a body that moves a thousand times a second
//   first        what a body costs to have, and to ask for the first time
//   small        boxes, and hulls of 64 points
//   intervals    bounds of the volume by the budget
//
//   overlap on_request SCENE FOLDER [--cache DIR]    for other languages: writes the meshes, tells
//       the poses, and then answers each line that comes in, "ours" or "cgal", with the
//       microseconds of each pose and the volume that CGAL found
#include <plimsoll/overlap.h>
#include <plimsoll/version.h>

#include <malloc.h>

#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "harness.h"
#include "options.h"
#include "overlap_modes.h"
#include "process_memory.h"

namespace plimsoll::bench {
namespace {

/// Seconds per pose of two threads with a search each, half of the poses each.
double time_two_searches(const TwoSolids& solids, const OverlapPoses& poses, int rounds) {
  OverlapSearch searches[2];
  const std::size_t half = poses.size() / 2;
  const auto ask_half = [&](std::size_t first, std::size_t last, OverlapSearch& search) {
    for (std::size_t i = first; i < last; ++i) (void)ask(search, solids, poses[i]);
  };
  std::vector<double> seconds;
  for (int round = 0; round <= rounds; ++round) {
    const double start = seconds_now(2);
    std::thread other([&] { ask_half(half, poses.size(), searches[1]); });
    ask_half(0, half, searches[0]);
    other.join();
    if (round > 0) seconds.push_back((seconds_now(2) - start) / static_cast<double>(poses.size()));
  }
  return median(seconds);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// What poses have in common.
struct Shared {
  double share = 0;     ///< Of the smaller volume, the mean.
  double segments = 0;  ///< Of the curve, the median.
};

Shared shared_by(const TwoSolids& solids, const OverlapPoses& poses) {
  Shared shared;
  OverlapSearch search;
  std::vector<double> segments;
  for (const PosedPair& pair : poses) {
    const Overlap found = ask(search, solids, pair, {.curve = true});
    shared.share += found.volume / solids.smaller_volume / static_cast<double>(poses.size());
    segments.push_back(static_cast<double>(found.curve.size()));
  }
  shared.segments = median(segments);
  return shared;
}

constexpr const char* kTimesHeader =
    "scene,triangles,share,shared,segments,mode,threads,us_mean,us_median,us_99th,poses";

void print_times(const std::string& scene, const TwoSolids& solids, double share,
                 const OverlapPoses& poses, int rounds) {
  const std::vector<OverlapMode> modes = modes_of(solids);
  const std::vector<std::vector<double>> seconds = time_modes(modes, poses, rounds);
  const Shared shared = shared_by(solids, poses);
  const auto start_row = [&](const char* mode, int threads) {
    std::printf("%s,%zu,%g,%.3g,%.0f,%s,%d", scene.c_str(), triangles_of(solids), share,
                shared.share, shared.segments, mode, threads);
  };
  for (std::size_t m = 0; m < modes.size(); ++m) {
    start_row(modes[m].name, 1);
    std::printf(",%.4g,%.4g,%.4g,%zu\n", 1e6 * mean(seconds[m]), 1e6 * median(seconds[m]),
                1e6 * quantile(seconds[m], 0.99), poses.size());
  }
  start_row(modes[0].name, 2);
  std::printf(",%.4g,,,%zu\n", 1e6 * time_two_searches(solids, poses, rounds), poses.size());
}

Result<void> print_cold(const Options& options) {
  constexpr std::size_t kPoses = 64;
  std::puts(kTimesHeader);
  const auto measure = [&](const OverlapScene& scene, const TwoMeshes& meshes) -> Result<void> {
    const TwoSolids solids(meshes);
    for (const double share : kShares) {
      const Result<OverlapPoses> poses = sharing_poses(solids, share, kPoses, kPoseSeed);
      if (!poses) return poses.error();
      print_times(scene.name, solids, share, *poses, options.rounds);
    }
    return {};
  };
  return for_scenes(overlap_scenes(options.cache), options, measure);
}

Result<void> print_path(const Options& options) {
  constexpr std::size_t kPaths = 4, kPoses = 128;
  std::puts(kTimesHeader);
  const auto measure = [&](const OverlapScene& scene, const TwoMeshes& meshes) -> Result<void> {
    if (!scene.is_medium && !scene.is_aside) return {};
    const TwoSolids solids(meshes);
    for (const double share : {0.02, 0.1}) {
      OverlapPoses all;
      for (std::size_t i = 0; i < kPaths; ++i) {
        const Result<OverlapPoses> poses = sharing_path(solids, share, kPoses, kPoseSeed + i);
        if (!poses) return poses.error();
        all.insert(all.end(), poses->begin(), poses->end());
      }
      print_times(scene.name, solids, share, all, options.rounds);
    }
    return {};
  };
  return for_scenes(overlap_scenes(options.cache), options, measure);
}

Result<void> print_first(const Options& options) {
  std::puts("scene,triangles,trees_ms,trees_mb,first_ms,first_mb,next_ms");
  const auto measure = [&](const OverlapScene& scene, const TwoMeshes& meshes) -> Result<void> {
    const Result<OverlapPoses> poses = sharing_poses(TwoSolids(meshes), kShares[1], 1, kPoseSeed);
    if (!poses) return poses.error();
    const PosedPair& pair = poses->front();
    with_threads(1, [&] {
      malloc_trim(0);  // else what is free hides what is taken
      double start = seconds_now(1);
      const TwoSolids solids(meshes);
      const double built = seconds_now(1) - start;
      OverlapSearch search;
      const double before = memory("VmRSS:");
      start = seconds_now(1);
      (void)ask(search, solids, pair);
      const double first = seconds_now(1) - start, taken = memory("VmRSS:") - before;
      std::vector<double> next;
      for (int round = 0; round < options.rounds; ++round) {
        start = seconds_now(1);
        (void)ask(search, solids, pair);
        next.push_back(seconds_now(1) - start);
      }
      std::printf("%s,%zu,%.4g,%.4g,%.4g,%.4g,%.4g\n", scene.name.c_str(), triangles_of(solids),
                  1e3 * built, 1e-6 * static_cast<double>(solids.a.memory() + solids.b.memory()),
                  1e3 * first, taken, 1e3 * median(next));
    });
    return {};
  };
  return for_scenes(overlap_scenes(options.cache), options, measure);
}

/// The clock takes as long as a question, so that many are timed together.
Result<void> print_small(const Options& options) {
  constexpr std::size_t kPoses = 64;
  std::puts("scene,triangles,share,mode,us");
  const auto measure = [&](const OverlapScene& scene, const TwoMeshes& meshes) -> Result<void> {
    const TwoSolids solids(meshes);
    for (const double share : kShares) {
      const Result<OverlapPoses> poses = sharing_poses(solids, share, kPoses, kPoseSeed);
      if (!poses) return poses.error();
      const std::vector<OverlapMode> modes = modes_of(solids);
      std::vector<Row> rows;
      for (const OverlapMode& mode : modes)
        rows.push_back({mode.name, 1, 0, [&] {
                          for (const PosedPair& pair : *poses) mode.ask(pair);
                        }});
      const std::vector<double> seconds = time_interleaved(rows, options.rounds);
      for (std::size_t m = 0; m < modes.size(); ++m)
        std::printf("%s,%zu,%g,%s,%.4g\n", scene.name.c_str(), triangles_of(solids), share,
                    modes[m].name, 1e6 * seconds[m] / static_cast<double>(kPoses));
    }
    return {};
  };
  return for_scenes(small_overlap_scenes(), options, measure);
}

/// Medians over the poses, in volumes that are shared and forces that act there.
void print_interval(const std::string& scene, const TwoSolids& solids, const OverlapPoses& poses,
                    double budget, int rounds) {
  OverlapSearch search;
  std::vector<double> lower, upper, force_error, seconds;
  double exact = 0;
  for (int round = 0; round < rounds; ++round)
    for (const PosedPair& pair : poses) {
      const Overlap truth = ask(search, solids, pair);
      (void)estimate(search, solids, pair, budget);  // the first finds other data in the caches
      const double start = seconds_now(1);
      const OverlapEstimate found = estimate(search, solids, pair, budget);
      seconds.push_back(seconds_now(1) - start);
      lower.push_back(found.lower / truth.volume);
      upper.push_back(found.upper / truth.volume);
      force_error.push_back(found.force_error / truth.force_a.norm());
      exact += found.exact ? 1 : 0;
    }
  std::printf("%s,%zu,%g,%.4g,%.4g,%.4g,%.3g,%.4g,%.4g\n", scene.c_str(), triangles_of(solids),
              1e6 * budget, median(lower), median(upper), median(force_error),
              exact / static_cast<double>(seconds.size()), 1e6 * median(seconds),
              1e6 * quantile(seconds, 0.99));
}

Result<void> print_intervals(const Options& options) {
  constexpr std::size_t kPoses = 64;
  std::puts("scene,triangles,budget_us,lower,upper,force_error,exact,us_median,us_99th");
  const auto measure = [&](const OverlapScene& scene, const TwoMeshes& meshes) -> Result<void> {
    if (!scene.is_medium) return {};
    const TwoSolids solids(meshes);
    const Result<OverlapPoses> poses = sharing_poses(solids, kShares[1], kPoses, kPoseSeed);
    if (!poses) return poses.error();
    with_threads(1, [&] {
      for (const double budget : {10., 20., 50., 100., 200., 500., 1e3, 2e3, 5e3, 1e4})
        print_interval(scene.name, solids, *poses, 1e-6 * budget, options.rounds);
    });
    return {};
  };
  return for_scenes(overlap_scenes(options.cache), options, measure);
}

int main(int argc, char** argv) {
  const std::string_view part = argc > 1 ? argv[1] : "";
  if (part == "on_request" && argc > 3) {
    std::optional<Options> options = options_of(argc - 3, argv + 3);
    if (!options) return 2;
    options->only = argv[2];
    return exit_code(answer_overlap_requests(*options, argv[3]));
  }
  const std::pair<const char*, Result<void> (*)(const Options&)> parts[] = {
      {"cold", print_cold},
      {"path", print_path},
      {"first", print_first},
      {"small", print_small},
      {"intervals", print_intervals}};
  for (const auto& [name, print] : parts) {
    if (part != name) continue;
    const std::optional<Options> options = options_of(argc - 1, argv + 1, 3);
    if (!options) return 2;
    std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
    print_load();
    return exit_code(print(*options));
  }
  std::fputs("usage: overlap cold|path|first|small|intervals ...\n", stderr);
  return 2;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
