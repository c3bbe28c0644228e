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
#include "spheres/sphere_overlap.h"

namespace plimsoll::bench {
namespace {

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

Result<void> print_polygons(const Options& options) {
  constexpr std::size_t kCount = 20'000;
  std::puts(
      "body,triangles,spheres,coverage,pack_cpu_s,tree_cpu_s,distance_us,refined_us,volume_ms,"
      "exact_ms,volume_error");
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
    const std::vector<OverlapPose> near = overlap_poses(*body, *trees, {1e-9}, 8, kPoseSeed);
    const std::vector<OverlapPose> deep = overlap_poses(*body, *trees, {0.1}, 8, kPoseSeed);
    ExactTwins twins(body->mesh);
    MeanAndWorst distance, refined, volume, exact, error;
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
    for (const OverlapPose& overlap : deep) {
      const auto by_spheres = [&] {
        return search
            .volume(trees->tree(), Similarity::Identity(), trees->tree(), overlap.pose,
                    {.with_bounds = false, .with_forces = false})
            ->volume;
      };
      volume.add(seconds_of([&] { sink = by_spheres(); }, options.rounds));
      exact.add(seconds_of([&] { sink = twins.overlap(overlap.pose)->volume; }, options.rounds));
      error.add(std::abs(by_spheres() / twins.overlap(overlap.pose)->volume - 1));
    }
    std::printf("%s,%zu,%zu,%.4f,%.3g,%.3g,%.4g,%.4g,%.4g,%.4g,%.3g\n", scenario.name.c_str(),
                body->mesh.triangles.size(), trees->count, trees->coverage, body->packing_seconds,
                trees->timed.seconds, 1e6 * distance.mean(), 1e6 * refined.mean(),
                1e3 * volume.mean(), 1e3 * exact.mean(), error.mean());
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
  const std::vector<Poses> near = cold_poses(exact, 0.01, 1, kPoseSeed);
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
        overlap_poses(*body, *trees, {0.02, 0.1, 0.5}, kEach, kPoseSeed);
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
    const PlacedSphere& sphere = body->packing.spheres[i];
    const double away = sphere.center.z() - z;
    if (std::abs(away) < sphere.radius)
      std::printf("sphere,%.6g,%.6g,%.6g,%zu\n", sphere.center.x(), sphere.center.y(),
                  std::sqrt(sphere.radius * sphere.radius - away * away), i);
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
