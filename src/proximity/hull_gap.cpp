#include "proximity/hull_gap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;
constexpr std::uint32_t kLeafTriangles = TriangleTree::kLeafTriangles;
constexpr std::size_t kLooksOfLeaf = 4;  // before what all leaves reach is worth finding
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double length(const Triple<double>& v) { return std::sqrt(dot(v, v)); }

}  // namespace

void HullGaps::start(const PosedBodies& bodies, PosedTriangles& triangles) {
  triangles_ = &triangles;
  for (int side = 0; side < 2; ++side) {
    tree_[side] = bodies.tree[side].tree;
    boxes_[side].start(bodies, side);
    middle_[side] = {bodies.offset[side][0], bodies.offset[side][1], bodies.offset[side][2]};
    reach_[side].clear();
    looked_[side] = 0;
  }
  const Vec3 center = posed_center(bodies.tree[0]);
  for (int i = 0; i < 3; ++i) center_[i] = times_power_of_two(center[i], -bodies.exponent);
  room_ = 2 * bodies.room<double>();
}

// The corners that a direction leads to farthest are rounded by less than 2^-50 of the reach, and
// so is their difference; the length and the quotient by 2^-51 of the gap.
HullGap HullGaps::find(const Part& a, const Part& b, const Triple<double>& n, double enough) {
  constexpr int kMaxSteps = 24;
  origin_ = {0, 0, 0};
  origin_ = a_corner_of(1, b);
  const double rounding = 0x1p-49 * std::max(reach_of(0, a), reach_of(1, b));
  HullGap found;
  Simplex simplex;
  Triple<double> way = n;
  found.apart = kInfinite;
  if (!(dot(way, way) > 0)) way = a_corner_of(0, a);
  for (int step = 0; step < kMaxSteps; ++step) {
    const double size = length(way);
    if (!(size > 0)) break;
    const Triple<double> up = way / size, down{-up[0], -up[1], -up[2]};
    Difference next;
    next.corner[0] = farthest(0, a, down, simplex);
    next.corner[1] = farthest(1, b, up, simplex);
    const double between = -next.corner[0].along - next.corner[1].along;
    const double gap = between - rounding;
    if (gap > found.gap) {
      found.gap = gap;
      found.normal = up;
      if (gap > enough) break;
    }
    next.way = next.corner[0].at - next.corner[1].at;
    // No nearer than the nearest point so far, which is the nearest then.
    if (simplex.count > 0 && between >= found.apart * (1 - 0x1p-40)) break;
    bool is_known = false;
    for (std::size_t i = 0; i < simplex.count; ++i)
      is_known = is_known || simplex.corner[i].way == next.way;
    if (is_known) break;
    simplex.corner[simplex.count++] = next;
    const SimplexFoot foot = simplex.reduce();
    way = foot.way;
    const double apart = length(foot.at);
    if (!(apart < found.apart)) break;
    found.apart = apart;
    if (simplex.count == simplex.corner.size() || !(apart > rounding)) break;  // hulls that meet
  }
  tell_triangles(simplex, found);
  return found;
}

SimplexFoot HullGaps::Simplex::reduce() {
  std::array<Triple<double>, 4> ways;
  for (std::size_t i = 0; i < count; ++i) ways[i] = corner[i].way;
  const SimplexFoot foot = foot_of_simplex(std::span(ways).first(count));
  count = keep_points_of(foot, std::span(corner).first(count));
  return foot;
}

HullGaps::Corner HullGaps::farthest(int side, const Part& part, const Triple<double>& n,
                                    const Simplex& known) {
  Corner best{{0, 0, 0}, 0, 0, 0, -kInfinite};
  for (std::size_t i = 0; i < known.count; ++i) {
    const Corner& corner = known.corner[i].corner[side];
    const double along = dot(n, corner.at);
    if (!(along > best.along)) continue;
    best = corner;
    best.along = along;
  }
  look_in(side, part, n, best);
  if (!reach_[side].is_ready() && looked_[side] > kLooksOfLeaf * tree_[side]->leaf_count())
    start_reach(side);
  return best;
}

/// Boxes led to leaves again and again.
void HullGaps::start_reach(int side) {
  reach_[side].start(*tree_[side], [&](std::uint32_t leaf, std::vector<PosedCorner>& all) {
    PosedLeaf scaled;
    const PosedLeaf& posed = triangles_->leaf(side, leaf, scaled);
    for (std::uint32_t t = 0; t < tree_[side]->size_of(leaf); ++t)
      for (std::uint32_t k = 0; k < 3; ++k)
        all.push_back({tree_[side]->leaves[leaf].corner[k][t], from_center(posed, t, k)});
  });
}

Triple<double> HullGaps::from_center(const PosedLeaf& posed, std::uint32_t t,
                                     std::uint32_t k) const {
  Triple<double> at;
  for (std::size_t i = 0; i < 3; ++i) at[i] = posed.corner[k][i][t] - center_[i];
  return at;
}

