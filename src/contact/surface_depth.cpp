#include "contact/surface_depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/power_of_two.h"

namespace plimsoll {
namespace {

/// From x, both relative to its beginning.
double squared_to_segment(const Vec3& x, const Vec3& way) {
  const double length = way.squaredNorm();
  const double share = length > 0 ? std::clamp(x.dot(way) / length, 0.0, 1.0) : 0.0;
  return (x - share * way).squaredNorm();
}

/// The nearest point of a triangle is the foot on its plane, if that lies on the inner side of all
/// edges; else it is on an edge. Of one that is thinner than 2^-30 of its length, it is on an edge
/// but for that. Infinite where the plane alone is farther than `nearest`, squared.
double squared_to_triangle(const Vec3& x, const std::array<Vec3, 3>& corner, double nearest) {
  const std::array<Vec3, 3> edge{corner[1] - corner[0], corner[2] - corner[1],
                                 corner[0] - corner[2]};
  const std::array<Vec3, 3> off{x - corner[0], x - corner[1], x - corner[2]};
  const Vec3 normal = edge[0].cross(edge[1]);
  const double size = normal.squaredNorm();
  constexpr double kRounding = 1 + 0x1p-40;
  const double over_plane = normal.dot(off[0]);
  if (over_plane * over_plane > kRounding * nearest * size)
    return std::numeric_limits<double>::infinity();
  double longest = 0;
  bool is_above = true;
  for (std::size_t k = 0; k < 3; ++k) {
    longest = std::max(longest, edge[k].squaredNorm());
    is_above = is_above && normal.dot(edge[k].cross(off[k])) >= 0;
  }
  if (is_above && size > 0x1p-60 * longest * longest) {
    return over_plane / size * over_plane;
  }
  double squared = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k)
    squared = std::min(squared, squared_to_segment(off[k], edge[k]));
  return squared;
}

}  // namespace

SurfaceDepth::SurfaceDepth(const PosedTree& posed, double sign)
    : tree_(*posed.tree), center_(posed_center(posed)), unit_(unit_of(posed)), sign_(sign) {
  const Mat3& linear = posed.world_from_mesh.linear();
  const double scale = linear.cwiseAbs().maxCoeff();
  turn_ = Mat3(linear / scale).inverse() / scale;
}

double SurfaceDepth::squared_distance(std::uint32_t leaf, const Vec3& x, double nearest) const {
  double squared = nearest;
  for (std::size_t t = 0; t < tree_.size_of(leaf); ++t)
    squared = std::min(squared,
                       squared_to_triangle(x, tree_.unit_corners(tree_.leaves[leaf], t), squared));
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

Vec3 SurfaceDepth::in_frame(const Vec3& world) const {
  return (turn_ * (world - center_)).unaryExpr([&](double c) {
    return times_power_of_two(c, -tree_.frame.exponent);
  });
}

double SurfaceDepth::nearest_squared(const Vec3& x) {
  double nearest = squared_distance(last_, x, std::numeric_limits<double>::infinity());
  waiting_.assign(1, {0, 0, 0});
  while (!waiting_.empty()) {
    const Ahead part = waiting_.back();
    waiting_.pop_back();
    if (!(part.squared < nearest)) continue;
    if (part.level < tree_.levels()) {
      add_children(part, x, nearest);
      continue;
    }
    const double squared = squared_distance(part.number, x, nearest);
    if (!(squared < nearest)) continue;
    nearest = squared;
    last_ = part.number;
  }
  return nearest;
}

double SurfaceDepth::at(const Vec3& world) {
  return std::sqrt(nearest_squared(in_frame(world))) * unit_;
}

NearestFace SurfaceDepth::face_at(const Vec3& world) {
  constexpr double kSame = 1e-9, kRounding = 1e-13;  // of the distance, and of the frame
  const Vec3 x = in_frame(world);
  const double nearest = nearest_squared(x);
  NearestFace face{std::sqrt(nearest) * unit_, Vec3::Zero(), false};
  for (std::size_t t = 0; t < tree_.size_of(last_); ++t) {
    const std::array<Vec3, 3> corner = tree_.unit_corners(tree_.leaves[last_], t);
    if (squared_to_triangle(x, corner, nearest) > nearest) continue;
    const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).stableNormalized();
    const double height = std::fabs(normal.dot(x - corner[0]));
    face.inward = -sign_ * (turn_.transpose() * normal).stableNormalized();
    face.is_below = std::sqrt(nearest) - height <= kSame * height + kRounding;
    break;
  }
  return face;
}

}  // namespace plimsoll
