// [Weller2009, sec. 6] again: inner sphere trees against exact distances and exact volumes. Prints
// a CSV to stdout, and to stderr what it does; README.md tells how to read it.
//
//   ist2009 PART [--cache DIR] [--only BODY] [--rounds N]
//
//   packings    spheres, coverage, memory, and what building takes
//   distance    figures 7 and 8: time and error by the number of spheres
//   volume      figure 9: time and error by the number of spheres
//   tests       figure 10: error by the number of pairs that are opened, in three orders
//   budgets     error by time, and how well the time is kept
//   path        figure 6: force and torque along a path
//   loops       work round closed loops
//   polygons    one shape at three numbers of triangles
//   voxels      the published packing by the resolution of its lattice
//   branching   node pairs and time by the number of children [Weller2009, sec. 3.2]
//   contacts    a case with hundreds of contacts
//   stages      figure 2: distances and spheres in a plane
//   booleans    poses and exact volumes of a body (--only), for other libraries
//   mesh        the body (--only), as OFF
#include "paper/ist2009.h"

#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>
#include <plimsoll/surface_queries.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "bunnies.h"
#include "checked.h"
#include "distance_systems.h"
#include "harness.h"
#include "spheres/block_overlap.h"
#include "spheres/faded_overlap.h"
#include "spheres/sphere_overlap.h"
#include "spheres/timed_overlap.h"
#include "support/cgal_overlap.h"