void HullGaps::look_in(int side, const Part& part, const Triple<double>& n, Corner& best) {
  const TriangleTree& tree = *tree_[side];
  if (part.level > tree.levels()) {
    const std::uint32_t t = part.number % kLeafTriangles;
    return look_in_leaf(side, part.number / kLeafTriangles, t, t + 1, n, best);
  }
  if (part.level == tree.levels())
    return look_in_leaf(side, part.number, 0, static_cast<std::uint32_t>(tree.size_of(part.number)),
                        n, best);
  const std::size_t first = kChildren * std::size_t{part.number};
  const std::size_t count = std::min(kChildren, tree.width(part.level + 1) - first);
  const auto child = [&](std::size_t k) {
    return Part{part.level + 1, static_cast<std::uint32_t>(first + k)};
  };
  const auto goes_beyond = [&](std::size_t k) {
    return !reach_[side].is_ready() ||
           reach_[side].goes_beyond(part.level + 1, first + k, n, origin_, best.along);
  };
  unsigned open = 0;
  for (std::size_t k = 0; k < count; ++k) open |= goes_beyond(k) ? 1U << k : 0U;
  if (open == 0) return;
  if (std::has_single_bit(open))
    return look_in(side, child(static_cast<std::size_t>(std::countr_zero(open))), n, best);
  const OrientedRows<double>& rows = boxes_[side].of(tree.first[part.level] + part.number);
  double reach[kChildren];
  for (std::size_t k = 0; k < kChildren; ++k) {
    double middle = 0, half = 0;
    for (std::size_t i = 0; i < 3; ++i) middle += n[i] * (rows.center[i][k] - origin_[i]);
    for (std::size_t j = 0; j < 3; ++j)
      half += rows.half[j][k] * std::fabs(n[0] * rows.axis[j][0][k] + n[1] * rows.axis[j][1][k] +
                                          n[2] * rows.axis[j][2][k]);
    reach[k] = middle + half + room_;
  }
  for (std::size_t looked = 0; looked < count; ++looked) {
    const std::size_t k = static_cast<std::size_t>(std::max_element(reach, reach + count) - reach);
    if (reach[k] <= best.along) return;
    reach[k] = -kInfinite;
    if ((open >> k & 1U) != 0 && goes_beyond(k)) look_in(side, child(k), n, best);
  }
}

void HullGaps::look_in_leaf(int side, std::uint32_t leaf, std::uint32_t first, std::uint32_t end,
                            const Triple<double>& n, Corner& best) {
  PosedLeaf scaled;
  const PosedLeaf& posed = triangles_->leaf(side, leaf, scaled);
  ++looked_[side];
  for (std::uint32_t t = first; t < end; ++t)
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Triple<double> at = from_center(posed, t, k) - origin_;
      const double along = dot(n, at);
      if (along > best.along) best = {at, leaf, t, k, along};
    }
}

HullGaps::PartBox HullGaps::box_of(int side, const Part& part) {
  const TriangleTree& tree = *tree_[side];
  if (part.level > tree.levels())
    return box_of(side, {part.level - 1, part.number / kLeafTriangles});
  if (part.level == 0) {
    double half = 0;
    for (std::uint32_t k = 0; k < tree.width(1); ++k) {
      const PartBox box = box_of(side, {1, k});
      half = std::max(half, length(box.middle - middle_[side]) + box.half);
    }
    return {middle_[side], half};
  }
  const OrientedRows<double>& rows =
      boxes_[side].of(tree.first[part.level - 1] + part.number / kChildren);
  const std::size_t k = part.number % kChildren;
  const Triple<double> half{rows.half[0][k], rows.half[1][k], rows.half[2][k]};
  return {{rows.center[0][k], rows.center[1][k], rows.center[2][k]},
          length(half) * (1 + 0x1p-18) + room_};
}

double HullGaps::size_of(int side, const Part& part) { return box_of(side, part).half; }

/// How far corners of a part may be from `origin_`.
double HullGaps::reach_of(int side, const Part& part) {
  const PartBox box = box_of(side, part);
  return length(box.middle - origin_) + box.half;
}

/// From `origin_`.
Triple<double> HullGaps::a_corner_of(int side, const Part& part) {
  const TriangleTree& tree = *tree_[side];
  std::uint32_t leaf = part.number, t = 0;
  if (part.level > tree.levels()) {
    leaf = part.number / kLeafTriangles;
    t = part.number % kLeafTriangles;
  } else {
    leaf =
        static_cast<std::uint32_t>(std::uint64_t{part.number} << 3 * (tree.levels() - part.level));
  }
  PosedLeaf scaled;
  const PosedLeaf& posed = triangles_->leaf(side, leaf, scaled);
  return from_center(posed, t, 0) - origin_;
}

std::uint32_t HullGaps::vertex_of(int side, const Corner& corner) const {
  return tree_[side]->leaves[corner.leaf].corner[corner.k][corner.t];
}

/// Of each side: whether one triangle has all corners that the nearest point hangs on.
void HullGaps::tell_triangles(const Simplex& simplex, HullGap& found) const {
  for (int side = 0; side < 2; ++side)
    for (std::size_t i = 0; i < simplex.count && !found.is_on_triangle[side]; ++i) {
      const Corner& one = simplex.corner[i].corner[side];
      const auto& corners = tree_[side]->leaves[one.leaf].corner;
      bool has_all = true;
      for (std::size_t j = 0; j < simplex.count && has_all; ++j) {
        const std::uint32_t v = vertex_of(side, simplex.corner[j].corner[side]);
        has_all = v == corners[0][one.t] || v == corners[1][one.t] || v == corners[2][one.t];
      }
      found.is_on_triangle[side] = has_all;
      found.leaf[side] = one.leaf;
    }
}

}  // namespace plimsoll
