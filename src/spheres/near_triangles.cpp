#include "spheres/near_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/no_index.h"
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

template <class MayGoOn>
std::optional<PlacedLeaves::Leaf> PlacedLeaves::of(const SphereBody& body, std::uint32_t leaf,
                                                   const Vec3& direction,
                                                   const MayGoOn& may_go_on) {
  constexpr std::size_t kLooksPerStep = 64;
  if (range_of_.size() < body.hierarchy.nodes.size())
    range_of_.resize(body.hierarchy.nodes.size(), kNoIndex);
  if (range_of_[leaf] == kNoIndex) {
    Range range{-kInfinite, places_.size(), places_.size()};
    std::size_t looked_at = 0;
    for (const std::uint32_t t : triangles_of(body, leaf)) {
      if (++looked_at % kLooksPerStep == 0 && !may_go_on()) {
        places_.resize(range.begin);
        return std::nullopt;
      }
      const auto [p, q, r] = body.triangles.corners(t);
      places_.push_back({std::max({direction.dot(p), direction.dot(q), direction.dot(r)}), t});
      range.farthest = std::max(range.farthest, places_.back().along);
    }
    range.end = places_.size();
    range_of_[leaf] = static_cast<std::uint32_t>(ranges_.size());
    leaves_.push_back(leaf);
    ranges_.push_back(range);
  }
  const Range& range = ranges_[range_of_[leaf]];
  return Leaf{range.farthest, std::span(places_).subspan(range.begin, range.end - range.begin)};
}

void PlacedLeaves::clear() {
  for (const std::uint32_t leaf : leaves_) range_of_[leaf] = kNoIndex;
  leaves_.clear();
  ranges_.clear();
  places_.clear();
}

/// One question: what was found in the pairs of spheres that were measured. Near the nearest
/// points, surfaces lie across the line between them. So most pairs of triangles are told apart
/// along that line, and most pairs of leaves by their nearest triangles there.
class NearTriangleSearch::Run {
 public:
  Run(NearTriangleSearch& memory, const SphereBody& a, const SphereBody& b,
      const PosedHierarchies& bodies, double limit)
      : memory_(memory), a_(a), b_(b), bodies_(bodies), room_(bodies.rounding()) {
    gap_.distance = gap_.lower = limit;
    memory_.tested_.assign(kTested, kNoPair);
    turn_to(Vec3::Zero());
  }

  [[nodiscard]] const TriangleGap& gap() const { return gap_; }

  /// Whether two triangles were found that touch or cross.
  [[nodiscard]] bool meet() const { return meet_; }

  /// Measures the triangles of two leaves that may be nearer than what was found, as long as
  /// may_go_on() says so.
  template <class MayGoOn>
  void measure(SpherePair leaves, const MayGoOn& may_go_on) {
    if (along_.isZero(0)) turn_to(bodies_.b_center(leaves.b) - bodies_.a(leaves.a).center);
    const auto of_a = memory_.placed_a_.of(a_, leaves.a, along_, may_go_on);
    if (!of_a) return;
    const auto of_b =
        memory_.placed_b_.of(b_, leaves.b, -bodies_.direction_in_b(along_), may_go_on);
    if (!of_b) return;
    const double nearest = gap_.distance;
    for (const PlacedLeaves::Place& at_b : of_b->triangles) {
      if (are_apart(of_a->farthest, of_b->farthest)) break;
      if (are_apart(of_a->farthest, at_b.along)) continue;
      const std::uint32_t tb = at_b.triangle;
      const Vec3 center = bodies_.from_b(b_.triangles.center(tb));
      const double radius = bodies_.scale() * b_.triangles.radius(tb);
      for (const PlacedLeaves::Place& at_a : of_a->triangles) {
        if (are_apart(at_a.along, at_b.along)) continue;
        const std::uint32_t ta = at_a.triangle;
        const Vec3 between = center - a_.triangles.center(ta);
        if (between.norm() - a_.triangles.radius(ta) - radius > gap_.distance + room_ ||
            is_tested(ta, tb))
          continue;
        if (!may_go_on()) return;
        std::array<Vec3, 3> corners_b = b_.triangles.corners(tb);
        for (Vec3& p : corners_b) p = bodies_.from_b(p);
        compare(a_.triangles.corners(ta), corners_b, between);
        if (meet_) return;
      }
    }
    if (gap_.distance < nearest && gap_.point_a) turn_to(*gap_.point_b - *gap_.point_a);
  }

 private:
  static constexpr int kTestedBits = 10;
  static constexpr std::size_t kTested = std::size_t{1} << kTestedBits;
  static constexpr std::uint64_t kNoPair = ~std::uint64_t{0};

  void turn_to(const Vec3& direction) {
    along_ = direction.stableNormalized();
    origin_ = along_.dot(bodies_.from_b(Vec3::Zero()));
    memory_.placed_a_.clear();
    memory_.placed_b_.clear();
  }

  [[nodiscard]] bool are_apart(double along_a, double along_b) const {
    return origin_ - along_b - along_a > gap_.distance + room_;
  }

