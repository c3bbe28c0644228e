// Balls that together contain a solid: covers, for planners, which ask whether a link may touch
// anything.
//
//   const Result<ClosedMesh> link = ClosedMesh::from_triangles(triangles);  // may be an error
//   const Result<SphereCover> cover = cover_with_spheres(*link, {.max_count = 64});
//   for (const PlacedSphere& sphere : cover->spheres) use(sphere.center, sphere.radius);
//
// The solid is where the surface winds around a point. Lengths are the mesh's.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

struct CoverOptions {
  std::size_t max_count = 64;  ///< 1 to 10,000.
  double min_radius = 0;       ///< No sphere is smaller: fewer are used then [m].
  /// No sphere reaches out of it, or farther out than the solid does.
  std::optional<HalfSpace> keep = std::nullopt;
  /// Called by the calling thread now and then with the part of the search that is done, 0 to 1;
  /// false ends it: the answer is then the best cover so far. With `min_radius` there may be
  /// several searches.
  std::function<bool(double share)> progress = {};
};

/// Why a cover has no more spheres.
enum class CoverEnd {
  kCount,        ///< As many are used as was allowed, or as help.
  kRadius,       ///< With more, one would be smaller than `min_radius`.
  kInterrupted,  ///< `progress` asked for it.
};

/// Balls that contain a solid: proved. Each triangle of the surface was cut until every piece lay
/// in one of them, and the space inside until every cube did.
struct SphereCover {
  std::vector<PlacedSphere> spheres;  ///< The largest first.
  double solid_volume = 0;            ///< [m^3]
  /// No point of a sphere is farther from the solid: proved. The most by which a radius exceeds the
  /// depth of its center; where the solid is convex, a sphere does reach out so far [m].
  double largest_protrusion = 0;
  CoverEnd end = CoverEnd::kCount;
};

/// Finds balls about points of the solid that contain it, and reach out of it as little as was
/// found; docs/theory/covers.md. Which centers are best is a search without a guarantee: for boxes
/// it came within 3 % of what a regular arrangement gives, or below that, in any pose tried; beside
/// a plane to keep to, within 23 %. The same for any number of threads. Errors: `InvalidArgument`
/// for options out of range, for a solid whose volume is 0 or no double, or that is thinner than
/// 2^-24 of its size everywhere, and where no cover is found that keeps to the half space;
/// `ResourceLimit` where no cover is proved by 2^24 pieces of the surface, or of space. Some
/// seconds for 64 spheres of 70,000 triangles, and a minute for 1,000.
[[nodiscard]] Result<SphereCover> cover_with_spheres(const ClosedMesh& solid,
                                                     const CoverOptions& options = {});

/// A solid between spheres inside it, as pack_spheres finds them, and spheres that contain it.
struct SpheresAround {
  std::span<const PlacedSphere> inner, cover;  ///< Neither is empty.
};

struct SphereDistanceBounds {
  double lower = 0,
         upper = 0;  ///< Enclose the distance of the solids [m]; 0 where they share a point.
};

/// How far two solids are apart at least, as their covers are, and at most, as the spheres inside
/// are: proved, whatever the solids, without their surfaces. Rounded outward. Errors:
/// `InvalidArgument` unless check_pose (shape.h) accepts both poses, and for no spheres. O(n m) for
/// n spheres and m.
[[nodiscard]] Result<SphereDistanceBounds> distance_bounds(const SpheresAround& a,
                                                           const Similarity& world_from_a,
                                                           const SpheresAround& b,
                                                           const Similarity& world_from_b);

}  // namespace plimsoll
