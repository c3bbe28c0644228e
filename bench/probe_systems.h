// What tells the nearest point of a mesh and what a ray meets first. Each system is made for one
// mesh and answers one question after the other.
#pragma once

#include <plimsoll/surface_queries.h>

#include <functional>
#include <string>

namespace plimsoll::bench {

/// `tolerance` is in sizes, beyond which its answers are wrong.
struct PointSystem {
  std::string name;
  std::function<double(const Vec3&)> distance;
  double tolerance;
};
struct RaySystem {
  std::string name;
  /// In lengths of the direction; infinite where it meets nothing.
  std::function<double(const Ray&)> along;
  double tolerance;
};

/// CGAL::AABB_tree of doubles, accelerated by its tree of corners: closest_point.
[[nodiscard]] PointSystem cgal_point_system(const TriangleMesh& mesh);

/// rtcIntersect1 in floats, of a robust scene.
[[nodiscard]] RaySystem embree_ray_system(const TriangleMesh& mesh);

}  // namespace plimsoll::bench