namespace plimsoll::bench {
namespace {

constexpr std::uint64_t kSeed = 2;
const std::vector<double> kLightShares = {0.005, 0.01, 0.02, 0.05, 0.1};  // 0 to 10 %, as published
constexpr double kHeavyShare = 0.5;

volatile double sink;  // what is computed must look used

/// By CGAL. Nothing where it makes no manifold of it.
std::optional<double> exact_shared_volume(const TriangleMesh& a, const TriangleMesh& b,
                                          const Similarity& a_from_b) {
  const std::optional<test::CgalOverlap> found = test::cgal_overlap(a, posed(b, a_from_b));
  return found ? std::optional(found->volume) : std::nullopt;
}

/// Poses, and the volume that is shared there.
struct Truth {
  std::vector<OverlapPose> poses;
  std::vector<double> volumes;
};

Result<Truth> truth_of(const PackedSolid& body, const PackedTrees& trees,
                       const std::vector<double>& shares, int each) {
  Truth truth{overlap_poses(body, trees, shares, each, kSeed), {}};
  for (const OverlapPose& pose : truth.poses) {
    const std::optional<double> volume = exact_shared_volume(body.mesh, body.mesh, pose.pose);
    if (!volume) return Error{ErrorCode::kNotClosed, "CGAL found no manifold", body.name};
    truth.volumes.push_back(*volume);
  }
  std::fprintf(stderr, "%s: exact volumes of %zu poses\n", body.name.c_str(), truth.poses.size());
  return truth;
}

std::vector<double> all_shares() {
  std::vector<double> shares = kLightShares;
  shares.push_back(kHeavyShare);
  return shares;
}

/// CPU seconds of a call, the median of the rounds.
double seconds_of(const std::function<void()>& work, int rounds) {
  return time_interleaved({{"", 1, 0, work}}, rounds, 0).front();
}

Result<void> print_packings(const Options& options) {
  std::puts("body,triangles,spheres,coverage,pack_cpu_s,tree_cpu_s,mb,bytes_per_sphere");
  std::vector<Scenario> bodies = distance_bodies(options.cache);
  for (Scenario& body : volume_bodies()) bodies.push_back(std::move(body));
  for (const Scenario& scenario : bodies) {
    if (!is_wanted(options, scenario)) continue;
    for (const std::size_t count : {5'000, 50'000, 250'000, 500'000}) {
      const Result<PackedSolid> body = packed(scenario, count);
      if (!body) return body.error();
      const Result<TimedTree> timed = tree_of(*body, count);
      if (!timed) return timed.error();
      const SphereTree& tree = timed->tree;
      const auto bytes = static_cast<double>(tree.memory());
      std::printf("%s,%zu,%zu,%.4f,%.3g,%.3g,%.3g,%.3g\n", scenario.name.c_str(),
                  body->mesh.triangles.size(), tree.spheres().size(), tree.coverage(),
                  body->packing_seconds, timed->seconds, bytes / 1e6,
                  bytes / static_cast<double>(tree.spheres().size()));
      std::fflush(stdout);
    }
  }
  return {};
}

/// The volume by each kind of sphere, by the published walk and by what users ask.
struct VolumeSystem {
  const char* name;
  std::function<double(const Similarity&)> volume;
};

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

/// Rows of all systems, and of the bounds, over the poses of one share.
Result<void> print_volumes_of(const PackedSolid& body, const PackedTrees& trees, const Truth& truth,
                              double share, int rounds) {
  SphereWalk walk;
  SphereSearch search;
  const auto print = [&](const char* system, const MeanAndWorst& seconds,
                         const MeanAndWorst& error) {
    std::printf("%s,%zu,%zu,%.4f,%g,%s,%.4g,%.4g,%.3g,%.3g\n", body.name.c_str(),
                body.mesh.triangles.size(), trees.count, trees.coverage, share, system,
                1e3 * seconds.mean(), 1e3 * seconds.worst(), error.mean(), error.worst());
    std::fflush(stdout);
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
                 room = 1e-9 * body.volume;  // for CGAL's rounded corners
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

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Result<void> print_budgets(const Options&) {
  constexpr int kCalls = 5000;
  const Result<TimedScene> scene = timed_scene(100'000);
  if (!scene) return scene.error();
  std::puts(
      "body,spheres,budget_us,forces,error_mean,error_worst,us_median,us_99,us_999,us_worst,"
      "idle_us_999,idle_us_worst");
  SphereSearch search;
  for (const double budget : {1e-6, 1e-5, 1e-4, 1e-3})
    for (const bool with_forces : {false, true}) {
      MeanAndWorst error;
      std::vector<double> taken, idle;
      const auto ask = [&](std::size_t pose) {
        return search.volume(
            scene->trees.tree(), Similarity::Identity(), scene->trees.tree(),
            scene->truth.poses[pose].pose,
            {.max_time = budget, .with_bounds = false, .with_forces = with_forces});
      };
      for (int i = 0; i < kCalls; ++i) {
        const std::size_t pose = static_cast<std::size_t>(i) % scene->truth.poses.size();
        const double start = wall_seconds();
        const Result<SphereVolume> found = ask(pose);
        const double end = wall_seconds();
        if (!found) return found.error();
        taken.push_back(1e6 * (end - start));
        error.add(std::abs(found->volume / scene->truth.volumes[pose] - 1));
        // What the machine takes away from a loop that does nothing.
        double now = end;
        while (now - end < budget) now = wall_seconds();
        idle.push_back(1e6 * (now - end));
      }
      std::printf("%s,%zu,%g,%d,%.3g,%.3g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n",
                  scene->body.name.c_str(), scene->trees.count, 1e6 * budget, with_forces ? 1 : 0,
                  error.mean(), error.worst(), quantile(taken, 0.5), quantile(taken, 0.99),
                  quantile(taken, 0.999), quantile(taken, 1), quantile(idle, 0.999),
                  quantile(idle, 1));
      std::fflush(stdout);
    }
  return {};
}

Result<void> print_polygons(const Options& options) {
  constexpr std::size_t kCount = 20'000;
  std::puts(
      "body,triangles,spheres,coverage,pack_cpu_s,tree_cpu_s,distance_us,refined_us,volume_ms");
  for (const Scenario& scenario :
       {bunny("bunny_5k", options.cache, 5'000), bunny("bunny_40k", options.cache, 43'750),
        bunny("bunny_175k", options.cache, 43'750, 1),
        bunny("bunny_700k", options.cache, 43'750, 2)}) {
    const Result<PackedSolid> body = packed(scenario, kCount);
    if (!body) return body.error();
    const Result<PackedTrees> trees = trees_of(*body, kCount);
    if (!trees) return trees.error();
    SphereSearch search;
    SphereWalk walk;
    const std::vector<OverlapPose> near = overlap_poses(*body, *trees, {1e-9}, 8, kSeed);
    const std::vector<OverlapPose> deep = overlap_poses(*body, *trees, {0.1}, 8, kSeed);
    MeanAndWorst distance, refined, volume;
    for (const OverlapPose& touching : near) {
      Similarity pose = touching.pose;
      const Vec3 apart = (pose * body->center - body->center).normalized();
      pose.translation() += 0.01 * body->size * apart;
      const PosedHierarchies bodies(trees->by_shares, trees->by_shares, pose);
      distance.add(
          seconds_of([&] { sink = sphere_distance(bodies, walk).distance; }, options.rounds));
      refined.add(seconds_of(
          [&] {
            sink = search.distance(trees->tree(), Similarity::Identity(), trees->tree(), pose)
                       ->distance;
          },
          options.rounds));
    }
    for (const OverlapPose& overlap : deep)
      volume.add(seconds_of(
          [&] {
            sink = search
                       .volume(trees->tree(), Similarity::Identity(), trees->tree(), overlap.pose,
                               {.with_bounds = false, .with_forces = false})
                       ->volume;
          },
          options.rounds));
    std::printf("%s,%zu,%zu,%.4f,%.3g,%.3g,%.4g,%.4g,%.4g\n", scenario.name.c_str(),
                body->mesh.triangles.size(), trees->count, trees->coverage, body->packing_seconds,
                trees->timed.seconds, 1e6 * distance.mean(), 1e6 * refined.mean(),
                1e3 * volume.mean());
    std::fflush(stdout);
  }
  return {};
}

Result<void> print_voxels(const Options& options) {
  constexpr int kEach = 4;
  const Scenario scenario = bunny("bunny_40k", options.cache, 43'750);
  std::puts(
      "body,packing,resolution,spheres,coverage,pack_cpu_s,gap_error,primary,published,shares");
  const Result<PackedSolid> fine = packed(scenario, 50'000);
  if (!fine) return fine.error();
  const Result<PackedTrees> fine_trees = trees_of(*fine, 50'000);
  if (!fine_trees) return fine_trees.error();
  const Result<Truth> truth = truth_of(*fine, *fine_trees, {0.05, 0.1}, kEach);
  if (!truth) return truth.error();
  const TwoTrees exact = trees_of(TwoMeshes{fine->mesh, fine->mesh});
  const std::vector<Poses> near = cold_poses(exact, 0.01, 1, kSeed);
  const auto print = [&](const PackedSolid& body, const PackedTrees& trees, const char* packing,
                         std::size_t resolution) {
    SphereWalk walk;
    SphereSearch search;
    DistanceSearch exact_search;
    MeanAndWorst gap;
    for (const PosedPair& pair : near.front().counted) {
      const PosedHierarchies bodies(trees.by_shares, trees.by_shares,
                                    pair.world_from_a.inverse() * pair.world_from_b);
      const double distance =
          exact_search.find(exact.a, pair.world_from_a, exact.b, pair.world_from_b)->distance;
      gap.add((sphere_distance(bodies, walk).distance - distance) / body.size);
    }
    std::printf("%s,%s,%zu,%zu,%.4f,%.3g,%.3g", body.name.c_str(), packing, resolution, trees.count,
                trees.coverage, body.packing_seconds, gap.mean());
    const std::vector<VolumeSystem> systems = volume_systems(trees, walk, search);
    for (std::size_t i = 0; i < 3; ++i) {
      MeanAndWorst error;
      for (std::size_t k = 0; k < truth->poses.size(); ++k)
        error.add(std::abs(systems[i].volume(truth->poses[k].pose) / truth->volumes[k] - 1));
      std::printf(",%.3g", error.mean());
    }
    std::puts("");
    std::fflush(stdout);
  };
  for (const std::size_t resolution : {16, 32, 64, 128, 192}) {
    const Result<PackedSolid> body = packed_on_lattice(scenario, resolution);
    if (!body) return body.error();
    const std::size_t count = body->packing.spheres.size();
    const Result<PackedTrees> trees = trees_of(*body, count, resolution);
    if (!trees) return trees.error();
    print(*body, *trees, "lattice", resolution);
    const Result<PackedSolid> pockets = packed(scenario, count);
    if (!pockets) return pockets.error();
    const Result<PackedTrees> pocket_trees = trees_of(*pockets, count, resolution);
    if (!pocket_trees) return pocket_trees.error();
    print(*pockets, *pocket_trees, "pockets", resolution);
  }
  return {};
}

Result<void> print_branching(const Options& options) {
  constexpr std::size_t kCount = 50'000;
  constexpr int kEach = 4;
  std::puts("body,spheres,children,share,node_pairs,ms_mean,gap_us_mean");
  for (const Scenario& scenario : volume_bodies()) {
    if (!is_wanted(options, scenario)) continue;
    const Result<PackedSolid> body = packed(scenario, kCount);
    if (!body) return body.error();
    const Result<PackedTrees> trees = trees_of(*body, kCount);
    if (!trees) return trees.error();
    const std::vector<OverlapPose> poses =
        overlap_poses(*body, *trees, {0.02, 0.1, 0.5}, kEach, kSeed);
    for (const std::size_t children : {2, 3, 4, 6, 8, 16}) {
      const SphereHierarchy tree = make_sphere_hierarchy(
          body->packing.spheres, trees->shares.shares, SecondaryRadii::kShares, children);
      SphereWalk walk;
      for (std::size_t first = 0; first < poses.size(); first += kEach) {
        MeanAndWorst pairs, seconds, gap_seconds;
        for (std::size_t i = first; i < first + kEach; ++i) {
          const PosedHierarchies bodies(tree, tree, poses[i].pose);
          pairs.add(static_cast<double>(sphere_overlap(bodies, walk, NodeBall::kSecondary).tests));
          seconds.add(
              seconds_of([&] { sink = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume; },
                         options.rounds));
          // The same turn, pulled apart by half a size.
          Similarity apart = poses[i].pose;
          const Vec3 way = (apart * body->center - body->center).normalized();
          apart.translation() += 0.5 * body->size * way;
          const PosedHierarchies far(tree, tree, apart);
          gap_seconds.add(
              seconds_of([&] { sink = sphere_distance(far, walk).distance; }, options.rounds));
        }
        std::printf("%s,%zu,%zu,%g,%.0f,%.4g,%.4g\n", scenario.name.c_str(), trees->count, children,
                    poses[first].share, pairs.mean(), 1e3 * seconds.mean(),
                    1e6 * gap_seconds.mean());
        std::fflush(stdout);
      }
    }
  }
  return {};
}

/// Plates with hills, hills on hills: hundreds of contacts at once.
Result<void> print_contacts(const Options& options) {
  constexpr int kBumps = 20;
  std::puts(
      "body,triangles,spheres,coverage,turn_deg,depth,lenses,exact,error,blocks_ms,published_ms,"
      "error_100us,error_1000us");
  const Scenario scenario{"egg_crate", [] { return make_egg_crate(kBumps, 16); }};
  const Result<PackedSolid> body = packed(scenario, 100'000);
  if (!body) return body.error();
  const Result<PackedTrees> trees = trees_of(*body, 100'000);
  if (!trees) return trees.error();
  SphereWalk walk;
  SphereSearch search;
  for (const double turn : {0.0, 1.0, 10.0})
    for (const double depth : {0.1, 0.5}) {
      // Upside down over the other, hills into hills by `depth` of their height.
      const double height = 0.6 / kBumps, top = 0.05 + height;
      const Mat3 over = (Eigen::AngleAxisd(turn * std::numbers::pi / 180, Vec3::UnitZ()) *
                         Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()))
                            .toRotationMatrix();
      const Similarity pose =
          pose_about(Vec3(0.5, 0.5, 0), over, Vec3(0.5, 0.5, 2 * top - depth * height));
      const std::optional<double> exact = exact_shared_volume(body->mesh, body->mesh, pose);
      if (!exact) return Error{ErrorCode::kNotClosed, "CGAL found no manifold", body->name};
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
        for (int i = 0; i < 15; ++i) errors.push_back(volume(budget) / *exact - 1);
        return quantile(errors, 0.5);
      };
      constexpr double kInfinite = std::numeric_limits<double>::infinity();
      const double blocks = seconds_of([&] { sink = volume(kInfinite); }, options.rounds);
      const double published =
          seconds_of([&] { sink = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume; },
                     options.rounds);
      std::printf("%s,%zu,%zu,%.4f,%g,%g,%zu,%.6g,%.3g,%.4g,%.4g,%.3g,%.3g\n", body->name.c_str(),
                  body->mesh.triangles.size(), trees->count, trees->coverage, turn, depth,
                  overlap.lenses, *exact, overlap.volume / *exact - 1, 1e3 * blocks,
                  1e3 * published, error_within(1e-4), error_within(1e-3));
      std::fflush(stdout);
    }
  return {};
}

/// A plane through the bunny: distances of voxels' centers from the surface, and the spheres that
/// the published packing has there after 1, 10, 100, ... of them.
Result<void> print_stages(const Options& options) {
  constexpr std::size_t kResolution = 48;
  const Scenario scenario = bunny("bunny_5k", options.cache, 5'000);
  const Result<PackedSolid> body = packed_on_lattice(scenario, kResolution);
  if (!body) return body.error();
  const Box3 box = bounding_box(checked(body->mesh));
  const double cube = body->size / kResolution;
  const double z = body->center.z();
  Result<SurfaceProbe> probe = SurfaceProbe::of(MeshTree(checked(body->mesh)));
  if (!probe) return probe.error();
  std::puts("kind,x,y,size,number");
  for (double y = box.min().y() + cube / 2; y < box.max().y(); y += cube)
    for (double x = box.min().x() + cube / 2; x < box.max().x(); x += cube) {
      const Result<int> winding = probe->winding_number({x, y, z});
      const Result<NearestOnSurface> nearest = probe->nearest({x, y, z});
      if (!winding) return winding.error();
      if (!nearest) return nearest.error();
      if (*winding > 0) std::printf("voxel,%.6g,%.6g,%.6g,%.6g\n", x, y, cube, nearest->distance);
    }
  for (std::size_t i = 0; i < body->packing.spheres.size(); ++i) {
    const InnerSphere& sphere = body->packing.spheres[i];
    const double away = sphere.center.z() - z;
    if (std::abs(away) < sphere.radius)
      std::printf("sphere,%.6g,%.6g,%.6g,%zu\n", sphere.center.x(), sphere.center.y(),
                  std::sqrt(sphere.radius * sphere.radius - away * away), i);
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
  std::puts("share,volume,s,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23");
  for (const OverlapPose& pose : overlap_poses(*body, *trees, all_shares(), 2, kSeed)) {
    const double start = seconds_now(1);
    const std::optional<double> volume = exact_shared_volume(body->mesh, body->mesh, pose.pose);
    const double seconds = seconds_now(1) - start;
    if (!volume) return Error{ErrorCode::kNotClosed, "CGAL found no manifold", body->name};
    std::printf("%g,%.17g,%.3g", pose.share, *volume, seconds);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) std::printf(",%.17g", pose.pose.matrix()(i, j));
    std::puts("");
  }
  return {};
}

Result<void> print_mesh(const Options& options) {
  const Result<Scenario> scenario = volume_body(options.only);
  if (!scenario) return scenario.error();
  const Result<TriangleMesh> mesh = scenario->make();
  if (!mesh) return mesh.error();
  std::printf("OFF\n%zu %zu 0\n", mesh->vertices.size(), mesh->triangles.size());
  for (const Vec3& v : mesh->vertices) std::printf("%.17g %.17g %.17g\n", v.x(), v.y(), v.z());
  for (const auto& [a, b, c] : mesh->triangles) std::printf("3 %u %u %u\n", a, b, c);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using Print = Result<void> (*)(const Options&);
  constexpr std::pair<std::string_view, Print> kParts[] = {
      {"packings", print_packings},   {"distance", print_distances}, {"volume", print_volumes},
      {"tests", print_tests},         {"budgets", print_budgets},    {"path", print_path},
      {"loops", print_loops},         {"polygons", print_polygons},  {"voxels", print_voxels},
      {"branching", print_branching}, {"contacts", print_contacts},  {"stages", print_stages},
      {"booleans", print_booleans},   {"mesh", print_mesh}};
  const auto* part = std::find_if(std::begin(kParts), std::end(kParts),
                                  [&](const auto& p) { return argc > 1 && p.first == argv[1]; });
  if (part == std::end(kParts)) {
    std::fputs("usage: ist2009 PART [--cache DIR] [--only BODY] [--rounds N]\nparts:", stderr);
    for (const auto& [name, print] : kParts) std::fprintf(stderr, " %s", name.data());
    std::fputs("\n", stderr);
    return 2;
  }
  const std::optional<Options> options = options_of(argc - 1, argv + 1, 5);
  if (!options) return 2;
  print_load();
  return exit_code(part->second(*options));
}

}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::main(argc, argv); }
