// Pairs of triangles that touch, by Plimsoll and others, side by side in one process; README.md
// tells how to read the figures. Prints a CSV to stdout, and to stderr what it does and whose
// answers differ.
//
//   pairs [--cache DIR] [--only SCENARIO] [--rounds N]     milliseconds per frame
//   pairs on_request SCENARIO FOLDER [--cache DIR]         for other languages: writes the frames,
//       tells how they are stored, and then answers each line that comes in with the milliseconds
//       of each frame
//   pairs write SCENARIO FRAME FOLDER [--cache DIR]        the bodies of a frame as files
#include <plimsoll/mesh_io.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/pairs.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "options.h"
#include "pair_scenes.h"
#include "pair_systems.h"
#include "touching_scenes.h"
#include "write_bytes.h"

namespace plimsoll::bench {
namespace {

constexpr double kSlow = 0.05;      // [s], beyond which a system is asked about one frame a turn
constexpr double kPatience = 10;    // [s] for a system and round, beyond which it has no turn
constexpr std::size_t kFewest = 3;  // but for so many frames

PairSystems systems_for(const PairScene& scene, Motion motion) {
  PairSystems all = our_systems(scene.question, motion);
  const auto add = [&](PairSystems systems) {
    std::move(systems.begin(), systems.end(), std::back_inserter(all));
  };
  add(fcl_systems(scene.question, motion));
  add(bullet_pair_systems(scene.question, motion));
  if (scene.has_world_systems) {
    add(embree_systems(scene.question));
    add(cgal_pair_systems(scene.question));
  }
  return all;
}

/// With the bodies in the world, if that is asked for.
PosedFrame frame_of(const ContactScene& scene, std::size_t number, bool is_posed) {
  PosedFrame frame{scene.frame(number), {}};
  if (is_posed)
    for (const PlacedBody& body : frame.bodies)
      frame.posed.push_back(
          std::make_shared<const TriangleMesh>(posed(*body.shape, body.world_from_body)));
  return frame;
}

double time_find(const PairSystem& system) {
  double seconds = 0;
  with_threads(system.threads, [&] {
    const double start = seconds_now(system.threads);
    system.find();
    seconds = seconds_now(system.threads) - start;
  });
  return seconds;
}

/// A system and what came of it.
struct Contender {
  PairSystem system;
  std::vector<double> seconds;
  double spent = 0;
  bool is_slow = false;
  std::size_t missing = 0, extra = 0;

