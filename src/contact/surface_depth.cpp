#include "contact/surface_depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/power_of_two.h"

namespace plimsoll {
namespace {

/// To the segment from p to q.
double squared_to_segment(const Vec3& x, const Vec3& p, const Vec3& q) {
  const Vec3 way = q - p, off = x - p;
  const double length = way.squaredNorm();
  const double share = length > 0 ? std::clamp(off.dot(way) / length, 0.0, 1.0) : 0.0;
  return (off - share * way).squaredNorm();
}

/// The nearest point of a triangle is the foot on its plane, if that lies on the inner side of all
/// edges; else it is on an edge.
double squared_to_triangle(const Vec3& x, const std::array<Vec3, 3>& corner) {
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const double size = normal.squaredNorm();
  bool is_above = size > 0;
  double squared = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &p = corner[k], &q = corner[(k + 1) % 3];
    is_above = is_above && normal.dot((q - p).cross(x - p)) >= 0;
    squared = std::min(squared, squared_to_segment(x, p, q));
  }
  if (!is_above) return squared;
  const double height = normal.dot(x - corner[0]);
  return std::min(squared, height / size * height);
}

}  // namespace

SurfaceDepth::SurfaceDepth(const PosedTree& posed)
    : tree_(*posed.tree), center_(posed_center(posed)), unit_(unit_of(posed)) {
  const Mat3& linear = posed.world_from_mesh.linear();
  const double scale = linear.cwiseAbs().maxCoeff();
  turn_ = Mat3(linear / scale).inverse() / scale;
}

double SurfaceDepth::squared_distance(std::uint32_t leaf, const Vec3& x) const {
  double squared = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < tree_.size_of(leaf); ++t)
    squared = std::min(squared, squared_to_triangle(x, tree_.unit_corners(tree_.leaves[leaf], t)));
  return squared;
}

/// Those that may be nearer, the nearest last.
void SurfaceDepth::add_children(const Ahead& part, const Vec3& x, double nearest) {
  constexpr std::size_t kChildren = TriangleTree::kChildren;
  const ChildBoxes& boxes = tree_.boxes[tree_.first[part.level] + part.number];
  const std::size_t begin = kChildren * part.number, before = waiting_.size();
  const std::size_t count = std::min(kChildren, tree_.width(part.level + 1) - begin);
  double squared[kChildren] = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < kChildren; ++k) {
      const double beyond =
          std::max(0.0, std::fabs(boxes.center[i][k] - x[static_cast<int>(i)]) - boxes.half[i][k]);
      squared[k] += beyond * beyond;
    }
  for (std::size_t k = 0; k < count; ++k)
    if (squared[k] < nearest)
      waiting_.push_back({part.level + 1, static_cast<std::uint32_t>(begin + k), squared[k]});
  std::sort(waiting_.begin() + static_cast<std::ptrdiff_t>(before), waiting_.end(),
            [](const Ahead& a, const Ahead& b) { return a.squared > b.squared; });
}

double SurfaceDepth::at(const Vec3& world) {
  const Vec3 x = (turn_ * (world - center_)).unaryExpr([&](double c) {
    return times_power_of_two(c, -tree_.frame.exponent);
  });
  double nearest = squared_distance(last_, x);
  waiting_.assign(1, {0, 0, 0});
  while (!waiting_.empty()) {
    const Ahead part = waiting_.back();
    waiting_.pop_back();
    if (!(part.squared < nearest)) continue;
    if (part.level < tree_.levels()) {
      add_children(part, x, nearest);
      continue;
    }
    const double squared = squared_distance(part.number, x);
    if (!(squared < nearest)) continue;
    nearest = squared;
    last_ = part.number;
  }
  return std::sqrt(nearest) * unit_;
}

}  // namespace plimsoll