  /// Whether a pair has been tested. Some are forgotten, and tested again.
  [[nodiscard]] bool is_tested(std::uint32_t ta, std::uint32_t tb) {
    const std::uint64_t pair = std::uint64_t{ta} << 32 | tb;
    const std::uint64_t place = (pair * 0x9E3779B97F4A7C15u) >> (64 - kTestedBits);
    return std::exchange(memory_.tested_[place], pair) == pair;
  }

  void compare(const std::array<Vec3, 3>& corners_a, const std::array<Vec3, 3>& corners_b,
               const Vec3& between) {
    if (separation(corners_a, corners_b, between) > gap_.distance + room_) return;
    if (meeting_of(corners_a, corners_b) != Meeting::kApart) {
      gap_ = {.found = true, .upper = room_};
      meet_ = true;
      return;
    }
    const TripleCorners<double> rows_a = triple(corners_a), rows_b = triple(corners_b);
    const MeasuredDistance found = measured(rows_a, rows_b, nearest_points(rows_a, rows_b));
    gap_.lower = std::min(gap_.lower, std::max(0.0, found.lower - room_));
    if (found.distance >= gap_.distance) return;
    gap_.found = true;
    gap_.distance = found.distance;
    gap_.upper = found.upper + room_;
    gap_.point_a = vector(point_of(rows_a, found.nearest.on_a));
    gap_.point_b = vector(point_of(rows_b, found.nearest.on_b));
  }

  NearTriangleSearch& memory_;
  const SphereBody& a_;
  const SphereBody& b_;
  const PosedHierarchies& bodies_;
  double room_;
  Vec3 along_ = Vec3::Zero();  // from a to b, of length 1 or 0
  double origin_ = 0;          // along it, that of the frame of b
  TriangleGap gap_;
  bool meet_ = false;
};

TriangleGap NearTriangleSearch::find(const SphereBody& a, const SphereBody& b,
                                     const RelativePose& pose, double limit) {
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, pose);
  Run run(*this, a, b, bodies, limit);
  visit_near_parts(bodies, walk_, limit, [&](SpherePair pair, double) {
    run.measure(pair, [] { return true; });
    return run.gap().distance;
  });
  return run.gap();
}

TriangleGapSoFar NearTriangleSearch::find(const SphereBody& a, const SphereBody& b,
                                          const RelativePose& pose, double limit, SpherePair first,
                                          StepLimit& steps) {
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, pose);
  const double room = bodies.rounding();
  Run run(*this, a, b, bodies, limit);
  const auto take_step = [&] { return steps.take(); };
  if (bodies.are_leaves(first)) run.measure(first, take_step);
  // Where surfaces meet nothing else can be nearer.
  const auto still_near = [&] { return run.meet() ? -kInfinite : run.gap().distance + room; };
  const NearestFirst walk = walk_.visit_nearest_first(bodies, NodeBall::kReach, still_near(), steps,
                                                      [&](SpherePair pair, double) {
                                                        run.measure(pair, take_step);
                                                        return still_near();
                                                      });
  TriangleGapSoFar found{run.gap(), std::max(0.0, walk.least - room), walk.is_complete};
  found.gap.lower = std::min(found.gap.lower, std::max(0.0, walk.least_left - room));
  return found;
}

std::optional<std::span<const TrianglePair>> NearTriangleSearch::touching(
    const SphereBody& a, const Similarity& world_from_a, const SphereBody& b,
    const Similarity& world_from_b, double max_work) {
  constexpr double kOfBalls = 0.006, kOfDecision = 0.1;  // [us]
  const PosedHierarchies bodies(a.hierarchy, b.hierarchy, {world_from_a, world_from_b});
  const auto corners = [](const SphereBody& body, std::uint32_t triangle, const Similarity& pose) {
    std::array<Vec3, 3> there = body.triangles.corners(triangle);
    for (Vec3& p : there) p = posed_vertex(p, pose);
    return there;
  };
  touching_.clear();
  double work = 0;
  visit_meeting_spheres(bodies, walk_, [&](SpherePair leaves, double) {
    for (const std::uint32_t ta : triangles_of(a, leaves.a)) {
      if (work > max_work) return;
      work += kOfBalls * static_cast<double>(triangles_of(b, leaves.b).size());
      const std::array<Vec3, 3> corners_a = corners(a, ta, world_from_a);
      for (const std::uint32_t tb : triangles_of(b, leaves.b)) {
        const double apart =
            (a.triangles.center(ta) - bodies.from_b(b.triangles.center(tb))).norm();
        const double reach = a.triangles.radius(ta) + bodies.scale() * b.triangles.radius(tb);
        if (!(apart <= reach + bodies.rounding())) continue;
        work += kOfDecision;
        if (meeting_of(corners_a, corners(b, tb, world_from_b)) != Meeting::kApart)
          touching_.push_back({ta, tb});
      }
    }
  });
  if (work > max_work) return std::nullopt;
  std::sort(touching_.begin(), touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());
  return touching_;
}

}  // namespace plimsoll
