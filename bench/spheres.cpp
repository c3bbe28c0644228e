// Queries of inner sphere trees on one thread: the published tree of four children walked pair by
// pair, and blocks of sixteen spheres side by side. Prints a CSV to stdout; README.md tells how to
// read it.
//
//   spheres [--cache DIR] [--only MESH] [--rounds N]
//
// Meshes are those of --cache that are there, and one that is made here.
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/sphere_packing.h>

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "options.h"
#include "spheres/block_overlap.h"
#include "spheres/sphere_overlap.h"
#include "spheres/sphere_shares.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

/// A packing's first spheres in both trees.
struct Trees {
  SphereHierarchy published;
  SphereBlocks blocks;
};

struct Body {
  double volume = 0, size = 0;
  Vec3 center = Vec3::Zero();
  std::vector<std::pair<std::size_t, Trees>> trees;
};

Result<Body> make_body(const ClosedMesh& solid, const std::vector<std::size_t>& counts) {
  const Result<SpherePacking> packing = pack_spheres(solid, {.max_count = counts.back()});
  if (!packing) return packing.error();
  const MassProperties mass = mass_properties(solid);
  Body body;
  body.volume = mass.volume;
  body.center = mass.center_of_mass;
  for (const std::size_t count : counts) {
    const std::span<const PlacedSphere> spheres =
        std::span(packing->spheres).first(std::min(count, packing->spheres.size()));
    const Result<SphereShares> shares = share_solid(solid, spheres, 200);
    if (!shares) return shares.error();
    Trees trees{make_sphere_hierarchy(spheres, shares->shares, SecondaryRadii::kShares, 4), {}};
    trees.blocks = make_sphere_blocks(trees.published);
    body.size = 2 * trees.published.nodes[0].radius;
    body.trees.emplace_back(spheres.size(), std::move(trees));
  }
  return body;
}

/// The body turned about its center of mass and moved along x.
Similarity turned(const Body& body, double angle, double along) {
  const Eigen::AngleAxisd turn(angle, Vec3(1, 2, 3).normalized());
  Similarity pose = Similarity::Identity();
  pose.linear() = turn.toRotationMatrix();
  pose.translation() = body.center + along * Vec3::UnitX() - turn * body.center;
  return pose;
}

constexpr double kTurn = 0.7;  // [rad]

/// How far to move so that the spheres share that part of their volume.
double place_for(const Body& body, double share) {
  const SphereHierarchy& tree = body.trees.front().second.published;
  SphereWalk walk;
  double low = 0, high = body.size;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    const PosedHierarchies bodies(tree, tree, turned(body, kTurn, middle));
    const double volume = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume;
    (volume > share * body.volume ? low : high) = middle;
  }
  return low;
}

void print(const std::string& scenario, std::size_t spheres, const std::vector<Row>& rows,
           const std::vector<double>& seconds, double calls) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf("%s,%zu,%s,%.4g,%.4g\n", scenario.c_str(), spheres, rows[i].system.c_str(),
                1e3 * seconds[i] / calls, seconds[i] / seconds[rows[i].ours]);
  std::fflush(stdout);
}

void measure_volume(const std::string& scenario, const Body& body, const Trees& trees,
                    std::size_t spheres, double share, int rounds) {
  const Similarity pose = turned(body, kTurn, place_for(body, share));
  SphereWalk walk;
  BlockOverlapSearch search;
  const PosedHierarchies bodies(trees.published, trees.published, pose);
  const PosedBlocks blocks(trees.blocks, trees.blocks, pose);
  const std::vector<Row> rows = {
      {"published", 1, 1,
       [&] { sink = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume; }},
      {"blocks", 1, 1, [&] { sink = search.find(blocks, NodeBall::kSecondary).volume; }}};
  print(scenario, spheres, rows, time_interleaved(rows, rounds), 1);
}

