// Convex bodies, and the way after which two of them share nothing, exactly.
#pragma once

#include <plimsoll/mesh.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "support/random_mesh.h"

namespace plimsoll::test {

/// The convex hull of points, no four of them in one plane: each in turn takes the place of the
/// triangles that see it. Points within it are vertices without triangles.
inline TriangleMesh hull_of(std::vector<Vec3> points) {
  TriangleMesh mesh{std::move(points), {}};
  const auto sees = [&](const Triangle& t, std::uint32_t v) {
    const Vec3& a = mesh.vertices[t[0]];
    return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).dot(mesh.vertices[v] - a) > 0;
  };
  const bool is_turned = sees({0, 1, 2}, 3);
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  if (!is_turned)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  for (std::uint32_t v = 4; v < mesh.vertices.size(); ++v) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<Triangle> kept;
    for (const Triangle& t : mesh.triangles) {
      if (!sees(t, v)) {
        kept.push_back(t);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) edges.emplace(t[k], t[(k + 1) % 3]);
    }
    for (const auto& [from, to] : edges)
      if (!edges.contains({to, from})) kept.push_back({from, to, v});
    mesh.triangles = std::move(kept);
  }
  return mesh;
}

/// The hull of points on an ellipsoid whose half axes are 0.4 to 1 long.
inline TriangleMesh random_hull(Random& random, std::size_t points) {
  const Vec3 half_axes = Vec3::Constant(0.7) + 0.3 * random_vector(random);
  std::vector<Vec3> on_ellipsoid;
  while (on_ellipsoid.size() < points)
    on_ellipsoid.push_back(half_axes.cwiseProduct(random_vector(random).normalized()));
  return hull_of(std::move(on_ellipsoid));
}

/// The length of the shortest translation of A after which convex bodies share no volume.
///
/// A moved by v shares volume with B where v lies within the Minkowski difference B - A, which is
/// convex: the point of its border nearest to the origin lies in a face, and square to it. A face
/// of it has the normal of a face of B, of a face of A turned over, or one square to an edge of
/// each. Along other directions d it reaches to max_B(d x) - min_A(d x) as well, which is no less
/// than that distance: directions too many do no harm. O(edges of A * edges of B * vertices).
inline double least_separation(const TriangleMesh& a, const TriangleMesh& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto look_along = [&](Vec3 direction) {
    const double norm = direction.norm();
    if (!(norm > 0)) return;
    direction /= norm;
    double reach_b = -std::numeric_limits<double>::infinity(), start_a = -reach_b;
    for (const Vec3& v : b.vertices) reach_b = std::max(reach_b, v.dot(direction));
    for (const Vec3& v : a.vertices) start_a = std::min(start_a, v.dot(direction));
    least = std::min(least, std::max(reach_b - start_a, 0.0));
  };
  std::array<std::vector<Vec3>, 2> edges;
  for (const TriangleMesh* mesh : {&a, &b}) {
    for (const Triangle& t : mesh->triangles) {
      const Vec3 corner[3] = {mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]]};
      const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
      look_along(mesh == &a ? -normal : normal);
      for (std::size_t k = 0; k < 3; ++k)
        if (t[k] < t[(k + 1) % 3])
          edges[mesh == &a ? 0 : 1].push_back(corner[(k + 1) % 3] - corner[k]);
    }
  }
  for (const Vec3& of_a : edges[0]) {
    for (const Vec3& of_b : edges[1]) {
      const Vec3 normal = of_a.cross(of_b);
      look_along(normal);
      look_along(-normal);
    }
  }
  return least;
}

}  // namespace plimsoll::test
