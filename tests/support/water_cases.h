// Bodies and surfaces that the tests of buoyancy by image share.
#pragma once

#include <plimsoll/fluid_surface.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>

#include <memory>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll::test {

inline Shape solid(const TriangleMesh& mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(mesh)}};
}

inline Pose random_pose(Random& random, double reach) {
  const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  Pose pose = Pose::Identity();
  pose.linear() =
      Eigen::AngleAxisd(random.uniform(0, 2 * std::numbers::pi), axis.normalized()).matrix();
  for (int i = 0; i < 3; ++i) pose.translation()[i] = random.uniform(-reach, reach);
  return pose;
}

/// Still water, waves, or a rough grid, in turn.
inline FluidSurface random_surface(Random& random, int kind) {
  if (kind % 3 == 0) return StillWater{random.uniform(-0.5, 0.5)};
  if (kind % 3 == 1) {
    Waves waves{random.uniform(-0.2, 0.2), {}};
    for (int i = 0; i < 3; ++i)
      waves.components.push_back({random.uniform(0, 0.1), random.uniform(0.8, 3),
                                  random.uniform(0, 360), random.uniform(0, 6)});
    return waves;
  }
  HeightGrid grid{{-2, -2}, {0.5, 0.4}, 9, 11, {}};
  for (int i = 0; i < 99; ++i) grid.heights.push_back(random.uniform(-0.2, 0.2));
  return grid;
}

/// Boxes of edge 1, the corners of least coordinates given: shells of one mesh.
inline TriangleMesh boxes_at(const std::vector<Vec3>& corners) {
  const TriangleMesh box = make_box({1, 1, 1});
  const Vec3 low = bounding_box(test::checked(box)).min();
  TriangleMesh boxes;
  for (const Vec3& corner : corners) boxes = joined(boxes, moved(moved(box, -low), corner));
  return boxes;
}

/// The box from 0 to 1 without the face that looks up, or down.
inline TriangleMesh open_box(double without_z = 1) {
  TriangleMesh box = boxes_at({Vec3::Zero()});
  std::erase_if(box.triangles, [&](const Triangle& t) {
    return box.vertices[t[0]][2] == without_z && box.vertices[t[1]][2] == without_z &&
           box.vertices[t[2]][2] == without_z;
  });
  return box;
}

}  // namespace plimsoll::test
