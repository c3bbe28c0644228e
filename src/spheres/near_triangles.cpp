#include "spheres/near_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mesh/posed_vertex.h"
#include "pairs/triangle_pair.h"
#include "proximity/triangle_distance.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TripleCorners<double> triple(const std::array<Vec3, 3>& corners) {
  TripleCorners<double> rows;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) rows[k][i] = corners[k][static_cast<Eigen::Index>(i)];
  return rows;
}

Vec3 vector(const Triple<double>& x) { return {x[0], x[1], x[2]}; }

}  // namespace

BalledTriangles::BalledTriangles(const CheckedMesh& mesh) : mesh_(mesh) {
  balls_.resize(mesh.view().triangle_count());
  for (std::uint32_t t = 0; t < balls_.size(); ++t) {
    const std::array<Vec3, 3> corner = corners(t);
    Box3 box;
    for (const Vec3& p : corner) box.extend(p);
    balls_[t].center = box.center();
    for (const Vec3& p : corner)
      balls_[t].radius = std::max(balls_[t].radius, (p - balls_[t].center).norm() * (1 + 0x1p-50));
  }
}

namespace {

std::span<const std::uint32_t> triangles_of(const SphereBody& body, std::uint32_t leaf) {
  const std::uint32_t sphere = body.hierarchy.nodes[leaf].first;
  const std::size_t begin = body.shares.first_triangle[sphere];
  return std::span(body.shares.triangles)
      .subspan(begin, body.shares.first_triangle[sphere + 1] - begin);
}

/// How far triangles are apart along a direction of any length: no farther than they are.
double separation(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                  const Vec3& direction) {
  const double from = std::max({direction.dot(a[0]), direction.dot(a[1]), direction.dot(a[2])});
  const double to = std::min({direction.dot(b[0]), direction.dot(b[1]), direction.dot(b[2])});
  return (to - from) / direction.norm();
}

}  // namespace

PlacedLeaves::Leaf PlacedLeaves::of(const SphereBody& body, std::uint32_t leaf,
                                    const Vec3& direction) {
  if (range_of_.size() < body.hierarchy.nodes.size())
    range_of_.resize(body.hierarchy.nodes.size(), kNoIndex);
  if (range_of_[leaf] == kNoIndex) {
    range_of_[leaf] = static_cast<std::uint32_t>(ranges_.size());
    leaves_.push_back(leaf);
    Range range{-kInfinite, places_.size(), places_.size()};
    for (const std::uint32_t t : triangles_of(body, leaf)) {
      const auto [p, q, r] = body.triangles.corners(t);
      places_.push_back({std::max({direction.dot(p), direction.dot(q), direction.dot(r)}), t});
      range.farthest = std::max(range.farthest, places_.back().along);
    }
    range.end = places_.size();
    ranges_.push_back(range);
  }
  const Range& range = ranges_[range_of_[leaf]];
  return {range.farthest, std::span(places_).subspan(range.begin, range.end - range.begin)};
}

void PlacedLeaves::clear() {
  for (const std::uint32_t leaf : leaves_) range_of_[leaf] = kNoIndex;
  leaves_.clear();
  ranges_.clear();
  places_.clear();
}

