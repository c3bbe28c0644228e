// The surface between a water plane and planes that lean from it. The directions y / |y| are taken
// in sectors; in each, a triangle is clipped at the water and at the greatest height that any of
// the planes has over its corners, on those sides of the water on which one of them passes it. What
// is added is never too little.
#include <plimsoll/solid_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "completeness/passed_surface.h"
#include "hydro/moment_tree.h"
#include "hydro/water_work.h"

namespace plimsoll {
namespace {

using Eight = Eigen::Array<float, 8, 1>;

class BetweenWalk {
 public:
  BetweenWalk(const TriangleTree& tree, const ClipPlane& plane, const LeaningPlanes& planes,
              double enough)
      : tree_(tree),
        unit_(plane.unit),
        level_(plane.level),
        range_{planes.slope, std::ldexp(planes.offset, -tree.frame.exponent),
               0x1p-46 * tree.frame.reach},
        enough_(enough),
        center_(tree.frame.from_center(planes.center)),
        axes_(planes.axes) {
    // Heights are wrong by less than 48 u r in double (clip_plane.h), which the range allows for,
    // and by less than 40 x 2^-24 r in float (moment_tree_walk.h).
    float_room_ = static_cast<float>(0x1p-18 * tree.frame.reach);
    per_reach_ = static_cast<float>(1 / tree.frame.reach);
  }

  ProjectedSurface largest_sums() {
    visit(0, 0);
    constexpr double kRounding = 1 + 1e-9;  // of some millions of additions
    ProjectedSurface largest;
    for (std::size_t k = 0; k < Sectors::kCount; ++k) {
      largest.area = std::max(largest.area, kRounding * sums_.area[k]);
      largest.first = std::max(largest.first, kRounding * sums_.first[k]);
      largest.second = std::max(largest.second, kRounding * sums_.second[k]);
    }
    return largest;
  }

  /// Triangles that were looked at.
  [[nodiscard]] std::uint64_t triangles() const { return triangles_; }

 private:
  /// Which children of a node some of the planes may reach.
  [[nodiscard]] std::array<bool, TriangleTree::kChildren> reached(const ChildBoxes& boxes) const {
    // The first row is the height, the others are s, both of the boxes' centers; radii likewise.
    std::array<Eight, 3> middle, radius;
    for (int row = 0; row < 3; ++row) {
      const Vec3 axis = row == 0 ? unit_ : Vec3(axes_.row(row - 1));
      const double origin = row == 0 ? level_ : axis.dot(center_);
      middle[row] = Eight::Constant(static_cast<float>(-origin));
      radius[row] = Eight::Constant(float_room_);
      for (int i = 0; i < 3; ++i) {
        const auto a = static_cast<float>(axis[i]);
        middle[row] += a * Eigen::Map<const Eight>(boxes.center[i]);
        radius[row] += std::fabs(a) * Eigen::Map<const Eight>(boxes.half[i]);
      }
      middle[row] = middle[row].abs();
    }
    // In reaches, whose squares are floats.
    const Eight distance = (per_reach_ * (middle[1] + radius[1])).square() +
                           (per_reach_ * (middle[2] + radius[2])).square();
    const Eight room = static_cast<float>(range_.slope) *
                       (distance.sqrt() / per_reach_ + static_cast<float>(range_.offset));
    const Eight reach = radius[0] + 1.0001F * room;
    std::array<bool, TriangleTree::kChildren> result{};
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      // Of a body so small that its reaches are no floats the room is NaN.
      result[k] = boxes.half[0][k] >= 0 && !(middle[0][i] > reach[i]);
    }
    return result;
  }

  void visit(std::size_t level, std::size_t node) {
    const bool is_last = level + 1 == tree_.levels();
    const auto reaches = reached(tree_.boxes[tree_.first[level] + node]);
    for (std::size_t k = 0; k < TriangleTree::kChildren && !is_enough_; ++k) {
      if (!reaches[k]) continue;
      const std::size_t child = TriangleTree::kChildren * node + k;
      if (is_last)
        add_leaf(tree_.leaves[child]);
      else
        visit(level + 1, child);
    }
  }

