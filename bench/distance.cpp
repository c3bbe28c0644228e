// The distance of two bodies, by Plimsoll and others, side by side in one process; README.md tells
// how to read the figures. Prints a CSV to stdout, and to stderr what it does and which answers are
// wrong.
//
//   distance cold   [--cache DIR] [--only SCENE] [--rounds N]   poses that have nothing in common
//   distance moving [...]   bodies that move, by small and by large steps, as at 1 kHz
//   distance steps  [...]   from the smallest step to the largest
//   distance counts [...]   pairs of nodes and of triangles that the plain trees measure
//   distance on_request SCENE A.ply B.ply [--cache DIR]   for other languages: writes the meshes,
//       tells the size, some poses and the distances, and then answers each line that comes in with
//       microseconds per pose, cold and moving
#include <plimsoll/distance.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checked.h"
#include "distance_scenes.h"
#include "distance_systems.h"
#include "harness.h"
#include "options.h"
#include "swept_sphere_tree.h"

namespace plimsoll::bench {
namespace {

constexpr double kTolerance = 1e-9;  // of the size, beyond which an answer is wrong
constexpr std::array kGaps = {0.001, 0.01, 0.05, 0.1, 0.2, 0.4};
constexpr int kColdBlocks = 8, kMovingBlocks = 4;
constexpr std::uint64_t kSeed = 1;

/// A scene and all who are asked about it.
class Contest {
 public:
  Contest(const TwoMeshes& meshes, bool has_rivals)
      : trees_(trees_of(meshes)),
        swept_{SweptSphereTree(meshes.a), SweptSphereTree(meshes.b)},
        plain_(swept_sphere_systems(swept_)),
        systems_{our_system(trees_)} {
    for (const SweptSphereSystem& plain : plain_) systems_.push_back(plain.system);
    if (has_rivals) systems_.push_back(fcl_distance_system(meshes));
  }
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  [[nodiscard]] const TwoTrees& trees() const { return trees_; }
  /// Ours, which others are compared with, first.
  [[nodiscard]] const std::vector<DistanceSystem>& systems() const { return systems_; }
  [[nodiscard]] const std::vector<SweptSphereSystem>& plain() const { return plain_; }

 private:
  TwoTrees trees_;
  SweptSphereTrees swept_;
  std::vector<SweptSphereSystem> plain_;
  std::vector<DistanceSystem> systems_;
};

/// The largest difference from ours, in sizes.
double error_of(const DistanceFigures& figures, const DistanceFigures& ours, double size) {
  double largest = 0;
  for (std::size_t pose = 0; pose < ours.distances.size(); ++pose) {
    const double error = std::abs(figures.distances[pose] - ours.distances[pose]) / size;
    largest = error >= 0 ? std::max(largest, error) : std::numeric_limits<double>::infinity();
  }
  return largest;
}

/// For what part of the poses it is faster than ours.
double faster_part(const DistanceFigures& figures, const DistanceFigures& ours) {
  std::size_t faster = 0;
  for (std::size_t pose = 0; pose < ours.seconds.size(); ++pose)
    if (figures.seconds[pose] < ours.seconds[pose]) ++faster;
  return static_cast<double>(faster) / static_cast<double>(ours.seconds.size());
}

/// Where rows belong to: a scene, and how its bodies move; cold poses have no step.
struct Where {
  std::string scene;
  std::size_t triangles;
  Motion motion;
};

std::string begin_of_row(const Where& where) {
  std::array<char, 160> text{};
  std::array<char, 32> step{"cold"};
  if (where.motion.step > 0) std::snprintf(step.data(), step.size(), "%g", where.motion.step);
  std::snprintf(text.data(), text.size(), "%s,%zu,%g,%s", where.scene.c_str(), where.triangles,
                where.motion.gap, step.data());
  return text.data();
}

void time_and_print(const Where& where, const Contest& contest, const Questions& questions,
                    int rounds) {
  const std::vector<DistanceSystem>& systems = contest.systems();
  const std::vector<DistanceFigures> figures = time_systems(systems, questions, rounds);
  const double ours = quantile(figures[0].seconds, 0.5);
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const double error = error_of(figures[s], figures[0], contest.trees().size);
    const bool is_wrong = !(error <= kTolerance);
    const double middle = quantile(figures[s].seconds, 0.5);
    if (is_wrong)
      std::fprintf(stderr, "%s: %s: off by %.2g of the size\n", begin_of_row(where).c_str(),
                   systems[s].name.c_str(), error);
    std::printf("%s,%s%s,1,%.4g,%.4g,%.4g,%.3g,%.2g\n", begin_of_row(where).c_str(),
                systems[s].name.c_str(), is_wrong ? " (wrong)" : "", 1e6 * middle,
                1e6 * quantile(figures[s].seconds, 0.99), middle / ours,
                faster_part(figures[s], figures[0]), error);
  }
  std::fflush(stdout);
}

void count_and_print(const Where& where, const Contest& contest, const Questions& questions) {
  for (const SweptSphereSystem& plain : contest.plain()) {
    SweptSpheres& memory = *plain.memory;
    std::size_t poses = 0, node_pairs = 0, triangle_pairs = 0;
    for (const Poses& block : questions.blocks)
      ask(plain.system, block, questions.is_cold, [&](std::size_t, const PosedPair& pair) {
        static_cast<void>(plain.system.distance(pair));
        ++poses;
        node_pairs += memory.last->node_pairs;
        triangle_pairs += memory.last->triangle_pairs;
      });
    std::printf("%s,%s,%.1f,%.1f\n", begin_of_row(where).c_str(), plain.system.name.c_str(),
                static_cast<double>(node_pairs) / static_cast<double>(poses),
                static_cast<double>(triangle_pairs) / static_cast<double>(poses));
  }
  std::fflush(stdout);
}

/// What a part asks about; a step of 0 stands for cold poses.
std::vector<Motion> motions_of(std::string_view part) {
  std::vector<Motion> motions;
  const auto for_gaps = [&](const auto& gaps, double step) {
    for (const double gap : gaps) motions.push_back({gap, step});
  };
  if (part == "cold" || part == "counts") for_gaps(kGaps, 0);
  if (part == "moving" || part == "counts")
    for (const double step : {1e-4, 2e-3, 1e-2}) for_gaps(kGaps, step);
  if (part == "steps")
    for (const double step : {1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1})
      for_gaps(std::array{0.001, 0.01, 0.05, 0.2}, step);
  return motions;
}

Questions questions_of(const TwoTrees& trees, const Motion& motion) {
  if (motion.step > 0) return {moving_poses(trees, motion, kMovingBlocks, kSeed), false};
  return {cold_poses(trees, motion.gap, kColdBlocks, kSeed), true};
}

Result<void> run_all(const std::string& part, const Options& options) {
  std::puts(part == "counts" ? "scene,triangles,gap,step,system,node_pairs,triangle_pairs"
                             : "scene,triangles,gap,step,system,threads,us_median,us_99th,"
                               "ratio_to_ours,faster_poses,error");
  int found = 0;
  for (const DistanceScene& scene : distance_scenes(options.cache)) {
    if (!options.only.empty() && options.only != scene.name) continue;
    ++found;
    const Result<TwoMeshes> meshes = scene.make();
    if (!meshes) return meshes.error();
    std::fprintf(stderr, "%s: %zu triangles\n", scene.name.c_str(), meshes->a.triangles.size());
    const Contest contest(*meshes, part != "counts");
    for (const Motion& motion : motions_of(part)) {
      const Where where{(scene.is_aside ? "aside_" : "") + scene.name, meshes->a.triangles.size(),
                        motion};
      const Questions questions = questions_of(contest.trees(), motion);
      if (part == "counts") {
        count_and_print(where, contest, questions);
      } else {
        time_and_print(where, contest, questions, options.rounds);
      }
    }
  }
  if (found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scene of this name", options.only};
  return {};
}

void tell_pose(const Similarity& pose) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) std::cout << pose.matrix()(i, j) << ' ';
}

