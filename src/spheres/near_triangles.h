// What the triangles that spheres keep tell of two bodies: their distance [Weller2009, sec. 4.1.2],
// and some triangles that touch [Weller2009, sec. 4].
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/pairs.h>
#include <plimsoll/types.h>

#include <array>
#include <cstdint>
#include <optional>
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
  [[nodiscard]] std::size_t memory() const { return balls_.size() * sizeof(PlacedSphere); }

 private:
  CheckedMesh mesh_;
  std::vector<PlacedSphere> balls_;
};

/// A body: its spheres' hierarchy, what they keep, and the triangles.
struct SphereBody {
  const SphereHierarchy& hierarchy;
  const SphereShares& shares;
  const BalledTriangles& triangles;
  double protrusion;  ///< No point of the solid is farther from its spheres [m].
};

struct TriangleGap {
  bool found = false;                         ///< Else no two triangles are nearer than the limit.
  double distance = 0, lower = 0, upper = 0;  ///< In the frame of `a` [m].
  /// That far apart, in the frame of `a`; nothing where triangles touch or cross.
  std::optional<Vec3> point_a = std::nullopt, point_b = std::nullopt;
};

/// What a search that may end early knows.
struct TriangleGapSoFar {
  TriangleGap gap;          ///< `lower` holds wherever the search ended.
  double parts_lower = 0;   ///< The parts of the solids are no nearer, whole as they are [m].
  bool is_complete = true;  ///< The gap is that of a whole search.
};

/// How far the triangles of leaves reach along a direction, found for those that are asked for.
class PlacedLeaves {
 public:
  struct Place {
    double along;  ///< The most of its corners along the direction.
    std::uint32_t triangle;
  };

  struct Leaf {
    double farthest;                   ///< The most of all.
    std::span<const Place> triangles;  ///< Good until the next call.
  };

  /// What a leaf keeps; nothing where may_go_on(), asked once for 64 triangles that are placed, is
  /// false. The direction is the same for all calls since clear().
  template <class MayGoOn>
  [[nodiscard]] std::optional<Leaf> of(const SphereBody& body, std::uint32_t leaf,
                                       const Vec3& direction, const MayGoOn& may_go_on);
  void clear();

 private:
  struct Range {
    double farthest;
    std::size_t begin, end;
  };
  std::vector<std::uint32_t> range_of_;  // of each node; kNoIndex: not asked for
  std::vector<std::uint32_t> leaves_;    // that were asked for
  std::vector<Range> ranges_;
  std::vector<Place> places_;
};

/// Keeps its memory from one search to the next; one thread at a time.
class NearTriangleSearch {
 public:
  /// The least distance of triangles of spheres whose parts may be nearer than `limit`. Each point
  /// of a surface lies on a triangle of a sphere within whose reach it is: so what is found is the
  /// distance of the surfaces, where that is below the limit. 0 where surfaces touch or cross.
  [[nodiscard]] TriangleGap find(const SphereBody& a, const SphereBody& b, const RelativePose& pose,
                                 double limit);

  /// The same, while steps may be taken: one for each pair of nodes that is opened, for each pair
  /// of triangles, and for 64 triangles that are looked at. The triangles of `first`, if these
  /// are leaves, come first [Weller2009, sec. 4.1.2]; then the parts that may be nearest.
  [[nodiscard]] TriangleGapSoFar find(const SphereBody& a, const SphereBody& b,
                                      const RelativePose& pose, double limit, SpherePair first,
                                      StepLimit& steps);

  /// Pairs of triangles that touch, posed by posed() and decided exactly, of those that two meeting
  /// primary spheres keep: ascending, each once, good until the next call. Some are missing.
  /// Nothing where it takes more than `max_work` [us], which is counted.
  [[nodiscard]] std::optional<std::span<const TrianglePair>> touching(
      const SphereBody& a, const Similarity& world_from_a, const SphereBody& b,
      const Similarity& world_from_b, double max_work);

 private:
  class Run;

  SphereWalk walk_;
  PlacedLeaves placed_a_, placed_b_;
  std::vector<std::uint64_t> tested_;  // some of the pairs that were tested
  std::vector<TrianglePair> touching_;
};

}  // namespace plimsoll
