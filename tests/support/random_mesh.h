// Closed meshes of every unpleasant kind, drawn from a seed.
#pragma once

#include <plimsoll/mesh_generators.h>

#include <cmath>

#include "core/random.h"

namespace plimsoll::test {

inline Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

inline Mat3 random_turn(Random& random) {
  return Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                            random.uniform(-1, 1))
      .normalized()
      .toRotationMatrix();
}

/// Turned at random, then moved by up to `reach` along each axis.
inline Similarity random_similarity(Random& random, double reach, double scale = 1) {
  Similarity pose = Similarity::Identity();
  pose.linear() = scale * random_turn(random);
  pose.translation() = reach * random_vector(random);
  return pose;
}

inline TriangleMesh random_shape(Random& random) {
  switch (random.below(5)) {
    case 0:
      return make_box({1, 1, 1});
    case 1:
      return make_sphere(1, 2 + static_cast<int>(random.below(6)),
                         3 + static_cast<int>(random.below(7)));
    case 2:
      return make_torus(1, 0.4, 3 + static_cast<int>(random.below(6)),
                        3 + static_cast<int>(random.below(6)));
    case 3:
      return make_cone(1, 2, 3 + static_cast<int>(random.below(9)));
    default: {  // a thin wall: the same shape twice, the inner one a little smaller, turned inward
      TriangleMesh wall = make_sphere(1, 5, 7);
      const double thickness = std::pow(10.0, random.uniform(-9, -1));
      const auto outer = static_cast<std::uint32_t>(wall.vertices.size());
      const std::size_t triangles = wall.triangles.size();
      for (std::uint32_t v = 0; v < outer; ++v)
        wall.vertices.push_back(wall.vertices[v] * (1 - thickness));
      for (std::size_t t = 0; t < triangles; ++t) {
        const Triangle v = wall.triangles[t];
        wall.triangles.push_back({v[0] + outer, v[2] + outer, v[1] + outer});
      }
      return wall;
    }
  }
}

/// Any shape, its vertices shaken, stretched into slivers by up to 1e-6, turned, of a size between
/// 1e-6 and 1e6, up to 1e8 sizes away from the origin, and one in four turned inward.
inline TriangleMesh random_closed_mesh(Random& random) {
  TriangleMesh mesh = random_shape(random);
  const double shake = random.below(2) == 0 ? 0 : random.uniform(0, 0.3);
  Vec3 stretch = Vec3::Ones();
  if (random.below(2) == 0) stretch[0] = std::pow(10.0, random.uniform(-6, 0));
  const Mat3 turn = random_turn(random);
  const double size = std::pow(10.0, random.uniform(-6, 6));
  const double distance = random.below(3) == 0 ? 0 : size * std::pow(10.0, random.uniform(-2, 8));
  const Vec3 offset = random_vector(random) * distance;
  for (Vec3& v : mesh.vertices) {
    const Vec3 shaken = v + shake * random_vector(random);
    v = size * (turn * stretch.cwiseProduct(shaken)) + offset;
  }
  if (random.below(4) == 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace plimsoll::test