/// A path past the other body, a thousand steps a second: each turns by 0.03 degrees and moves by
/// 1e-4 of the size.
std::vector<Similarity> path_of(const Body& body, double gap) {
  const double start = place_for(body, 1e-9) + gap * body.size;
  std::vector<Similarity> poses;
  for (int i = 0; i < 200; ++i) {
    Similarity pose = turned(body, kTurn + 5.2e-4 * i, start);
    pose.translation() += 1e-4 * i * body.size * Vec3(0.6, 0.8, 0);
    poses.push_back(pose);
  }
  return poses;
}

void measure_distance(const std::string& scenario, const Body& body, const Trees& trees,
                      std::size_t spheres, double gap, int rounds) {
  const std::vector<Similarity> path = path_of(body, gap);
  SphereWalk walk;
  const auto ask = [&] {
    std::optional<SpherePair> last;
    for (const Similarity& pose : path) {
      const PosedHierarchies bodies(trees.published, trees.published, pose);
      const SphereDistance found = sphere_distance(bodies, walk, last);
      last = found.nearest;
      sink = found.distance;
    }
  };
  const std::vector<Row> rows = {{"published", 1, 0, ask}};
  print(scenario, spheres, rows, time_interleaved(rows, rounds), static_cast<double>(path.size()));
}

/// How many primary spheres meet; forces are sums over these pairs.
void measure_meeting(const std::string& scenario, const Body& body, const Trees& trees,
                     std::size_t spheres, int rounds) {
  const Similarity pose = turned(body, kTurn, place_for(body, 0.1));
  SphereWalk walk;
  BlockOverlapSearch search;
  const PosedHierarchies bodies(trees.published, trees.published, pose);
  const PosedBlocks blocks(trees.blocks, trees.blocks, pose);
  const auto count = [](const auto& visit) {
    std::size_t pairs = 0;
    visit(pairs);
    sink = static_cast<double>(pairs);
  };
  const std::vector<Row> rows = {{"published", 1, 1,
                                  [&] {
                                    count([&](std::size_t& pairs) {
                                      visit_meeting_spheres(bodies, walk,
                                                            [&](SpherePair, double) { ++pairs; });
                                    });
                                  }},
                                 {"blocks", 1, 1, [&] {
                                    count([&](std::size_t& pairs) {
                                      search.visit_meeting(blocks, [&](SpherePair) { ++pairs; });
                                    });
                                  }}};
  print(scenario, spheres, rows, time_interleaved(rows, rounds), 1);
}

Result<void> measure(const std::string& name, const ClosedMesh& solid, int rounds) {
  const Result<Body> body = make_body(solid, {5'000, 50'000, 250'000});
  if (!body) return body.error();
  for (const auto& [spheres, trees] : body->trees) {
    for (const auto& [scene, share] : {std::pair("light", 0.02), {"medium", 0.1}, {"heavy", 0.5}})
      measure_volume(name + '_' + scene, *body, trees, spheres, share, rounds);
    for (const auto& [scene, gap] : {std::pair("gap_1", 0.01), {"gap_10", 0.1}})
      measure_distance(name + "_distance_" + scene, *body, trees, spheres, gap, rounds);
    measure_meeting(name + "_meeting", *body, trees, spheres, rounds);
  }
  return {};
}

Result<void> run(const Options& options) {
  std::puts("scenario,spheres,system,ms,ratio_to_ours");
  for (const char* name : {"bunny00.off", "elephant.off", "armadillo.off"}) {
    if (!options.only.empty() && options.only != name) continue;
    const Result<MeshFile> mesh = read_mesh(options.cache + "/cgal/" + name);
    if (!mesh) continue;
    const Result<ClosedMesh> solid = ClosedMesh::from_triangles(mesh->mesh);
    if (!solid) return solid.error();
    if (const Result<void> done = measure(name, *solid, options.rounds); !done) return done;
  }
  if (!options.only.empty() && options.only != "knot") return {};
  const Result<ClosedMesh> knot = ClosedMesh::from_triangles(make_torus_knot({}, 400, 80));
  return knot ? measure("knot", *knot, options.rounds) : knot.error();
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  return plimsoll::bench::run_with_options(argc, argv, plimsoll::bench::run);
}