Result<void> answer_requests(const std::string& name, const std::array<std::string, 2>& paths,
                             const std::string& cache) {
  const std::vector<DistanceScene> scenes = distance_scenes(cache);
  const auto scene = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const DistanceScene& of) { return of.name == name; });
  if (scene == scenes.end())
    return Error{ErrorCode::kInvalidArgument, "there is no scene of this name", name};
  const Result<TwoMeshes> meshes = scene->make();
  if (!meshes) return meshes.error();
  for (const auto& [mesh, path] :
       {std::pair{&meshes->a, paths[0]}, std::pair{&meshes->b, paths[1]}})
    if (const Result<void> written = write_mesh(*mesh, path); !written) return written;
  const TwoTrees trees = trees_of(*meshes);
  const DistanceSystem ours = our_system(trees);
  std::vector<Questions> lists;
  std::cout.precision(17);
  std::cout << meshes->a.triangles.size() << ' ' << trees.size << '\n';
  for (const Motion& motion :
       {Motion{0.01, 0}, Motion{0.05, 0}, Motion{0.2, 0}, Motion{0.05, 1e-4}, Motion{0.2, 1e-2}}) {
    lists.push_back(questions_of(trees, motion));
    lists.back().blocks.resize(2);
    for (const Poses& block : lists.back().blocks)
      ask(ours, block, lists.back().is_cold, [&](std::size_t, const PosedPair& pair) {
        std::cout << motion.gap << ' ' << motion.step << ' ';
        tell_pose(pair.world_from_a);
        tell_pose(pair.world_from_b);
        std::cout << ours.distance(pair) << '\n';
      });
  }
  std::cout << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    for (const Questions& list : lists)
      std::cout << 1e6 * quantile(time_systems({ours}, list, 1)[0].seconds, 0.5) << ' ';
    std::cout << std::endl;
  }
  return {};
}

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "";
  if (part == "on_request" && (argc == 5 || (argc == 7 && argv[5] == std::string_view("--cache"))))
    return exit_code(
        answer_requests(argv[2], {argv[3], argv[4]}, argc == 7 ? argv[6] : "data/cache"));
  if (part != "cold" && part != "moving" && part != "steps" && part != "counts") {
    std::fprintf(stderr,
                 "usage: distance cold|moving|steps|counts [--cache DIR] [--only SCENE] "
                 "[--rounds N]\n"
                 "       distance on_request SCENE A.ply B.ply [--cache DIR]\n");
    return 2;
  }
  const std::optional<Options> options = options_of(argc - 1, argv + 1);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
  print_load();
  return exit_code(run_all(part, *options));
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