  void add_leaf(const TriangleTree::Leaf& leaf) {
    PassedTriangle near[TriangleTree::kLeafTriangles];
    std::size_t count = 0;
    triangles_ += TriangleTree::kLeafTriangles;
    for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t)
      if (take(tree_.unit_corners(leaf, t), near[count])) ++count;
    if (count > 0) is_enough_ = add_passed({near, count}, range_, enough_, sums_);
  }

  /// Whether planes may pass the triangle; then what they may pass of it.
  [[nodiscard]] bool take(const std::array<Vec3, 3>& corner, PassedTriangle& near) const {
    std::array<Vec2, 3> flat;
    double squared = 0;  // of the farthest corner
    for (std::size_t c = 0; c < 3; ++c) {
      near.height[c] = unit_.dot(corner[c]) - level_;
      flat[c] = axes_ * (corner[c] - center_);
      squared = std::max(squared, flat[c].squaredNorm());
    }
    const double room =
        range_.slope * (std::sqrt(squared) + range_.offset) * (1 + 1e-12) + range_.room;
    const auto [lowest, highest] = std::minmax_element(near.height.begin(), near.height.end());
    if (*lowest > room || *highest < -room) return false;
    take_outline(flat, room, near);
    std::sort(near.height.begin(), near.height.end());
    near.area = std::fabs(unit_.dot((corner[1] - corner[0]).cross(corner[2] - corner[0]))) / 2;
    return true;
  }

  /// The corners of the part of a triangle within `room` of the water.
  static void take_outline(const std::array<Vec2, 3>& flat, double room, PassedTriangle& near) {
    near.points = 0;
    near.x.fill(0);
    near.y.fill(0);
    const auto add = [&](const Vec2& s) {
      near.x[near.points] = s[0];
      near.y[near.points++] = s[1];
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const double h = near.height[i], next = near.height[j];
      if (std::fabs(h) <= room) add(flat[i]);
      for (const double z : {-room, room})
        if ((h < z) != (next < z))
          add(flat[i] + std::clamp((z - h) / (next - h), 0.0, 1.0) * (flat[j] - flat[i]));
    }
  }

  const TriangleTree& tree_;
  const Vec3 unit_;
  const double level_;
  const LeaningRange range_;
  const double enough_;
  const Vec3 center_;
  const Mat23 axes_;
  float float_room_, per_reach_;
  PassedSums sums_;
  bool is_enough_ = false;
  std::uint64_t triangles_ = 0;
};

}  // namespace

ProjectedSurface SolidTree::surface_between(const WaterPlane& water, const LeaningPlanes& planes,
                                            double enough) const {
  std::uint64_t triangles = 0;
  return counted_surface(*this, water, planes, enough, triangles);
}

ProjectedSurface counted_surface(const SolidTree& body, const WaterPlane& water,
                                 const LeaningPlanes& planes, double enough,
                                 std::uint64_t& triangles) {
  const TriangleTree& tree = *body.tree_->triangles;
  if (!is_plane(water) || !planes.center.allFinite() || !planes.axes.allFinite() ||
      !std::isfinite(planes.slope) || !std::isfinite(planes.offset)) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    return {kAny, kAny, kAny};
  }
  if (tree.triangles == 0) return {};
  const int e = tree.frame.exponent;
  BetweenWalk walk(tree, clip_plane(water, tree.frame), planes, std::ldexp(enough, -4 * e));
  const ProjectedSurface largest = walk.largest_sums();
  triangles += walk.triangles();
  return {std::ldexp(largest.area, 2 * e), std::ldexp(largest.first, 3 * e),
          std::ldexp(largest.second, 4 * e)};
}

}  // namespace plimsoll