  [[nodiscard]] bool has_turn(int round) const {
    return spent < kPatience * (round + 1) || seconds.size() < kFewest;
  }
  double find() {
    const double once = time_find(system);
    spent += once;
    return once;
  }
};

std::vector<FoundPair> sorted(std::vector<FoundPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::size_t count_without(const std::vector<FoundPair>& of, const std::vector<FoundPair>& others) {
  std::vector<FoundPair> rest;
  std::set_difference(of.begin(), of.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest.size();
}

/// One scene, all systems. They have turns of some frames in a row: the frame before is asked
/// about first and does not count, because a rival has emptied the caches, which they would find
/// full if they were asked all the time.
class Race {
 public:
  Race(const PairScene& about, const ContactScene& scene) : about_(about), scene_(scene) {
    for (PairSystem& system : systems_for(about, scene.motion))
      contenders_.push_back({std::move(system), {}, 0, false, 0, 0});
  }

  void run(int rounds) {
    warm_up();
    for (int round = 0; round < rounds; ++round)
      for (std::size_t first = 1; first < scene_.frame_count; first += about_.frames_in_turn)
        turn(first, round);
  }

  void print() const {
    const double ours = median(contenders_.front().seconds);
    for (const Contender& one : contenders_) {
      if (one.seconds.empty()) continue;
      const bool differs = one.missing + one.extra > 0;
      std::printf("%s,%zu,%zu,%zu,%s%s,%d,%.4g,%.4g,%.4g,%zu,%zu,%zu\n", scene_.name.c_str(),
                  bodies_, triangles_, static_cast<std::size_t>(median(pairs_)),
                  one.system.name.c_str(), differs ? " (differs)" : "", one.system.threads,
                  1e3 * median(one.seconds), 1e3 * quantile(one.seconds, 0.99),
                  median(one.seconds) / ours, one.seconds.size(), one.missing, one.extra);
      if (differs)
        std::fprintf(stderr, "%s: %s: %zu pairs missing, %zu extra, in %zu frames\n",
                     scene_.name.c_str(), one.system.name.c_str(), one.missing, one.extra,
                     one.seconds.size());
    }
    std::fflush(stdout);
  }

  [[nodiscard]] double our_median() const { return median(contenders_.front().seconds); }
  [[nodiscard]] std::size_t triangles() const { return triangles_; }
  [[nodiscard]] std::size_t pairs() const { return static_cast<std::size_t>(median(pairs_)); }

 private:
  [[nodiscard]] PosedFrame posed_frame(std::size_t number) const {
    return frame_of(scene_, number, about_.has_world_systems);
  }

  void warm_up() {
    const SceneFrame middle = scene_.frame(scene_.frame_count / 2);
    bodies_ = middle.size();
    for (const PlacedBody& body : middle) triangles_ += body.shape->triangles.size();
    const PosedFrame frame = posed_frame(0);
    for (Contender& one : contenders_) {
      one.system.prepare(frame);
      one.find();
      one.system.prepare(posed_frame(1));
      one.is_slow = one.find() > kSlow;
      one.spent = 0;
    }
  }

  void turn(std::size_t first, int round) {
    const std::size_t last = std::min(first + about_.frames_in_turn, scene_.frame_count);
    std::vector<PosedFrame> frames;
    for (std::size_t f = first - 1; f < last; ++f) frames.push_back(posed_frame(f));
    std::vector<std::vector<FoundPair>> answers(frames.size());
    for (Contender& one : contenders_) {
      if (!one.has_turn(round)) continue;
      const bool is_first = &one == &contenders_.front();
      for (std::size_t i = 0; i < frames.size() && (i < 2 || !one.is_slow || is_first); ++i) {
        one.system.prepare(frames[i]);
        const double seconds = one.find();
        if (i > 0) one.seconds.push_back(seconds);
        std::vector<FoundPair> found = sorted(one.system.found());
        if (i > 0 && !is_first) compare(one, found, answers[i]);
        if (i > 0 && is_first) pairs_.push_back(static_cast<double>(found.size()));
        if (is_first) answers[i] = std::move(found);
      }
    }
  }

  static void compare(Contender& one, const std::vector<FoundPair>& found,
                      const std::vector<FoundPair>& expected) {
    one.missing += count_without(expected, found);
    one.extra += count_without(found, expected);
  }

  PairScene about_;
  const ContactScene& scene_;
  std::vector<Contender> contenders_;
  std::vector<double> pairs_;               // of each frame
  std::size_t bodies_ = 0, triangles_ = 0;  // of the frame in the middle
};

/// Seconds per frame of two threads with a search each, half of the frames each.
double time_two_searches(const ContactScene& scene) {
  std::vector<SceneFrame> frames;
  for (std::size_t f = 0; f < scene.frame_count; ++f) frames.push_back(scene.frame(f));
  const MeshTree a(checked(*frames[0][0].shape)), b(checked(*frames[0][1].shape));
  const auto ask = [&](std::size_t first, std::size_t last) {
    PairSearch search;
    for (std::size_t f = first; f < last; ++f)
      if (!search.pairs(a, frames[f][0].world_from_body, b, frames[f][1].world_from_body))
        std::abort();
  };
  const std::size_t half = frames.size() / 2;
  const double start = seconds_now(2);
  std::thread other([&] { ask(half, frames.size()); });
  ask(0, half);
  other.join();
  return (seconds_now(2) - start) / static_cast<double>(frames.size());
}

void print_two_searches(const ContactScene& scene, const Race& race, int rounds) {
  std::vector<double> seconds;
  for (int round = 0; round < rounds + 2; ++round) seconds.push_back(time_two_searches(scene));
  std::printf("%s,2,%zu,%zu,ours_two_searches,2,%.4g,,%.4g,%zu,0,0\n", scene.name.c_str(),
              race.triangles(), race.pairs(), 1e3 * median(seconds),
              median(seconds) / race.our_median(), seconds.size() * scene.frame_count);
  std::fflush(stdout);
}

Result<void> run_all(const Options& options) {
  std::puts(
      "scenario,bodies,triangles,pairs,system,threads,median_ms,p99_ms,ratio_to_ours,frames,"
      "missing,extra");
  int found = 0;
  for (const PairScene& about : pair_scenes(options.cache)) {
    if (!options.only.empty() && options.only != about.name) continue;
    const Result<ContactScene> scene = about.make();
    if (!scene) return scene.error();
    std::fprintf(stderr, "%s\n", about.name.c_str());
    Race race(about, *scene);
    race.run(options.rounds);
    race.print();
    if (about.question == Question::kTwoBodies && scene->motion == Motion::kRigid)
      print_two_searches(*scene, race, options.rounds);
    ++found;
  }
  if (found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", options.only};
  return {};
}

// --- for other languages ---

/// Triangles of each body, and of each frame the vertices (x, y, z as doubles), the pose (12
/// numbers, row by row) and the pairs (a, b).
Result<void> write_numbers(const ContactScene& scene, std::size_t count, const PairSystem& ours,
                           const std::filesystem::path& folder) {
  for (std::size_t f = 0; f < count; ++f) {
    const PosedFrame frame{scene.frame(f), {}};
    const std::string number = std::to_string(f);
    ours.prepare(frame);
    ours.find();
    std::vector<std::uint32_t> pairs;
    for (const FoundPair& pair : sorted(ours.found())) pairs.insert(pairs.end(), {pair.a, pair.b});
    Result<void> written = write_bytes(pairs, folder / ("pairs_" + number));
    for (const PlacedBody& body : frame.bodies) {
      const std::string of = std::to_string(body.id) + "_" + number;
      const Eigen::Matrix<double, 3, 4, Eigen::RowMajor> pose =
          body.world_from_body.matrix().topRows<3>();
      if (written)
        written = write_bytes(std::vector<double>(pose.data(), pose.data() + 12),
                              folder / ("pose_" + of));
      if (written && (f == 0 || scene.motion != Motion::kRigid))
        written = write_bytes(body.shape->vertices, folder / ("vertices_" + of));
      if (written && f == 0)
        written = write_bytes(body.shape->triangles, folder / ("triangles_" + of));
    }
    if (!written) return written;
  }
  return {};
}

Result<PairScene> find_scene(const std::string& name, const std::string& cache) {
  for (PairScene& about : pair_scenes(cache))
    if (about.name == name) return std::move(about);
  return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", name};
}

Result<void> answer_requests(const std::string& name, const std::string& folder,
                             const std::string& cache) {
  constexpr std::size_t kFrames = 21;  // the first does not count
  const Result<PairScene> about = find_scene(name, cache);
  if (!about) return about.error();
  if (about->question != Question::kTwoBodies)
    return Error{ErrorCode::kInvalidArgument, "found another number of bodies, expected two", name};
  const Result<ContactScene> scene = about->make();
  if (!scene) return scene.error();
  const PairSystem ours = our_systems(about->question, scene->motion).front();
  if (const Result<void> written = write_numbers(*scene, kFrames, ours, folder); !written)
    return written;
  std::cout << kFrames << (scene->motion == Motion::kRigid ? " rigid" : " deforming") << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    for (std::size_t f = 0; f < kFrames; ++f) {
      ours.prepare({scene->frame(f), {}});
      std::cout << 1e3 * time_find(ours) << ' ';
    }
    std::cout << std::endl;
  }
  return {};
}

Result<void> write_scene(const std::string& name, const std::string& frame,
                         const std::string& folder, const std::string& cache) {
  const Result<PairScene> about = find_scene(name, cache);
  if (!about) return about.error();
  const Result<ContactScene> scene = about->make();
  if (!scene) return scene.error();
  const int number = std::atoi(frame.c_str());
  if (number < 0 || static_cast<std::size_t>(number) >= scene->frame_count)
    return Error{ErrorCode::kInvalidArgument, "the scenario has no such frame", frame};
  return write_frame(scene->frame(static_cast<std::size_t>(number)), folder);
}

/// The folder of meshes where the arguments from `first` on name one, or the default; nothing where
/// they are anything else.
std::optional<std::string> cache_of(int argc, char** argv, int first) {
  if (argc == first) return "data/cache";
  if (argc == first + 2 && argv[first] == std::string_view("--cache")) return argv[first + 1];
  return {};
}

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "on_request")
    if (const auto cache = cache_of(argc, argv, 4))
      return exit_code(answer_requests(argv[2], argv[3], *cache));
  if (word == "write")
    if (const auto cache = cache_of(argc, argv, 5))
      return exit_code(write_scene(argv[2], argv[3], argv[4], *cache));
  const std::optional<Options> options = options_of(argc, argv, 3);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", version().c_str(), simd_level().c_str());
  print_load();
  return exit_code(run_all(*options));
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
