// The surface between a water plane and planes that lean from it. The directions y / |y| are taken
// in sectors; in each, a triangle is clipped at the water and at the greatest height that any of
// the planes has over its corners, on those sides of the water on which one of them passes it. What
// is added is never too little.
#include <plimsoll/submersion_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "hydro/moment_tree.h"

namespace plimsoll {
namespace {

using Eight = Eigen::Array<float, 8, 1>;

constexpr std::size_t kSectors =
    4;  // of half a turn; y and -y differ by the side of the water only

/// The share of a triangle's area below z, its corners at the ascending heights h.
double share_below(const std::array<double, 3>& h, double z) {
  if (z <= h[0]) return 0;
  if (z >= h[2]) return 1;
  if (z < h[1]) return (z - h[0]) / (h[1] - h[0]) * ((z - h[0]) / (h[2] - h[0]));
  return 1 - (h[2] - z) / (h[2] - h[1]) * ((h[2] - z) / (h[2] - h[0]));
}

/// The directions of one sector.
struct Sector {
  Vec2 first, last;  // of unit length

  explicit Sector(std::size_t k)
      : first(Eigen::Rotation2Dd(std::numbers::pi / kSectors * static_cast<double>(k)) *
              Vec2::UnitX()),
        last(Eigen::Rotation2Dd(std::numbers::pi / kSectors) * first) {}

  /// Widens [low, high] to hold s . y for all y of the sector.
  void extend(const Vec2& s, double& low, double& high) const {
    const double a = first.dot(s), b = last.dot(s);
    const double from_first = first[0] * s[1] - first[1] * s[0];
    const double to_last = s[0] * last[1] - s[1] * last[0];
    const double length = s.norm();
    low = std::min({low, a, b, from_first <= 0 && to_last <= 0 ? -length : a});
    high = std::max({high, a, b, from_first >= 0 && to_last >= 0 ? length : a});
  }
};

/// The part of a triangle at most a height from the water, seen along the normal.
struct Outline {
  std::array<Vec2, 9> point;  // two on each side, and the corners
  std::size_t count = 0;
  double farthest = 0;

  Outline(const std::array<double, 3>& height, const std::array<Vec2, 3>& flat, double room) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if (std::fabs(height[i]) <= room) add(flat[i]);
      for (const double z : {-room, room})
        if ((height[i] < z) != (height[j] < z)) {
          const double share = std::clamp((z - height[i]) / (height[j] - height[i]), 0.0, 1.0);
          add(flat[i] + share * (flat[j] - flat[i]));
        }
    }
    farthest *= 1 + 1e-12;
  }

  struct Range {
    double low, high;
  };
  /// Of s . y over its points s and the directions y of a sector.
  [[nodiscard]] Range extent(const Sector& sector) const {
    double low = point[0].dot(sector.first), high = low;
    for (std::size_t i = 0; i < count; ++i) sector.extend(point[i], low, high);
    return {low - 1e-12 * farthest, high + 1e-12 * farthest};
  }

 private:
  void add(const Vec2& s) {
    point[count++] = s;
    farthest = std::max(farthest, s.norm());
  }
};

class BetweenWalk {
 public:
  BetweenWalk(const TriangleTree& tree, const ClipPlane& plane, const LeaningPlanes& planes,
              double enough)
      : tree_(tree),
        unit_(plane.unit),
        level_(plane.level),
        slope_(planes.slope),
        offset_(std::ldexp(planes.offset, -tree.frame.exponent)),
        enough_(enough),
        center_(tree.frame.from_center(planes.center)),
        axes_(planes.axes) {
    // Heights are wrong by less than 48 u r in double (clip_plane.cpp) and by less than 40 x 2^-24
    // r in float (moment_tree_walk.h).
    room_ = 0x1p-46 * tree.frame.reach;
    float_room_ = static_cast<float>(0x1p-18 * tree.frame.reach);
    per_reach_ = static_cast<float>(1 / tree.frame.reach);
  }

  ProjectedSurface largest_sums() {
    visit(0, 0);
    constexpr double kRounding = 1 + 1e-9;  // of some millions of additions
    ProjectedSurface largest;
    for (const ProjectedSurface& s : sums_) {
      largest.area = std::max(largest.area, kRounding * s.area);
      largest.first = std::max(largest.first, kRounding * s.first);
      largest.second = std::max(largest.second, kRounding * s.second);
    }
    return largest;
  }

