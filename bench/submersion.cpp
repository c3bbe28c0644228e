// The part of a body that is under a water plane, by Plimsoll and others, side by side in one
// process; README.md tells how to read the figures. Prints a CSV to stdout, and to stderr what it
// does and which answers are wrong.
//
//   submersion queries [--cache DIR] [--only SCENARIO] [--rounds N]   microseconds per plane
//   submersion trees   [--cache DIR] [--only SCENARIO] [--rounds N]   what a tree costs to have
//   submersion rest    [--cache DIR] [--only SCENARIO]   milliseconds for a body to come to rest
//   submersion complete [--cache DIR] [--only SCENARIO] [--rounds N]   milliseconds for every pose
//   submersion on_request SCENARIO MESH.ply [--cache DIR]             for other languages: writes
//   the
//       mesh, tells its triangles and some planes with what is wet under each, and then answers
//       each line that comes in with the microseconds per plane, hot and random, of nine batches
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/parallel.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/version.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "checked.h"
#include "clip_systems.h"
#include "harness.h"
#include "options.h"
#include "submersion_scenarios.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

constexpr double kTolerance = 1e-9;  // of the whole volume, beyond which an answer is wrong

/// What anybody would write: each triangle is clipped by Sutherland and Hodgman's rule, and what is
/// left of it, cut into a fan, makes tetrahedra with a point of the plane.
struct NaiveWet {
  double volume = 0;
  Vec3 center = Vec3::Zero();
};
NaiveWet naive_clip(const TriangleMesh& mesh, const WaterPlane& water) {
  const Vec3 apex = water.normal * (water.offset / water.normal.squaredNorm());
  double six_volumes = 0;
  Vec3 first = Vec3::Zero();
  for (const Triangle& triangle : mesh.triangles) {
    std::array<Vec3, 4> wet;
    std::size_t corners = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = mesh.vertices[triangle[i]] - apex;
      const Vec3 q = mesh.vertices[triangle[(i + 1) % 3]] - apex;
      const double p_height = water.normal.dot(p);
      const double q_height = water.normal.dot(q);
      if (p_height <= 0) wet[corners++] = p;
      if ((p_height <= 0) != (q_height <= 0))
        wet[corners++] = p + p_height / (p_height - q_height) * (q - p);
    }
    for (std::size_t i = 2; i < corners; ++i) {
      const double six_volume = wet[0].dot(wet[i - 1].cross(wet[i]));
      six_volumes += six_volume;
      first += six_volume * (wet[0] + wet[i - 1] + wet[i]);
    }
  }
  return {six_volumes / 6, apex + first / (4 * six_volumes)};
}

/// A body and what answers for it.
struct Body {
  explicit Body(TriangleMesh from) : mesh(std::move(from)), whole(checked(mesh)), tree(whole) {}

  [[nodiscard]] double volume(const WaterPlane& water, const SubmersionParts& parts) const {
    return tree.submersion(water, parts).volume;
  }

  TriangleMesh mesh;
  CheckedMesh whole;
  SolidTree tree;
};

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};
constexpr SubmersionParts kAndWaterplane{.wetted_area = false, .waterplane = true};

/// The first is what others are compared with.
std::vector<ClipSystem> systems_of(const Body& body) {
  const auto tree = [&](const SubmersionParts& parts) {
    return [&body, parts](const WaterPlane& water) { return body.volume(water, parts); };
  };
  const auto tracker = [&](const SubmersionParts& parts) {
    return [follower = std::make_shared<SubmersionTracker>(body.tree),
            parts](const WaterPlane& water) { return follower->submersion(water, parts).volume; };
  };
  std::vector<ClipSystem> systems = {
      {"tree", tree(kVolumeAndCenter), {}},
      {"tree_waterplane", tree(kAndWaterplane), {}},
      {"tree_everything", tree({}), {}},
      {"tracker", tracker(kVolumeAndCenter), {}},
      {"tracker_waterplane", tracker(kAndWaterplane), {}},
      {"clip_all",
       [&body](const WaterPlane& water) { return submersion(body.whole, water).volume; },
       {}},
      {"naive_clip",
       [&body](const WaterPlane& water) {
         const NaiveWet wet = naive_clip(body.mesh, water);
         sink = wet.center.sum();
         return wet.volume;
       },
       {}}};
  for (const auto rivals : {cgal_clip_systems, vtk_clip_systems}) {
    const std::vector<ClipSystem> found = rivals(body.mesh);
    systems.insert(systems.end(), found.begin(), found.end());
  }
  return systems;
}

