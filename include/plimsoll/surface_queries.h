// What of a body's surface is nearest to a point, what a ray meets first, how often the surface
// winds around a point, and how far from a solid's surface and on which side of it a point is.
//
//   const MeshTree rock(*CheckedMesh::from_triangles(mesh));
//   Result<SurfaceProbe> probe = SurfaceProbe::of(rock, world_from_rock);  // once for a thread
//   const Result<NearestOnSurface> floor = probe->nearest(point);
//
// All is of the triangles as posed() takes and rounds their vertices, in meters and in the world.
// Surfaces may be open, torn or soups, but for what asks for a solid.
#pragma once

#include <plimsoll/distance.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

struct NearestOnSurface {
  double distance = std::numeric_limits<double>::infinity();  ///< [m]
  /// The true distance is no less than `lower` and no more than `upper` [m].
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  /// Nothing where the surface is farther away than was asked, or has no triangles.
  std::optional<NearestPoint> at;
};

/// How far a point is from the surface of a solid.
struct SignedDistance {
  double distance = 0;       ///< Below 0 in the solid, 0 on its surface [m].
  NearestOnSurface nearest;  ///< With bounds of its absolute value.
};

/// The points origin + x direction, x >= 0. Not 0, of any length.
struct Ray {
  Vec3 origin = Vec3::Zero();  ///< [m]
  Vec3 direction = Vec3::UnitX();
};

struct RayHit {
  double along = 0;            ///< In lengths of the direction; infinite where that is no double.
  Vec3 at = Vec3::Zero();      ///< [m]
  std::uint32_t triangle = 0;  ///< Its number in the mesh; of several there the least.
  /// Whether the ray comes from where the triangle's corners are seen clockwise. False also where
  /// it runs within the triangle's plane.
  bool from_behind = false;
};

/// A body in its place. Keeps the triangles that it posed, and what it found last, so that
/// questions about the same region are fast; one thread at a time. Copies nothing of the mesh, and
/// keeps the tree alive. Make it anew where the body has moved.
class SurfaceProbe {
 public:
  /// Errors: `InvalidArgument` unless check_pose accepts the pose, and where a posed coordinate may
  /// exceed 1e300.
  [[nodiscard]] static Result<SurfaceProbe> of(
      const MeshTree& triangles, const Similarity& world_from_mesh = Similarity::Identity());
  SurfaceProbe(SurfaceProbe&&) noexcept;
  SurfaceProbe& operator=(SurfaceProbe&&) noexcept;
  ~SurfaceProbe();

  /// The point of the surface that is nearest, of several the same whatever was asked before;
  /// beyond `farthest` [m] it is not looked for, and `lower` is that. Errors: `InvalidArgument` for
  /// points of coordinates that are no numbers or exceed 1e300, and for limits that are no numbers
  /// or below 0. O(log n) for points near the surface; far away more, and O(n) where all is as near
  /// as in the center of a ball.
  [[nodiscard]] Result<NearestOnSurface> nearest(
      const Vec3& point, double farthest = std::numeric_limits<double>::infinity());

  /// The first point of the surface on the ray, up to `farthest` lengths of its direction. Which
  /// triangles the ray meets is decided exactly, of the ray through the two points origin and
  /// origin + x direction, the second rounded, which turns it by less than 2^-50: triangles are
  /// closed sets, so it passes between no two that share an edge, and one that only grazes a corner
  /// is met. `along` and `at` are rounded. Errors: as nearest; `InvalidArgument` for a direction
  /// that is 0. O(log n) where few boxes are in the way.
  [[nodiscard]] Result<std::optional<RayHit>> first_hit(
      const Ray& ray, double farthest = std::numeric_limits<double>::infinity());

  /// How often a closed surface winds around the point, decided exactly: 0 outside, 1 inside where
  /// its triangles are seen counterclockwise from outside. For points on the surface it means
  /// nothing. Errors: as signed_distance.
  [[nodiscard]] Result<int> winding_number(const Vec3& point);

  /// How often any surface winds around the point: the solid angle that it is seen under, over 4 pi
  /// [Jacobson2013]. Of a closed one that is winding_number; of one with holes it is near 1 where a
  /// solid would be, near 0 outside, and 1/2 says where inside ends. Rounded by some 1e-15 of the
  /// number of edges without a partner. For points on the surface it means nothing. Errors: as
  /// nearest. O(log n + edges without a partner); the first time O(n log n).
  [[nodiscard]] Result<double> generalized_winding_number(const Vec3& point);

  /// How far the point is from the surface, below 0 where the surface winds around it, however
  /// often: decided exactly. Errors: as nearest; `NotClosed` for a surface with edges that have no
  /// partner: its distance has no sign. O(log n) as nearest; the first time O(n log n).
  [[nodiscard]] Result<SignedDistance> signed_distance(const Vec3& point);

  /// Whether the point is in the solid or on its surface, decided exactly. Errors: as
  /// signed_distance.
  [[nodiscard]] Result<bool> contains(const Vec3& point);

 private:
  struct State;
  explicit SurfaceProbe(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The same of many points or rays, on all threads, in an order along a curve, so that each begins
/// with what its neighbor found: 0.4 to 1.1 of the time of single questions. Errors: also of the
/// first that is refused, by its number.
[[nodiscard]] Result<std::vector<NearestOnSurface>> nearest_on_surface(
    const MeshTree& triangles, const Similarity& world_from_mesh, std::span<const Vec3> points,
    double farthest = std::numeric_limits<double>::infinity());
[[nodiscard]] Result<std::vector<std::optional<RayHit>>> first_hits(
    const MeshTree& triangles, const Similarity& world_from_mesh, std::span<const Ray> rays,
    double farthest = std::numeric_limits<double>::infinity());
[[nodiscard]] Result<std::vector<int>> winding_numbers(const MeshTree& triangles,
                                                       const Similarity& world_from_mesh,
                                                       std::span<const Vec3> points);
[[nodiscard]] Result<std::vector<double>> generalized_winding_numbers(
    const MeshTree& triangles, const Similarity& world_from_mesh, std::span<const Vec3> points);
[[nodiscard]] Result<std::vector<SignedDistance>> signed_distance(const MeshTree& triangles,
                                                                  const Similarity& world_from_mesh,
                                                                  std::span<const Vec3> points);
/// 1 for points in the solid or on its surface, else 0.
[[nodiscard]] Result<std::vector<char>> contains(const MeshTree& triangles,
                                                 const Similarity& world_from_mesh,
                                                 std::span<const Vec3> points);

}  // namespace plimsoll
