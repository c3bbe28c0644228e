// Depth first, the nearer parts first, compiled once per instruction set: the triangles of a leaf
// side by side, and the children of a node.
#include "contact/nearest_triangle.h"

#include <algorithm>
#include <bit>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/nearest_triangle_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tree/wide_vertices.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTriangles = TriangleTree::kLeafTriangles;
constexpr std::size_t kChildren = TriangleTree::kChildren;

/// Of a point, relative to the beginning of a segment.
HWY_INLINE LeafNumber squared_to_segment(const Triple<LeafNumber>& x,
                                         const Triple<LeafNumber>& way) {
  const LeafNumber zero = everywhere<LeafNumber>(0), one = everywhere<LeafNumber>(1);
  const LeafNumber length = dot(way, way);
  const LeafNumber share = select_or_zero(length > zero, clamped(dot(x, way) / length, zero, one));
  const Triple<LeafNumber> apart = x - share * way;
  return dot(apart, apart);
}

/// The squares of the distances of a point to the triangles of a leaf; of those whose planes are
/// all farther than `nearest`, squared, nothing, and false.
///
/// The nearest point of a triangle is the foot on its plane, if that lies on the inner side of all
/// edges; else it is on an edge. Of one that is thinner than 2^-30 of its length, it is on an edge
/// but for that.
HWY_INLINE bool squares_of(const TriangleTree& tree, std::uint32_t leaf,
                           const Triple<LeafNumber>& x, double nearest,
                           double (&squared)[kTriangles]) {
  constexpr double kRounding = 1 + 0x1p-40, kThin = 0x1p-60;
  const LeafNumber zero = everywhere<LeafNumber>(0);
  const auto& named = tree.leaves[leaf].corner;
  bool is_near = false;
  for (std::size_t lane = 0; lane < kTriangles; lane += LeafNumber::kWidth) {
    Triple<LeafNumber> corner[3], edge[3], off[3];
    for (std::size_t k = 0; k < 3; ++k)
      corner[k] = load_vertices(tree.vertices.data(), named[k] + lane);
    for (std::size_t k = 0; k < 3; ++k) {
      edge[k] = corner[(k + 1) % 3] - corner[k];
      off[k] = x - corner[k];
    }
    const Triple<LeafNumber> normal = cross(edge[0], edge[1]);
    const LeafNumber size = dot(normal, normal), over_plane = dot(normal, off[0]);
    const auto is_far =
        over_plane * over_plane > everywhere<LeafNumber>(kRounding * nearest) * size;
    if (hn::AllTrue(LeafNumber::kTag, is_far)) {
      std::fill_n(squared + lane, LeafNumber::kWidth, std::numeric_limits<double>::infinity());
      continue;
    }
    is_near = true;
    LeafNumber longest = zero, beside = everywhere<LeafNumber>(-1), to_edges;
    for (std::size_t k = 0; k < 3; ++k) {
      longest = max(longest, dot(edge[k], edge[k]));
      const LeafNumber inside = dot(normal, cross(edge[k], off[k]));
      beside = k == 0 ? inside : min(beside, inside);
      const LeafNumber to_edge = squared_to_segment(off[k], edge[k]);
      to_edges = k == 0 ? to_edge : min(to_edges, to_edge);
    }
    const auto is_over =
        all_hold(beside >= zero, size > everywhere<LeafNumber>(kThin) * longest * longest);
    hn::StoreU(select(is_over, over_plane / size * over_plane, to_edges).v, LeafNumber::kTag,
               squared + lane);
  }
  return is_near;
}

/// Adds the children of a part that may be nearer than `nearest`, squared, the nearest last.
HWY_INLINE void add_children(const TriangleTree& tree, const PartAhead& part, const Vec3& x,
                             double nearest, std::vector<PartAhead>& ahead) {
  using Of = hn::CappedTag<double, kChildren>;
  using Number = WideNumber<Of>;
  const hn::Rebind<float, Of> floats;
  const ChildBoxes& boxes = tree.boxes[tree.first[part.level] + part.number];
  const std::size_t begin = kChildren * part.number;
  const std::size_t count = std::min(kChildren, tree.width(part.level + 1) - begin);
  alignas(64) double squared[kChildren];
  unsigned nearer = 0;
  for (std::size_t lane = 0; lane < kChildren; lane += Number::kWidth) {
    const auto of = [&](const float* row) {
      return Number{hn::PromoteTo(Of(), hn::LoadU(floats, row + lane))};
    };
    Number sum = everywhere<Number>(0);
    for (std::size_t i = 0; i < 3; ++i) {
      const Number at = everywhere<Number>(x[static_cast<int>(i)]);
      const Number beyond =
          max(everywhere<Number>(0), absolute(of(boxes.center[i]) - at) - of(boxes.half[i]));
      sum = sum + beyond * beyond;
    }
    store(sum, squared + lane);
    nearer |= bits_of(Of(), sum < everywhere<Number>(nearest)) << lane;
  }
  const auto before = static_cast<std::ptrdiff_t>(ahead.size());
  for (nearer &= (1U << count) - 1; nearer != 0; nearer &= nearer - 1) {
    const auto k = static_cast<std::uint32_t>(std::countr_zero(nearer));
    const PartAhead child{part.level + 1, static_cast<std::uint32_t>(begin) + k, squared[k]};
    ahead.insert(
        std::find_if(ahead.begin() + before, ahead.end(),
                     [&](const PartAhead& other) { return other.squared < child.squared; }),
        child);
  }
}

NearestTriangle find_nearest(const TriangleTree& tree, const Vec3& x, std::uint32_t first,
                             std::vector<PartAhead>& ahead) {
  const Triple<LeafNumber> wide = everywhere<LeafNumber>({x[0], x[1], x[2]});
  NearestTriangle best{std::numeric_limits<double>::infinity(), first, 0};
  const auto look_into = [&](std::uint32_t leaf) {
    double squared[kTriangles];
    if (!squares_of(tree, leaf, wide, best.squared, squared)) return;
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
      if (squared[t] < best.squared) best = {squared[t], leaf, t};
  };
  look_into(first);
  ahead.assign(1, {0, 0, 0});
  while (!ahead.empty()) {
    const PartAhead part = ahead.back();
    ahead.pop_back();
    if (!(part.squared < best.squared)) continue;
    if (part.level < tree.levels())
      add_children(tree, part, x, best.squared, ahead);
    else
      look_into(part.number);
  }
  return best;
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(find_nearest);
}  // namespace

NearestTriangle nearest_triangle(const TriangleTree& tree, const Vec3& x, std::uint32_t first,
                                 std::vector<PartAhead>& ahead) {
  return HWY_DYNAMIC_DISPATCH(find_nearest)(tree, x, first, ahead);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