/// The farthest that a system is from the tree, over the volume of the body: for some of the
/// planes, fewer the slower it is.
double worst_error(const ClipSystem& system, const Body& body,
                   const std::vector<WaterPlane>& planes) {
  constexpr std::size_t kMost = 64;
  double worst = 0;
  const double start = seconds_now(1);
  for (std::size_t i = 0; i < kMost && seconds_now(1) - start < 0.5; ++i) {
    const WaterPlane& plane = planes[i * (planes.size() / kMost)];
    const double error = std::abs(system.wet_volume(plane) - body.volume(plane, kVolumeAndCenter));
    worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
  }
  return worst / std::abs(body.tree.signed_volume());
}

/// Asks about one plane after the other, from call to call.
std::function<void()> asking(const std::function<double(const WaterPlane&)>& wet_volume,
                             const std::vector<WaterPlane>& planes) {
  return [&planes, wet_volume, next = std::size_t{0}]() mutable {
    sink = wet_volume(planes[next]);
    if (++next == planes.size()) next = 0;
  };
}

/// Seconds per call of each row. As time_interleaved, but rows that take long have few rounds, and
/// the others begin each with five batches that do not count: a slow rival before them has emptied
/// the caches, which they would find full if they were asked all the time.
std::vector<double> time_patiently(const std::vector<Row>& rows, int rounds) {
  constexpr double kLong = 0.05;
  constexpr int kFew = 3;
  constexpr int kWarming = 5;  // a tree of a million triangles is larger than the caches
  std::vector<int> calls, rounds_of_row;
  for (const Row& row : rows) {
    const bool is_slow = time_batch(row, 1) > kLong;
    calls.push_back(is_slow ? 1 : calls_per_batch(row, 5e-3));
    rounds_of_row.push_back(is_slow ? std::min(kFew, rounds) : rounds);
  }
  std::vector<std::vector<double>> samples(rows.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (round < rounds_of_row[i]) {
        if (calls[i] > 1) time_batch(rows[i], kWarming * calls[i]);
        samples[i].push_back(time_batch(rows[i], calls[i]));
      }
  std::vector<double> medians;
  for (const auto& of_row : samples) medians.push_back(median(of_row));
  return medians;
}

/// The rows for one list of planes.
class Table {
 public:
  Table(std::string scenario, std::size_t triangles)
      : scenario_(std::move(scenario)), triangles_(triangles) {}

  /// `error` is over the volume of the body; nothing where there is no answer.
  void add(Row row, double error = std::numeric_limits<double>::quiet_NaN()) {
    if (error > kTolerance) {
      std::fprintf(stderr, "%s: %s: off by %.2g of the volume\n", scenario_.c_str(),
                   row.system.c_str(), error);
      row.system += " (wrong)";
    }
    rows_.push_back(std::move(row));
    errors_.push_back(error);
  }

  /// `queries` is how many planes one call asks about.
  void time_and_print(int rounds, int queries = 1) const {
    const std::vector<double> seconds = time_patiently(rows_, rounds);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::printf("%s,%zu,%s,%d,%.4g,%.4g,", scenario_.c_str(), triangles_, rows_[i].system.c_str(),
                  rows_[i].threads, 1e6 * seconds[i] / queries,
                  seconds[i] / seconds[rows_[i].ours]);
      std::printf(std::isnan(errors_[i]) ? "\n" : "%.2g\n", errors_[i]);
    }
    std::fflush(stdout);
  }

 private:
  std::string scenario_;
  std::size_t triangles_;
  std::vector<Row> rows_;
  std::vector<double> errors_;
};

void run_queries(const std::string& scenario, TriangleMesh mesh, int rounds) {
  const Body body(std::move(mesh));
  const std::vector<ClipSystem> systems = systems_of(body);
  const auto run = [&](const std::string& name, const std::vector<WaterPlane>& planes) {
    Table table(scenario + name, body.mesh.triangles.size());
    for (const ClipSystem& system : systems) {
      table.add({system.name, 1, 0, asking(system.wet_volume, planes)},
                worst_error(system, body, planes));
      if (system.copy) table.add({system.name + "_copy", 1, 0, system.copy});
    }
    table.time_and_print(rounds);
  };
  run("_hot", hot_planes(MeshView(body.mesh), body.tree));
  run("_random", random_planes(body.tree));
}