// Near the nearest points, surfaces lie across the line between them. So most pairs of triangles
// are told apart along that line, and most pairs of leaves by their nearest triangles there.
TriangleGap NearTriangleSearch::find(const SphereBody& a, const SphereBody& b,
                                     const Similarity& a_from_b, double limit) {
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, a_from_b);
  const double room = bodies.rounding();
  TriangleGap gap;
  gap.distance = gap.lower = limit;
  Vec3 along = Vec3::Zero();  // from a to b, of length 1 or 0
  const auto turn_to = [&](const Vec3& direction) {
    along = direction.stableNormalized();
    placed_a_.clear();
    placed_b_.clear();
  };
  tested_.assign(kTested, kNoPair);
  // Whether a pair has been tested. Some are forgotten, and tested again.
  const auto is_tested = [&](std::uint32_t ta, std::uint32_t tb) {
    const std::uint64_t pair = std::uint64_t{ta} << 32 | tb;
    return std::exchange(tested_[(pair * 0x9E3779B97F4A7C15u) >> (64 - kTestedBits)], pair) == pair;
  };
  visit_near_parts(bodies, walk_, limit, [&](SpherePair pair, double) {
    if (along.isZero(0)) turn_to(bodies.b_center(pair.b) - bodies.a(pair.a).center);
    const double origin = along.dot(bodies.from_b(Vec3::Zero()));
    const PlacedLeaves::Leaf of_a = placed_a_.of(a, pair.a, along);
    const PlacedLeaves::Leaf of_b = placed_b_.of(b, pair.b, -bodies.direction_in_b(along));
    const auto are_apart = [&](double along_a, double along_b) {
      return origin - along_b - along_a > gap.distance + room;
    };
    std::optional<Vec3> nearer;
    for (const PlacedLeaves::Place& at_b : of_b.triangles) {
      if (are_apart(of_a.farthest, of_b.farthest)) break;
      if (are_apart(of_a.farthest, at_b.along)) continue;
      const std::uint32_t tb = at_b.triangle;
      const Vec3 center = bodies.from_b(b.triangles.center(tb));
      const double radius = bodies.scale() * b.triangles.radius(tb);
      for (const PlacedLeaves::Place& at_a : of_a.triangles) {
        if (are_apart(at_a.along, at_b.along)) continue;
        const std::uint32_t ta = at_a.triangle;
        if ((a.triangles.center(ta) - center).norm() - a.triangles.radius(ta) - radius >
                gap.distance + room ||
            is_tested(ta, tb))
          continue;
        const std::array<Vec3, 3> corners_a = a.triangles.corners(ta);
        std::array<Vec3, 3> corners_b = b.triangles.corners(tb);
        for (Vec3& p : corners_b) p = bodies.from_b(p);
        if (separation(corners_a, corners_b, center - a.triangles.center(ta)) > gap.distance + room)
          continue;
        if (meeting_of(corners_a, corners_b) != Meeting::kApart) {
          gap = {true, 0, 0, room, corners_a[0], corners_a[0]};
          return 0.0;
        }
        const TripleCorners<double> rows_a = triple(corners_a), rows_b = triple(corners_b);
        const MeasuredDistance found = measured(rows_a, rows_b, nearest_points(rows_a, rows_b));
        gap.lower = std::min(gap.lower, std::max(0.0, found.lower - room));
        if (found.distance >= gap.distance) continue;
        gap.found = true;
        gap.distance = found.distance;
        gap.upper = found.upper + room;
        gap.point_a = vector(point_of(rows_a, found.nearest.on_a));
        gap.point_b = vector(point_of(rows_b, found.nearest.on_b));
        nearer = gap.point_b - gap.point_a;
      }
    }
    if (nearer) turn_to(*nearer);
    return gap.distance;
  });
  placed_a_.clear();
  placed_b_.clear();
  return gap;
}

std::span<const TrianglePair> NearTriangleSearch::touching(const SphereBody& a,
                                                           const Similarity& world_from_a,
                                                           const SphereBody& b,
                                                           const Similarity& world_from_b) {
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, world_from_a.inverse() * world_from_b);
  const auto corners = [](const SphereBody& body, std::uint32_t triangle, const Similarity& pose) {
    std::array<Vec3, 3> there = body.triangles.corners(triangle);
    for (Vec3& p : there) p = posed_vertex(p, pose);
    return there;
  };
  touching_.clear();
  visit_meeting_spheres(bodies, walk_, [&](SpherePair leaves, double) {
    for (const std::uint32_t ta : triangles_of(a, leaves.a)) {
      const std::array<Vec3, 3> corners_a = corners(a, ta, world_from_a);
      for (const std::uint32_t tb : triangles_of(b, leaves.b)) {
        const double apart =
            (a.triangles.center(ta) - bodies.from_b(b.triangles.center(tb))).norm();
        const double reach = a.triangles.radius(ta) + bodies.scale() * b.triangles.radius(tb);
        if (apart <= reach + bodies.rounding() &&
            meeting_of(corners_a, corners(b, tb, world_from_b)) != Meeting::kApart)
          touching_.push_back({ta, tb});
      }
    }
  });
  std::sort(touching_.begin(), touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());
  return touching_;
}

}  // namespace plimsoll
