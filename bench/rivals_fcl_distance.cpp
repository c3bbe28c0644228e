#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <memory>

#include "distance_systems.h"

namespace plimsoll::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<const Model> converted(const TriangleMesh& mesh) {
  std::vector<fcl::Vector3d> vertices(mesh.vertices.begin(), mesh.vertices.end());
  std::vector<fcl::Triangle> triangles;
  for (const auto& [a, b, c] : mesh.triangles) triangles.emplace_back(a, b, c);
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

fcl::Transform3d pose_of(const Similarity& world_from_mesh) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() = world_from_mesh.linear();
  pose.translation() = world_from_mesh.translation();
  return pose;
}

}  // namespace

DistanceSystem fcl_distance_system(const TwoMeshes& meshes) {
  return {"fcl_obbrss",
          [a = converted(meshes.a), b = converted(meshes.b)](const PosedPair& pair) {
            const fcl::DistanceRequestd request(true);
            fcl::DistanceResultd result;
            return fcl::distance(a.get(), pose_of(pair.world_from_a), b.get(),
                                 pose_of(pair.world_from_b), request, result);
          },
          {}};
}

}  // namespace plimsoll::bench