/// Many bodies, each with a tree of its own and at another moment of its heaving, asked once each.
void run_fleet(const std::string& scenario, const TriangleMesh& mesh, int rounds) {
  constexpr std::size_t kBodies = 64;
  std::vector<SolidTree> trees;
  const CheckedMesh whole = checked(mesh);
  for (std::size_t i = 0; i < kBodies; ++i) trees.emplace_back(whole);
  const std::vector<WaterPlane> planes = hot_planes(MeshView(mesh), trees.front());
  std::vector<double> volumes(kBodies);
  const auto ask_all = [&, moment = std::size_t{0}]() mutable {
    tbb::parallel_for(std::size_t{0}, kBodies, [&](std::size_t i) {
      const WaterPlane& plane = planes[(moment + 16 * i) % planes.size()];
      volumes[i] = trees[i].submersion(plane, kVolumeAndCenter).volume;
    });
    sink = volumes.back();
    ++moment;
  };
  Table table(scenario, mesh.triangles.size());
  for (const int threads : {1, 2}) table.add({"tree", threads, 0, ask_all});
  table.time_and_print(rounds, kBodies);
}

void run_trees(const std::string& scenario, const TriangleMesh& mesh, int rounds) {
  const CheckedMesh whole = checked(mesh);
  SolidTree tree(whole);
  const std::vector<double> seconds =
      time_patiently({{"build", 1, 0, [&] { sink = SolidTree(whole).signed_volume(); }},
                      {"refit", 1, 0, [&] { sink = tree.refit(whole).has_value() ? 1 : 0; }}},
                     rounds);
  const auto triangles = static_cast<double>(mesh.triangles.size());
  std::printf("%s,%zu,%.4g,%.4g,%.4g\n", scenario.c_str(), mesh.triangles.size(),
              1e9 * seconds[0] / triangles, 1e9 * seconds[1] / triangles,
              static_cast<double>(tree.memory()) / triangles);
  std::fflush(stdout);
}

/// Calls visit(density, body) for the mesh afloat at three densities.
template <class Visit>
void for_each_density(const TriangleMesh& mesh, const Visit& visit) {
  const CheckedMesh whole = checked(mesh);
  const SolidTree tree(whole);
  const Vec3 center = mass_properties(whole).center_of_mass;
  for (const double density : {0.3, 0.5, 0.8})
    visit(density, floating_body(tree, center, density * std::abs(tree.signed_volume())));
  std::fflush(stdout);
}

/// One start after the other from random directions.
void run_rest(const std::string& scenario, const TriangleMesh& mesh, int) {
  constexpr int kStarts = 1000;
  for_each_density(mesh, [&](double density, const FloatingBody& body) {
    std::vector<double> seconds;
    double residual = 0;
    for (const Vec3& up : random_directions(kStarts)) {
      const double start = seconds_now(1);
      const std::optional<Equilibrium> rest = come_to_rest(body, up);
      seconds.push_back(seconds_now(1) - start);
      residual =
          std::max(residual, rest ? rest->residual : std::numeric_limits<double>::infinity());
    }
    std::printf("%s,%zu,%.1f,%.4g,%.2g\n", scenario.c_str(), mesh.triangles.size(), density,
                1e3 * median(seconds), residual);
  });
}

/// All poses, with the proof that none is missing.
void run_complete(const std::string& scenario, const TriangleMesh& mesh, int rounds) {
  for_each_density(mesh, [&](double density, const FloatingBody& body) {
    std::vector<double> seconds;
    Equilibria all;
    for (int round = 0; round < rounds; ++round) {
      const double start = seconds_now(1);
      with_threads(1, [&] { all = find_equilibria(body); });
      seconds.push_back(seconds_now(1) - start);
    }
    std::printf("%s,%zu,%.1f,%zu,%s,%.4g\n", scenario.c_str(), mesh.triangles.size(), density,
                all.found.size(), to_string(all.complete), 1e3 * median(seconds));
  });
}

using Run = void (*)(const std::string& scenario, TriangleMesh mesh, int rounds);

struct Measured {
  Scenario scenario;
  Run run;
};

