// The volumes of [Weller2009, sec. 6] again, exact ones beside them.
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>
#include <plimsoll/shape.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checked.h"
#include "distance_scenes.h"
#include "harness.h"
#include "paper/ist2009.h"
#include "spheres/block_overlap.h"
#include "spheres/faded_overlap.h"
#include "spheres/sphere_overlap.h"
#include "spheres/timed_overlap.h"
#include "support/cgal_overlap.h"

namespace plimsoll::bench {
namespace {

const std::vector<double> kLightShares = {0.005, 0.01, 0.02, 0.05, 0.1};  // 0 to 10 %, as published
constexpr double kHeavyShare = 0.5;

std::vector<double> all_shares() {
  std::vector<double> shares = kLightShares;
  shares.push_back(kHeavyShare);
  return shares;
}

}  // namespace

Result<Truth> truth_of(const PackedSolid& body, const PackedTrees& trees,
                       const std::vector<double>& shares, int each) {
  Truth truth{overlap_poses(body, trees, shares, each, kPoseSeed), {}};
  ExactTwins twins(body.mesh);
  for (const OverlapPose& pose : truth.poses) {
    const Result<Overlap> shared = twins.overlap(pose.pose);
    if (!shared) return shared.error();
    truth.volumes.push_back(shared->volume);
  }
  return truth;
}

std::vector<VolumeSystem> volume_systems(const PackedTrees& trees, SphereWalk& walk,
                                         SphereSearch& search) {
  const auto by_walk = [&walk](const SphereHierarchy& tree, NodeBall ball) {
    return [&walk, &tree, ball](const Similarity& pose) {
      return sphere_overlap(PosedHierarchies(tree, tree, pose), walk, ball).volume;
    };
  };
  return {{"primary", by_walk(trees.by_shares, NodeBall::kPrimary)},
          {"published", by_walk(trees.as_published, NodeBall::kSecondary)},
          {"shares", by_walk(trees.by_shares, NodeBall::kSecondary)},
          {"blocks", [&](const Similarity& pose) {
             const Result<SphereVolume> found =
                 search.volume(trees.tree(), Similarity::Identity(), trees.tree(), pose,
                               {.with_bounds = false, .with_forces = false});
             return found ? found->volume : std::numeric_limits<double>::quiet_NaN();
           }}};
}

namespace {

void print_volume_row(const PackedSolid& body, std::size_t spheres, double coverage, double share,
                      const char* system, const MeanAndWorst& seconds, const MeanAndWorst& error) {
  std::printf("%s,%zu,%zu,%.4f,%g,%s,%.4g,%.4g,%.3g,%.3g\n", body.name.c_str(),
              body.mesh.triangles.size(), spheres, coverage, share, system, 1e3 * seconds.mean(),
              1e3 * seconds.worst(), error.mean(), error.worst());
  std::fflush(stdout);
}

/// The exact query with its forces, and the error that it tells: no spheres.
Result<void> print_exact_of(const PackedSolid& body, const Truth& truth, double share, int rounds) {
  ExactTwins twins(body.mesh);
  MeanAndWorst seconds, error;
  for (const OverlapPose& pose : truth.poses) {
    if (pose.share != share) continue;
    const Result<Overlap> found = twins.overlap(pose.pose);
    if (!found) return found.error();
    error.add(found->volume_error / found->volume);
    seconds.add(seconds_of([&] { sink = twins.overlap(pose.pose)->volume; }, rounds));
  }
  print_volume_row(body, 0, 1, share, "exact", seconds, error);
  return {};
}

/// Rows of all systems, and of the bounds, over the poses of one share.
Result<void> print_volumes_of(const PackedSolid& body, const PackedTrees& trees, const Truth& truth,
                              double share, int rounds) {
  SphereWalk walk;
  SphereSearch search;
  const auto print = [&](const char* system, const MeanAndWorst& seconds,
                         const MeanAndWorst& error) {
    print_volume_row(body, trees.count, trees.coverage, share, system, seconds, error);
  };
  for (const VolumeSystem& system : volume_systems(trees, walk, search)) {
    MeanAndWorst seconds, error;
    for (std::size_t i = 0; i < truth.poses.size(); ++i) {
      if (truth.poses[i].share != share) continue;
      const Similarity& pose = truth.poses[i].pose;
      error.add(std::abs(system.volume(pose) / truth.volumes[i] - 1));
      seconds.add(seconds_of([&] { sink = system.volume(pose); }, rounds));
    }
    print(system.name, seconds, error);
  }
  MeanAndWorst seconds, width;
  for (std::size_t i = 0; i < truth.poses.size(); ++i) {
    if (truth.poses[i].share != share) continue;
    const auto ask = [&] {
      return search.volume(trees.tree(), Similarity::Identity(), trees.tree(), truth.poses[i].pose,
                           {.with_forces = false});
    };
    const Result<SphereVolume> found = ask();
    if (!found) return found.error();
    const double volume = truth.volumes[i],
                 room = 1e-9 * body.volume;  // for the rounding of both
    if (!(found->lower <= volume + room && volume <= found->upper + room))
      return Error{ErrorCode::kInvalidArgument, "the bounds do not hold", body.name};
    width.add((found->upper - found->lower) / volume);
    seconds.add(seconds_of([&] { sink = ask()->volume; }, rounds));
  }
  print("bounds", seconds, width);
  return {};
}

constexpr const char* kVolumeHeader =
    "body,triangles,spheres,coverage,share,system,ms_mean,ms_worst,error_mean,error_worst";

}  // namespace

Result<void> print_volumes(const Options& options) {
  constexpr int kEach = 4;
  std::puts(kVolumeHeader);
  for (const Scenario& scenario : volume_bodies()) {
    if (!is_wanted(options, scenario)) continue;
    const Result<PackedSolid> body = packed(scenario, 250'000);
    if (!body) return body.error();
    std::optional<Truth> truth;
    for (const std::size_t count : {20'000, 1'000, 5'000, 100'000, 250'000}) {
      const Result<PackedTrees> trees = trees_of(*body, count);
      if (!trees) return trees.error();
      if (!truth) {
        Result<Truth> found = truth_of(*body, *trees, all_shares(), kEach);
        if (!found) return found.error();
        truth = std::move(*found);
        for (const double share : all_shares())
          if (const Result<void> done = print_exact_of(*body, *truth, share, options.rounds); !done)
            return done;
      }
      for (const double share : all_shares())
        if (const Result<void> done =
                print_volumes_of(*body, *trees, *truth, share, options.rounds);
            !done)
          return done;
    }
  }
  return {};
}

namespace {

/// The torso and its twin as figure 10 has it, and the exact volumes.
struct TimedScene {
  PackedSolid body;
  PackedTrees trees;
  Truth truth;
};

Result<TimedScene> timed_scene(std::size_t count) {
  Result<PackedSolid> body = packed(volume_bodies().back(), count);
  if (!body) return body.error();
  Result<PackedTrees> trees = trees_of(*body, count);
  if (!trees) return trees.error();
  Result<Truth> truth = truth_of(*body, *trees, {0.02, 0.1, 0.5}, 4);
  if (!truth) return truth.error();
  return TimedScene{std::move(*body), std::move(*trees), std::move(*truth)};
}

}  // namespace

Result<void> print_tests(const Options& options) {
  const Result<TimedScene> scene = timed_scene(100'000);
  if (!scene) return scene.error();
  std::puts("body,spheres,order,expansions,us_mean,us_worst,error_mean,error_worst");
  TimedOverlapSearch search;
  FadedOverlapSearch faded;
  const SphereHierarchy& tree = scene->trees.by_shares;
  const SphereBlocks blocks = make_sphere_blocks(tree);
  struct Order {
    const char* name;
    std::function<double(const Similarity&, const OverlapBudget&)> volume;
  };
  const auto in_order = [&](PairOrder order) {
    return [&, order](const Similarity& pose, const OverlapBudget& budget) {
      return search.find(PosedHierarchies(tree, tree, pose), NodeBall::kSecondary, order, budget)
          .volume;
    };
  };
  const std::vector<Order> orders = {
      {"uncertainty", in_order(PairOrder::kUncertainty)},
      {"overlap", in_order(PairOrder::kOverlap)},
      {"child_overlap", in_order(PairOrder::kChildOverlap)},
      {"faded_blocks", [&](const Similarity& pose, const OverlapBudget& budget) {
         return faded
             .find(PosedHierarchies(tree, tree, pose), PosedBlocks(blocks, blocks, pose),
                   NodeBall::kSecondary, budget)
             .volume;
       }}};
  for (const Order& order : orders)
    for (const std::size_t expansions : {10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000}) {
      MeanAndWorst seconds, error;
      for (std::size_t i = 0; i < scene->truth.poses.size(); ++i) {
        const Similarity& pose = scene->truth.poses[i].pose;
        const OverlapBudget budget{.max_expansions = expansions};
        error.add(std::abs(order.volume(pose, budget) / scene->truth.volumes[i] - 1));
        seconds.add(seconds_of([&] { sink = order.volume(pose, budget); }, options.rounds));
      }
      std::printf("%s,%zu,%s,%zu,%.4g,%.4g,%.3g,%.3g\n", scene->body.name.c_str(),
                  scene->trees.count, order.name, expansions, 1e6 * seconds.mean(),
                  1e6 * seconds.worst(), error.mean(), error.worst());
      std::fflush(stdout);
    }
  return {};
}

namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Asks for the volume at each pose in turn.
Result<void> print_budget_row(const TimedScene& scene, int calls, const char* system,
                              std::size_t spheres, double budget, bool with_forces,
                              const std::function<Result<double>(const Similarity&)>& volume) {
  MeanAndWorst error;
  std::vector<double> taken, idle;
  for (int i = 0; i < calls; ++i) {
    const std::size_t pose = static_cast<std::size_t>(i) % scene.truth.poses.size();
    const double start = wall_seconds();
    const Result<double> found = volume(scene.truth.poses[pose].pose);
    const double end = wall_seconds();
    if (!found) return found.error();
    taken.push_back(1e6 * (end - start));
    error.add(std::abs(*found / scene.truth.volumes[pose] - 1));
    // What the machine takes away from a loop that does nothing.
    double now = end;
    while (now - end < budget) now = wall_seconds();
    idle.push_back(1e6 * (now - end));
  }
  std::printf("%s,%s,%zu,%g,%d,%.3g,%.3g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n", scene.body.name.c_str(),
              system, spheres, 1e6 * budget, with_forces ? 1 : 0, error.mean(), error.worst(),
              quantile(taken, 0.5), quantile(taken, 0.99), quantile(taken, 0.999),
              quantile(taken, 1), quantile(idle, 0.999), quantile(idle, 1));
  std::fflush(stdout);
  return {};
}

}  // namespace

Result<void> print_budgets(const Options& options) {
  constexpr double kLongest = 5;  // of the calls with one budget [s]
  const Result<TimedScene> scene = timed_scene(100'000);
  if (!scene) return scene.error();
  std::puts(
      "body,system,spheres,budget_us,forces,error_mean,error_worst,us_median,us_99,us_999,us_worst,"
      "idle_us_999,idle_us_worst");
  SphereSearch search;
  ExactTwins twins(scene->body.mesh);
  for (const double budget : {1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2}) {
    const int calls = static_cast<int>(std::min(1000.0 * options.rounds, kLongest / budget));
    for (const bool with_forces : {false, true}) {
      const auto by_spheres = [&](const Similarity& pose) -> Result<double> {
        const Result<SphereVolume> found =
            search.volume(scene->trees.tree(), Similarity::Identity(), scene->trees.tree(), pose,
                          {.max_time = budget, .with_bounds = false, .with_forces = with_forces});
        if (!found) return found.error();
        return found->volume;
      };
      if (const Result<void> done = print_budget_row(*scene, calls, "spheres", scene->trees.count,
                                                     budget, with_forces, by_spheres);
          !done)
        return done;
    }
    const auto by_triangles = [&](const Similarity& pose) -> Result<double> {
      const Result<OverlapEstimate> found = twins.estimate(pose, budget);
      if (!found) return found.error();
      return found->volume;
    };
    if (const Result<void> done =
            print_budget_row(*scene, calls, "exact", 0, budget, true, by_triangles);
        !done)
      return done;
  }
  return {};
}

/// Plates with hills, hills on hills: hundreds of contacts at once.
Result<void> print_contacts(const Options& options) {
  constexpr int kBumps = 20;
  std::puts(
      "body,triangles,spheres,coverage,turn_deg,depth,lenses,exact,error,blocks_ms,published_ms,"
      "exact_ms,error_100us,error_1000us");
  const Scenario scenario{"egg_crate", [] { return make_egg_crate(kBumps, 16); }};
  const Result<PackedSolid> body = packed(scenario, 100'000);
  if (!body) return body.error();
  const Result<PackedTrees> trees = trees_of(*body, 100'000);
  if (!trees) return trees.error();
  SphereWalk walk;
  SphereSearch search;
  ExactTwins twins(body->mesh);
  for (const double turn : {0.0, 1.0, 10.0})
    for (const double depth : {0.1, 0.5}) {
      // Upside down over the other, hills into hills by `depth` of their height.
      const double height = 0.6 / kBumps, top = 0.05 + height;
      const Mat3 over = (Eigen::AngleAxisd(turn * std::numbers::pi / 180, Vec3::UnitZ()) *
                         Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()))
                            .toRotationMatrix();
      const Similarity pose =
          pose_about(Vec3(0.5, 0.5, 0), over, Vec3(0.5, 0.5, 2 * top - depth * height));
      const Result<Overlap> shared = twins.overlap(pose);
      if (!shared) return shared.error();
      const double exact = shared->volume;
      const PosedHierarchies bodies(trees->by_shares, trees->by_shares, pose);
      const SphereOverlap overlap = sphere_overlap(bodies, walk, NodeBall::kSecondary);
      const auto volume = [&](double budget) {
        return search
            .volume(trees->tree(), Similarity::Identity(), trees->tree(), pose,
                    {.max_time = budget, .with_bounds = false, .with_forces = false})
            ->volume;
      };
      // The median: the machine takes time away from some.
      const auto error_within = [&](double budget) {
        std::vector<double> errors;
        for (int i = 0; i < 15; ++i) errors.push_back(volume(budget) / exact - 1);
        return quantile(errors, 0.5);
      };
      constexpr double kInfinite = std::numeric_limits<double>::infinity();
      const double blocks = seconds_of([&] { sink = volume(kInfinite); }, options.rounds);
      const double published =
          seconds_of([&] { sink = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume; },
                     options.rounds);
      const double triangles =
          seconds_of([&] { sink = twins.overlap(pose)->volume; }, options.rounds);
      std::printf("%s,%zu,%zu,%.4f,%g,%g,%zu,%.6g,%.3g,%.4g,%.4g,%.4g,%.3g,%.3g\n",
                  body->name.c_str(), body->mesh.triangles.size(), trees->count, trees->coverage,
                  turn, depth, overlap.lenses, exact, overlap.volume / exact - 1, 1e3 * blocks,
                  1e3 * published, 1e3 * triangles, error_within(1e-4), error_within(1e-3));
      std::fflush(stdout);
    }
  return {};
}

Result<Scenario> volume_body(const std::string& name) {
  for (const Scenario& scenario : volume_bodies())
    if (scenario.name == name) return scenario;
  return Error{ErrorCode::kInvalidArgument, "there is no body of this name", name};
}

Result<void> print_booleans(const Options& options) {
  constexpr std::size_t kCount = 20'000;
  const Result<Scenario> scenario = volume_body(options.only);
  if (!scenario) return scenario.error();
  const Result<PackedSolid> body = packed(*scenario, kCount);
  if (!body) return body.error();
  const Result<PackedTrees> trees = trees_of(*body, kCount);
  if (!trees) return trees.error();
  std::puts("share,ours,ours_s,cgal,cgal_s,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23");
  ExactTwins twins(body->mesh);
  for (const OverlapPose& pose : overlap_poses(*body, *trees, all_shares(), 2, kPoseSeed)) {
    const Result<Overlap> ours = twins.overlap(pose.pose);
    if (!ours) return ours.error();
    const double ours_seconds =
        seconds_of([&] { sink = twins.overlap(pose.pose)->volume; }, options.rounds);
    const double start = seconds_now(1);
    const std::optional<test::CgalOverlap> cgal =
        test::cgal_overlap(body->mesh, posed(body->mesh, pose.pose));
    const double cgal_seconds = seconds_now(1) - start;
    if (!cgal) return Error{ErrorCode::kNotClosed, "CGAL found no manifold", body->name};
    std::printf("%g,%.17g,%.3g,%.17g,%.3g", pose.share, ours->volume, ours_seconds, cgal->volume,
                cgal_seconds);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) std::printf(",%.17g", pose.pose.matrix()(i, j));
    std::puts("");
  }
  return {};
}

}  // namespace plimsoll::bench
