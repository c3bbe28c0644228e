#include "distance_systems.h"

#include <plimsoll/distance.h>

#include <limits>
#include <utility>

#include "checked.h"
#include "harness.h"

namespace plimsoll::bench {
namespace {

RigidMap map_of(const Similarity& pose) { return {pose.linear(), pose.translation()}; }

double distance_of(SweptSpheres& memory, const SweptSphereTrees& trees, const PosedPair& pair) {
  memory.last =
      memory.search.find(trees.a, map_of(pair.world_from_a), trees.b, map_of(pair.world_from_b),
                         memory.last ? &*memory.last : nullptr);
  return memory.last->nearest.distance;
}

}  // namespace

TwoTrees trees_of(const TwoMeshes& meshes) {
  const MeshTree a(checked(meshes.a)), b(checked(meshes.b));
  return {DistanceTree(a), DistanceTree(b), a.box().sizes().maxCoeff()};
}

DistanceSystem our_system(const TwoTrees& trees) {
  struct Memory {
    DistanceSearch search;
    SurfaceDistance last;
  };
  const auto memory = std::make_shared<Memory>();
  return {"distance",
          [&trees, memory](const PosedPair& pair) {
            const DistanceLimits limits{.last = &memory->last};
            Result<SurfaceDistance> found =
                memory->search.find(trees.a, pair.world_from_a, trees.b, pair.world_from_b, limits);
            if (!found) return std::numeric_limits<double>::quiet_NaN();
            memory->last = *found;
            return found->distance;
          },
          [memory] { memory->last = SurfaceDistance(); }};
}

std::vector<SweptSphereSystem> swept_sphere_systems(const SweptSphereTrees& trees) {
  std::vector<SweptSphereSystem> systems;
  for (const auto& [name, order] :
       {std::pair{"swept_spheres", SweptSphereSearch::Order::kDepthFirst},
        std::pair{"swept_spheres_queue", SweptSphereSearch::Order::kNearestFirst}}) {
    const auto memory = std::make_shared<SweptSpheres>(SweptSpheres{SweptSphereSearch(order), {}});
    systems.push_back(
        {{name,
          [&trees, memory](const PosedPair& pair) { return distance_of(*memory, trees, pair); },
          [memory] { memory->last.reset(); }},
         memory});
  }
  return systems;
}

std::vector<DistanceFigures> time_systems(const std::vector<DistanceSystem>& systems,
                                          const Questions& questions, int rounds) {
  const std::size_t per_block = questions.blocks.front().counted.size();
  const std::size_t poses = questions.blocks.size() * per_block;
  std::vector<std::vector<std::vector<double>>> samples(systems.size(),
                                                        std::vector<std::vector<double>>(poses));
  std::vector<DistanceFigures> figures(systems.size());
  for (DistanceFigures& of : figures) of.distances.resize(poses);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t block = 0; block < questions.blocks.size(); ++block)
      for (std::size_t s = 0; s < systems.size(); ++s)
        ask(systems[s], questions.blocks[block], questions.is_cold,
            [&](std::size_t i, const PosedPair& pair) {
              const std::size_t pose = block * per_block + i;
              const double start = seconds_now(1);
              figures[s].distances[pose] = systems[s].distance(pair);
              samples[s][pose].push_back(seconds_now(1) - start);
            });
  for (std::size_t s = 0; s < systems.size(); ++s)
    for (const std::vector<double>& of_pose : samples[s])
      figures[s].seconds.push_back(median(of_pose));
  return figures;
}

}  // namespace plimsoll::bench