 private:
  /// Which children of a node some of the planes may reach.
  std::array<bool, TriangleTree::kChildren> reached(const ChildBoxes& boxes) const {
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
    const Eight room =
        static_cast<float>(slope_) * (distance.sqrt() / per_reach_ + static_cast<float>(offset_));
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
    for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
      Vec3 corner[3];
      for (std::size_t c = 0; c < 3; ++c)
        corner[c] = Eigen::Map<const Vec3>(tree_.vertices[leaf.corner[c][t]].x);
      add(corner);
    }
  }

  void add(const Vec3 (&corner)[3]) {
    std::array<double, 3> height{};
    std::array<Vec2, 3> flat;
    double farthest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      height[c] = unit_.dot(corner[c]) - level_;
      const Vec3 apart = corner[c] - center_;
      flat[c] = axes_ * apart;
      farthest = std::max(farthest, flat[c].norm());
    }
    const double room = half(farthest) + room_;
    const auto [lowest, highest] = std::minmax_element(height.begin(), height.end());
    if (*lowest > room || *highest < -room) return;
    const Outline outline(height, flat, room);
    std::sort(height.begin(), height.end());
    const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    const double area = std::fabs(unit_.dot(normal)) / 2;
    for (std::size_t k = 0; k < kSectors; ++k) {
      const auto [low, high] = outline.extent(kSector[k]);
      // Planes of this sector pass from `low` to `high` over the triangle, those of the opposite
      // one from -high to -low.
      const double up = half(std::max(high, 0.0)), down = half(std::max(-low, 0.0));
      const bool has_up = high > -offset_, has_down = low < offset_;
      const double distance = outline.farthest;
      add(2 * k, area * share(height, has_down ? -down : 0, has_up ? up : 0), distance);
      add(2 * k + 1, area * share(height, has_up ? -up : 0, has_down ? down : 0), distance);
    }
  }

  /// How far a plane may be over or under the water where s . y / |y| is `along`.
  [[nodiscard]] double half(double along) const { return slope_ * (along + offset_) * (1 + 1e-12); }

  /// The share of the area from `low` to `high`, and in them.
  [[nodiscard]] double share(const std::array<double, 3>& height, double low, double high) const {
    const double from = low - room_, to = high + room_;
    if (height[0] >= from && height[2] <= to) return 1;
    return share_below(height, to) - share_below(height, from);
  }

  void add(std::size_t k, double area, double distance) {
    ProjectedSurface& sum = sums_[k];
    sum.area += area;
    sum.first += area * distance;
    sum.second += area * distance * distance;
    is_enough_ = is_enough_ || sum.second > enough_;
  }

  static const std::array<Sector, kSectors> kSector;

  const TriangleTree& tree_;
  const Vec3 unit_;
  const double level_, slope_, offset_, enough_;
  const Vec3 center_;
  const Mat23 axes_;
  double room_;
  float float_room_, per_reach_;
  std::array<ProjectedSurface, 2 * kSectors> sums_;  // of each sector and its opposite
  bool is_enough_ = false;
};

const std::array<Sector, kSectors> BetweenWalk::kSector{Sector(0), Sector(1), Sector(2), Sector(3)};

}  // namespace

ProjectedSurface SubmersionTree::surface_between(const WaterPlane& water,
                                                 const LeaningPlanes& planes, double enough) const {
  const TriangleTree& tree = *tree_->triangles;
  if (!is_plane(water) || !planes.center.allFinite() || !planes.axes.allFinite() ||
      !std::isfinite(planes.slope) || !std::isfinite(planes.offset)) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    return {kAny, kAny, kAny};
  }
  if (tree.triangles == 0) return {};
  const int e = tree.frame.exponent;
  BetweenWalk walk(tree, clip_plane(water, tree.frame), planes, std::ldexp(enough, -4 * e));
  const ProjectedSurface largest = walk.largest_sums();
  return {std::ldexp(largest.area, 2 * e), std::ldexp(largest.first, 3 * e),
          std::ldexp(largest.second, 4 * e)};
}

}  // namespace plimsoll
