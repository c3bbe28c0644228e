#include "spheres/near_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/posed_vertex.h"
#include "pairs/triangle_pair.h"
#include "proximity/triangle_distance.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {
namespace {

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

void NearTriangleSearch::gather(const SphereBody& a, const SphereBody& b,
                                const PosedHierarchies& bodies, SpherePair leaves, double limit) {
  const auto triangles_of = [](const SphereBody& body, std::uint32_t sphere) {
    const std::size_t begin = body.shares.first_triangle[sphere];
    return std::span(body.shares.triangles)
        .subspan(begin, body.shares.first_triangle[sphere + 1] - begin);
  };
  const SphereNode &leaf_a = bodies.a(leaves.a), &leaf_b = bodies.b(leaves.b);
  const Vec3 center_b = bodies.b_center(leaves.b);
  const double reach_b = bodies.b_radius(leaves.b, NodeBall::kReach);
  near_a_.clear();
  near_b_.clear();
  for (const std::uint32_t t : triangles_of(a, leaf_a.first))
    if ((a.triangles.center(t) - center_b).norm() - a.triangles.radius(t) - reach_b <= limit)
      near_a_.push_back(t);
  for (const std::uint32_t t : triangles_of(b, leaf_b.first))
    if ((bodies.from_b(b.triangles.center(t)) - leaf_a.center).norm() -
            bodies.scale() * b.triangles.radius(t) - leaf_a.reach <=
        limit)
      near_b_.push_back(t);
}

void NearTriangleSearch::place_along(const SphereBody& a, const SphereBody& b,
                                     const PosedHierarchies& bodies, const Vec3& direction) {
  along_a_.clear();
  along_b_.clear();
  for (const std::uint32_t t : near_a_) {
    const std::array<Vec3, 3> corners = a.triangles.corners(t);
    const double nearest =
        std::max({direction.dot(corners[0]), direction.dot(corners[1]), direction.dot(corners[2])});
    along_a_.push_back({t, nearest, corners});
  }
  for (const std::uint32_t t : near_b_) {
    std::array<Vec3, 3> corners = b.triangles.corners(t);
    for (Vec3& p : corners) p = bodies.from_b(p);
    const double nearest =
        std::min({direction.dot(corners[0]), direction.dot(corners[1]), direction.dot(corners[2])});
    along_b_.push_back({t, nearest, corners});
  }
  std::sort(along_a_.begin(), along_a_.end(), [](const PlacedTriangle& x, const PlacedTriangle& y) {
    return x.nearest != y.nearest ? x.nearest > y.nearest : x.triangle < y.triangle;
  });
}

TriangleGap NearTriangleSearch::find(const SphereBody& a, const SphereBody& b,
                                     const Similarity& a_from_b, double limit) {
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, a_from_b);
  const double room = bodies.rounding();
  TriangleGap gap;
  gap.distance = gap.lower = limit;
  visit_near_parts(bodies, walk_, limit, [&](SpherePair pair, double) {
    gather(a, b, bodies, pair, gap.distance + room);
    // Near the nearest points, surfaces are across the line between them: along it they are apart.
    const Vec3 along = gap.found ? Vec3(gap.point_b - gap.point_a)
                                 : Vec3(bodies.b_center(pair.b) - bodies.a(pair.a).center);
    place_along(a, b, bodies, along.normalized());
    for (const PlacedTriangle& of_b : along_b_) {
      const Vec3 center = bodies.from_b(b.triangles.center(of_b.triangle));
      const double radius = bodies.scale() * b.triangles.radius(of_b.triangle);
      const std::array<Vec3, 3>& corners_b = of_b.corners;
      for (const PlacedTriangle& of_a : along_a_) {
        const double enough = gap.distance + room;
        if (of_b.nearest - of_a.nearest > enough) break;
        const std::uint32_t ta = of_a.triangle;
        if ((a.triangles.center(ta) - center).norm() - a.triangles.radius(ta) - radius > enough)
          continue;
        const std::array<Vec3, 3>& corners_a = of_a.corners;
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
      }
    }
    return gap.distance;
  });
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
    gather(a, b, bodies, leaves, bodies.rounding());
    for (const std::uint32_t ta : near_a_) {
      const std::array<Vec3, 3> corners_a = corners(a, ta, world_from_a);
      for (const std::uint32_t tb : near_b_) {
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