std::vector<Measured> parts_of(std::string_view part, const std::string& cache) {
  std::vector<Measured> all;
  for (const Scenario& scenario : submersion_scenarios(cache)) {
    if (part == "trees")
      all.push_back({scenario, [](const std::string& name, TriangleMesh mesh, int rounds) {
                       run_trees(name, mesh, rounds);
                     }});
    if (part == "rest")
      all.push_back({scenario, [](const std::string& name, TriangleMesh mesh, int rounds) {
                       run_rest(name, mesh, rounds);
                     }});
    if (part == "complete")
      all.push_back({scenario, [](const std::string& name, TriangleMesh mesh, int rounds) {
                       run_complete(name, mesh, rounds);
                     }});
    if (part == "queries") all.push_back({scenario, run_queries});
    if (part == "queries" && scenario.name == "bunny_4k")
      all.push_back({{"fleet_bunny_4k_hot", scenario.make},
                     [](const std::string& name, TriangleMesh mesh, int rounds) {
                       run_fleet(name, mesh, rounds);
                     }});
  }
  return all;
}

Result<void> run_all(std::string_view part, const Options& options) {
  std::puts(part == "trees"  ? "scenario,triangles,build_ns_per_triangle,refit_ns_per_triangle,"
                               "bytes_per_triangle"
            : part == "rest" ? "scenario,triangles,density,median_ms_per_start,worst_residual"
            : part == "complete"
                ? "scenario,triangles,density,poses,complete,median_ms_one_thread"
                : "scenario,triangles,system,threads,us_per_query,ratio_to_ours,volume_error");
  int found = 0;
  for (const auto& [scenario, run] : parts_of(part, options.cache)) {
    if (!options.only.empty() && options.only != scenario.name) continue;
    Result<TriangleMesh> mesh = scenario.make();
    if (!mesh) return mesh.error();
    std::fprintf(stderr, "%s: %zu triangles\n", scenario.name.c_str(), mesh->triangles.size());
    run(scenario.name, std::move(*mesh), options.rounds);
    ++found;
  }
  if (found == 0)
    return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", options.only};
  return {};
}

Result<TriangleMesh> make(const std::string& name, const std::string& cache) {
  for (const Scenario& scenario : submersion_scenarios(cache))
    if (scenario.name == name) return scenario.make();
  return Error{ErrorCode::kInvalidArgument, "there is no scenario of this name", name};
}

void tell_planes(const char* list, const Body& body, const std::vector<WaterPlane>& planes) {
  constexpr std::size_t kTold = 16;
  for (std::size_t i = 0; i < kTold; ++i) {
    const WaterPlane& plane = planes[i * (planes.size() / kTold)];
    std::cout << list << ' ' << plane.normal.transpose() << ' ' << plane.offset << ' '
              << body.volume(plane, kVolumeAndCenter) << '\n';
  }
}

Result<void> answer_requests(const std::string& scenario, const std::string& path,
                             const std::string& cache) {
  Result<TriangleMesh> mesh = make(scenario, cache);
  if (!mesh) return mesh.error();
  if (const Result<void> written = write_mesh(*mesh, path); !written) return written;
  const Body body(std::move(*mesh));
  const std::vector<WaterPlane> hot = hot_planes(MeshView(body.mesh), body.tree);
  const std::vector<WaterPlane> random = random_planes(body.tree);
  std::cout.precision(17);
  std::cout << body.mesh.triangles.size() << ' ' << body.tree.signed_volume() << '\n';
  tell_planes("hot", body, hot);
  tell_planes("random", body, random);
  std::cout << std::endl;
  const ClipSystem tree = systems_of(body).front();
  const std::vector<Row> rows = {{"hot", 1, 0, asking(tree.wet_volume, hot)},
                                 {"random", 1, 0, asking(tree.wet_volume, random)}};
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<double> seconds = time_interleaved(rows, 9);
    std::cout << 1e6 * seconds[0] << ' ' << 1e6 * seconds[1] << std::endl;
  }
  return {};
}

int main(int argc, char** argv) {
  const std::string_view part = argc > 1 ? argv[1] : "";
  if (part == "on_request" && (argc == 4 || (argc == 6 && argv[4] == std::string_view("--cache"))))
    return exit_code(answer_requests(argv[2], argv[3], argc == 6 ? argv[5] : "data/cache"));
  if (part != "queries" && part != "trees" && part != "rest" && part != "complete") {
    std::fprintf(stderr,
                 "usage: submersion queries|trees|rest|complete [--cache DIR] [--only SCENARIO] "
                 "[--rounds N]\n"
                 "       submersion on_request SCENARIO MESH.ply [--cache DIR]\n");
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
