// The surface in a layer about a plane: triangles are clipped at the height that the layer has over
// their farthest corner, so that what is added is never too little.
#include <plimsoll/submersion_tree.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hydro/moment_tree.h"

namespace plimsoll {
namespace {

using Eight = Eigen::Array<float, 8, 1>;

/// The share of a triangle's area below z, its corners at the ascending heights h.
double share_below(const std::array<double, 3>& h, double z) {
  if (z <= h[0]) return 0;
  if (z >= h[2]) return 1;
  if (z < h[1]) return (z - h[0]) / (h[1] - h[0]) * ((z - h[0]) / (h[2] - h[0]));
  return 1 - (h[2] - z) / (h[2] - h[1]) * ((h[2] - z) / (h[2] - h[0]));
}

class LayerWalk {
 public:
  LayerWalk(const MomentTree& tree, const ClipPlane& plane, const PlaneLayer& layer, double enough)
      : tree_(tree), unit_(plane.unit), level_(plane.level), slope_(layer.slope), enough_(enough) {
    const double scale = std::ldexp(1.0, -tree.frame.exponent);
    center_ = tree.frame.from_center(layer.center);
    offset_ = layer.offset * scale;
    // Heights are wrong by less than 48 u r in double (clip_plane.cpp) and by less than 40 x 2^-24
    // r in float (tree_walk.h).
    room_ = 0x1p-46 * tree.frame.reach;
    float_room_ = static_cast<float>(0x1p-18 * tree.frame.reach);
    per_reach_ = static_cast<float>(1 / tree.frame.reach);
  }

  LayerSurface sums() {
    visit(0, 0);
    constexpr double kRounding = 1 + 1e-9;  // of some millions of additions
    return {kRounding * total_.area, kRounding * total_.first, kRounding * total_.second};
  }

 private:
  bool is_enough() const { return total_.second > enough_; }

  /// Which children of a node reach into the layer.
  std::array<bool, MomentTree::kChildren> reaching(const ChildBoxes& boxes) const {
    Eight height = Eight::Constant(static_cast<float>(-level_));
    Eight radius = Eight::Zero(), squared = Eight::Zero();
    for (int i = 0; i < 3; ++i) {
      const Eigen::Map<const Eight> center(boxes.center[i]), half(boxes.half[i]);
      const auto n = static_cast<float>(unit_[i]);
      height += n * center;
      radius += std::fabs(n) * half;
      // In reaches, whose squares are floats.
      squared += (per_reach_ * ((center - static_cast<float>(center_[i])).abs() + half)).square();
    }
    const Eight room =
        static_cast<float>(slope_) * (squared.sqrt() / per_reach_ + static_cast<float>(offset_));
    const Eight reach = radius + 1.0001F * room + float_room_;
    std::array<bool, MomentTree::kChildren> result{};
    for (std::size_t k = 0; k < MomentTree::kChildren; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      result[k] = boxes.half[0][k] >= 0 && std::fabs(height[i]) <= reach[i];
    }
    return result;
  }

  void visit(std::size_t level, std::size_t node) {
    const bool is_last = level + 1 == tree_.levels();
    const auto reaches = reaching(tree_.boxes[tree_.first[level] + node]);
    for (std::size_t k = 0; k < MomentTree::kChildren && !is_enough(); ++k) {
      if (!reaches[k]) continue;
      const std::size_t child = MomentTree::kChildren * node + k;
      if (is_last)
        add_leaf(tree_.leaves[child]);
      else
        visit(level + 1, child);
    }
  }

  void add_leaf(const MomentTree::Leaf& leaf) {
    for (std::size_t t = 0; t < MomentTree::kLeafTriangles; ++t) {
      Vec3 corner[3];
      for (std::size_t c = 0; c < 3; ++c)
        corner[c] = Eigen::Map<const Vec3>(tree_.vertices[leaf.corner[c][t]].x);
      add(corner);
    }
  }

  void add(const Vec3 (&corner)[3]) {
    std::array<double, 3> height{};
    double farthest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double h = unit_.dot(corner[c]);
      height[c] = h - level_;
      const Vec3 apart = corner[c] - center_;
      farthest = std::max(farthest, (apart - unit_.dot(apart) * unit_).norm());
    }
    std::sort(height.begin(), height.end());
    const double half = slope_ * (farthest + offset_) * (1 + 1e-12) + room_;
    if (height[0] > half || height[2] < -half) return;
    const double share = height[0] >= -half && height[2] <= half
                             ? 1
                             : share_below(height, half) - share_below(height, -half);
    const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    const double area = share * std::fabs(unit_.dot(normal)) / 2;
    total_.area += area;
    total_.first += area * farthest;
    total_.second += area * farthest * farthest;
  }

  const MomentTree& tree_;
  const Vec3 unit_;
  const double level_, slope_, enough_;
  Vec3 center_;
  double offset_, room_;
  float float_room_, per_reach_;
  LayerSurface total_;
};

}  // namespace

LayerSurface SubmersionTree::surface_in(const WaterPlane& water, const PlaneLayer& layer,
                                        double enough) const {
  const MomentTree& tree = *tree_;
  if (tree.triangles == 0) return {};
  const int e = tree.frame.exponent;
  LayerWalk walk(tree, clip_plane(water, tree.frame), layer, std::ldexp(enough, -4 * e));
  const LayerSurface sums = walk.sums();
  return {std::ldexp(sums.area, 2 * e), std::ldexp(sums.first, 3 * e),
          std::ldexp(sums.second, 4 * e)};
}

}  // namespace plimsoll
