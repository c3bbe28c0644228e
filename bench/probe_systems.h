// What tells the nearest point of a mesh and what a ray meets first. Each system is made for one
// mesh and answers one question after the other, or a list of them.
#pragma once

#include <plimsoll/surface_queries.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::bench {

/// `tolerance` is in sizes, beyond which its answers are wrong.
struct PointSystem {
  std::string name;
  std::function<double(const Vec3&)> distance;
  double tolerance;
};
/// Answers are in lengths of the direction; infinite where a ray meets nothing.
struct RaySystem {
  std::string name;
  std::function<double(const Ray&)> along;
  double tolerance;
};
struct RayListSystem {
  std::string name;
  /// Writes an answer for each ray.
  std::function<void(std::span<const Ray>, std::span<double>)> along;
  double tolerance;
};

/// CGAL::AABB_tree of doubles, accelerated by its tree of corners: closest_point.
[[nodiscard]] PointSystem cgal_point_system(const TriangleMesh& mesh);

/// One robust scene in floats.
struct EmbreeSystems {
  PointSystem points;           ///< rtcPointQuery, with the nearest point of a triangle in floats.
  RaySystem rays;               ///< rtcIntersect1.
  RayListSystem packets_of_16;  ///< rtcIntersect16.
  RayListSystem stream;         ///< rtcIntersect1M of all rays.
};
[[nodiscard]] EmbreeSystems embree_systems(const TriangleMesh& mesh);

}  // namespace plimsoll::bench
