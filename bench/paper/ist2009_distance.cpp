#include <plimsoll/distance.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "distance_systems.h"
#include "harness.h"
#include "paper/ist2009.h"
#include "spheres/sphere_distance.h"

namespace plimsoll::bench {
namespace {

constexpr std::array kCounts = {5'000, 20'000, 100'000, 500'000};
constexpr std::array kGaps = {0.001, 0.003, 0.01, 0.03, 0.1};  // in sizes: 0 to 10 %, as published
constexpr double kStep = 1e-4;                                 // in sizes: slow motion at 1 kHz
constexpr int kBlocks = 2;
constexpr std::uint64_t kSeed = 1;

/// Algorithm 1, from the last frame's pair on; with the triangles of the nearest pair of spheres
/// after it, if asked [Weller2009, sec. 4.1.2].
DistanceSystem published_system(const PackedTrees& trees, bool is_refined) {
  struct Memory {
    SphereWalk walk;
    std::optional<SpherePair> last;
  };
  const auto memory = std::make_shared<Memory>();
  const auto triangles_of = [&trees](std::uint32_t leaf) {
    const std::uint32_t sphere = trees.by_shares.nodes[leaf].first;
    const std::size_t first = trees.shares.first_triangle[sphere];
    return std::span(trees.shares.triangles)
        .subspan(first, trees.shares.first_triangle[sphere + 1] - first);
  };
  const auto refined = [&trees, triangles_of](const Similarity& a_from_b, SpherePair nearest,
                                              double distance) {
    std::vector<Corners> of_b;
    for (const std::uint32_t t : triangles_of(nearest.b)) {
      Corners corners = trees.triangles.corners(t);
      for (Vec3& corner : corners) corner = a_from_b * corner;
      of_b.push_back(corners);
    }
    for (const std::uint32_t t : triangles_of(nearest.a))
      for (const Corners& corners : of_b)
        distance = std::min(distance, triangle_gap(trees.triangles.corners(t), corners).distance);
    return distance;
  };
  return {is_refined ? "nearest_pair" : "spheres",
          [&trees, memory, refined, is_refined](const PosedPair& pair) {
            const Similarity a_from_b = pair.world_from_a.inverse() * pair.world_from_b;
            const PosedHierarchies bodies(trees.by_shares, trees.by_shares, a_from_b);
            const SphereDistance found = sphere_distance(bodies, memory->walk, memory->last);
            memory->last = found.nearest;
            return is_refined ? refined(a_from_b, found.nearest, found.distance) : found.distance;
          },
          [memory] { memory->last.reset(); }};
}

/// What users ask: the triangles of all pairs of spheres that may hold the answer, and bounds.
DistanceSystem public_system(const PackedTrees& trees) {
  struct Memory {
    SphereSearch search;
    std::optional<NearestSpheres> last;
  };
  const auto memory = std::make_shared<Memory>();
  return {"refined",
          [&trees, memory](const PosedPair& pair) {
            const Result<SphereTreeDistance> found =
                memory->search.distance(trees.tree(), pair.world_from_a, trees.tree(),
                                        pair.world_from_b, {.last = memory->last});
            if (!found) return std::numeric_limits<double>::quiet_NaN();
            memory->last = found->last;
            return found->distance;
          },
          [memory] { memory->last.reset(); }};
}

struct DistanceErrors {
  MeanAndWorst of_size, of_distance;
};

DistanceErrors errors_of(const DistanceFigures& figures, const DistanceFigures& exact,
                         double size) {
  DistanceErrors error;
  for (std::size_t i = 0; i < exact.distances.size(); ++i) {
    const double difference = std::abs(figures.distances[i] - exact.distances[i]);
    error.of_size.add(difference / size);
    error.of_distance.add(difference / exact.distances[i]);
  }
  return error;
}

Result<void> print_scene(const Scenario& scenario, int rounds) {
  const Result<PackedSolid> body = packed(scenario, kCounts.back());
  if (!body) return body.error();
  const TwoMeshes meshes{body->mesh, body->mesh};
  const TwoTrees exact = trees_of(meshes);
  const SweptSphereTrees swept{SweptSphereTree(meshes.a), SweptSphereTree(meshes.b)};
  for (const std::size_t count : kCounts) {
    if (count > body->packing.spheres.size()) break;
    const Result<PackedTrees> trees = trees_of(*body, count);
    if (!trees) return trees.error();
    std::vector<DistanceSystem> systems{our_system(exact), published_system(*trees, false),
                                        published_system(*trees, true), public_system(*trees)};
    systems.front().name = "exact";
    if (count == kCounts.back()) {
      systems.push_back(swept_sphere_systems(swept).front().system);
      systems.push_back(fcl_distance_system(meshes));
    }
    for (const double gap : kGaps) {
      const Questions questions{moving_poses(exact, {gap, kStep}, kBlocks, kSeed), false};
      const std::vector<DistanceFigures> figures = time_systems(systems, questions, rounds);
      for (std::size_t i = 0; i < systems.size(); ++i) {
        MeanAndWorst seconds;
        for (const double of_pose : figures[i].seconds) seconds.add(of_pose);
        const DistanceErrors error = errors_of(figures[i], figures[0], body->size);
        std::printf("%s,%zu,%zu,%.4g,%g,%s,%.4g,%.4g,%.3g,%.3g,%.3g,%.3g\n", scenario.name.c_str(),
                    body->mesh.triangles.size(), trees->count, trees->coverage, gap,
                    systems[i].name.c_str(), 1e6 * seconds.mean(), 1e6 * seconds.worst(),
                    error.of_size.mean(), error.of_size.worst(), error.of_distance.mean(),
                    error.of_distance.worst());
      }
      std::fflush(stdout);
    }
  }
  return {};
}

}  // namespace

Result<void> print_distances(const Options& options) {
  std::puts(
      "body,triangles,spheres,coverage,gap,system,us_mean,us_worst,error_of_size_mean,"
      "error_of_size_worst,error_of_distance_mean,error_of_distance_worst");
  for (const Scenario& scenario : distance_bodies(options.cache))
    if (is_wanted(options, scenario))
      if (const Result<void> done = print_scene(scenario, options.rounds); !done) return done;
  return {};
}

}  // namespace plimsoll::bench
