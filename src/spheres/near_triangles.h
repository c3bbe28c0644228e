// What the triangles that spheres keep tell of two bodies: their distance [Weller2009, sec. 4.1.2],
// and some triangles that touch [Weller2009, sec. 4].
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/pairs.h>
#include <plimsoll/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spheres/sphere_distance.h"
#include "spheres/sphere_shares.h"

namespace plimsoll {

/// The triangles of a body, each with a ball around it.
class BalledTriangles {
 public:
  explicit BalledTriangles(const CheckedMesh& mesh);

  [[nodiscard]] std::array<Vec3, 3> corners(std::uint32_t triangle) const {
    const MeshView& view = mesh_.view();
    const Triangle v = view.triangle(triangle);
    return {view.vertex(v[0]), view.vertex(v[1]), view.vertex(v[2])};
  }
  [[nodiscard]] const Vec3& center(std::uint32_t triangle) const { return balls_[triangle].center; }
  [[nodiscard]] double radius(std::uint32_t triangle) const { return balls_[triangle].radius; }
  [[nodiscard]] std::size_t memory() const { return balls_.size() * sizeof(InnerSphere); }

 private:
  CheckedMesh mesh_;
  std::vector<InnerSphere> balls_;
};

/// A body: its spheres' hierarchy, what they keep, and the triangles.
struct SphereBody {
  const SphereHierarchy& hierarchy;
  const SphereShares& shares;
  const BalledTriangles& triangles;
};

struct TriangleGap {
  bool found = false;                         ///< Else no two triangles are nearer than the limit.
  double distance = 0, lower = 0, upper = 0;  ///< In the frame of `a` [m].
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< That far apart, in the frame of `a`.
};

/// Keeps its memory from one search to the next; one thread at a time.
class NearTriangleSearch {
 public:
  /// The least distance of triangles of spheres whose parts may be nearer than `limit`. Each point
  /// of a surface lies on a triangle of a sphere within whose reach it is: so what is found is the
  /// distance of the surfaces, where that is below the limit. 0 where surfaces touch or cross.
  [[nodiscard]] TriangleGap find(const SphereBody& a, const SphereBody& b,
                                 const Similarity& a_from_b, double limit);

  /// Pairs of triangles that touch, posed by posed() and decided exactly, of those that two meeting
  /// primary spheres keep: ascending, each once, good until the next call. Some are missing.
  [[nodiscard]] std::span<const TrianglePair> touching(const SphereBody& a,
                                                       const Similarity& world_from_a,
                                                       const SphereBody& b,
                                                       const Similarity& world_from_b);

 private:
  /// A triangle in the frame of `a`, and how far it reaches along a direction to the other body.
  struct PlacedTriangle {
    std::uint32_t triangle;
    double nearest;
    std::array<Vec3, 3> corners;
  };

  void place_along(const SphereBody& a, const SphereBody& b, const PosedHierarchies& bodies,
                   const Vec3& direction);
  void gather(const SphereBody& a, const SphereBody& b, const PosedHierarchies& bodies,
              SpherePair leaves, double limit);

  SphereWalk walk_;
  // Triangles that a pair of leaves keeps, and that may be nearer to the other leaf's part than the
  // limit.
  std::vector<std::uint32_t> near_a_, near_b_;
  std::vector<PlacedTriangle> along_a_, along_b_;  // the same; those of `a` nearest first
  std::vector<TrianglePair> touching_;
};

}  // namespace plimsoll
