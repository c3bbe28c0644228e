// Leaves posed and compared, compiled once per instruction set: one triangle with the four of a
// leaf at once.
//
// A corner d of the one triangle is in front of the other, a, b, c, if
//
//   det = (d - a) . n > 0,  n = (b - a) x (c - a),
//
// and with u = 2^-53 the computed det is off by at most 9 u sum |d_i - a_i| m_i + 2^-1000 (1 +
// sum |d_i - a_i|), m_i being the sum of the absolute values of the two products in n_i (as in
// predicates.cpp, which computes the same terms in the same order). For corners of two leaves whose
// boxes meet |d_i - a_i| is at most the sum s of the longest sides of the boxes, up to three
// roundings, and m_i at most the largest M of any triangle, so that 32 u s M + 2^-1000 (1 + 4 s) is
// more than that. 4 s M is computed on the way: it overflows before any term of det does, and then
// nothing is known. Two triangles of which one lies in front of or behind the other by more have no
// point in common.
#include <algorithm>
#include <bit>

#include "mesh/posed_vertex.h"
#include "pairs/posed_leaves.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/posed_leaves_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tree/wide_vertices.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::size_t kTriangles = PosedLeaf::kTriangles;
using Doubles = LeafNumber;
using Bools = Doubles::Mask;

/// All but what is of the leaf as a whole.
HWY_INLINE void pose_triangles(const PosedTree& posed, std::uint32_t leaf, PosedLeaf& out) {
  const TriangleTree& tree = *posed.tree;
  const BodyFrame& frame = tree.frame;
  const Similarity& m = posed.world_from_mesh;
  const TriangleTree::Leaf& triangles = tree.leaves[leaf];
  const Triple<Doubles> center =
      everywhere<Doubles>({frame.center[0], frame.center[1], frame.center[2]});
  Doubles largest = everywhere<Doubles>(0);
  for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
    Triple<Doubles> p[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Triple<Doubles> x =
          load_vertices(tree.vertices.data(), triangles.corner[k] + lane) + center;
      for (int i = 0; i < 3; ++i) {
        const auto entry = [&](int j) { return everywhere<Doubles>(m(i, j)); };
        p[k][i] = ((entry(0) * x[0] + entry(1) * x[1]) + entry(2) * x[2]) + entry(3);
      }
    }
    if (HWY_UNLIKELY(frame.exponent != 0)) {
      alignas(32) double world[3][3][kTriangles];
      for (std::size_t t = 0; t < Doubles::kWidth; ++t) {
        const std::array<Vec3, 3> corner = tree.corners(leaf, lane + t);
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3 at = posed_vertex(corner[k], m);
          for (int i = 0; i < 3; ++i) world[k][i][t] = at[i];
        }
      }
      for (std::size_t k = 0; k < 3; ++k) p[k] = load<Doubles>(world[k], 0);
    }
    for (std::size_t k = 0; k < 3; ++k) store(p[k], out.corner[k], lane);
    const Triple<Doubles> e = p[1] - p[0], f = p[2] - p[0];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      store(min(min(p[0][i], p[1][i]), p[2][i]), out.low[i] + lane);
      store(max(max(p[0][i], p[1][i]), p[2][i]), out.high[i] + lane);
      const Doubles left = e[j] * f[k], right = e[k] * f[j];
      store(left - right, out.normal[i] + lane);
      largest = max(largest, absolute(left) + absolute(right));
    }
  }
  out.largest_products = hn::GetLane(hn::MaxOfLanes(Doubles::kTag, largest.v));
}

/// Asks the memory for the corners.
HWY_INLINE void fetch(const TriangleTree& tree, std::uint32_t leaf) {
  for (const auto& corner : tree.leaves[leaf].corner)
    for (const std::uint32_t v : corner) hwy::Prefetch(&tree.vertices[v]);
}

void pose_all(const PosedTree& posed, std::span<const std::uint32_t> leaves, PosedLeaf* out) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr std::size_t kAhead = 8;
  const TriangleTree& tree = *posed.tree;
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    if (n + 2 * kAhead < leaves.size()) hwy::Prefetch(&tree.leaves[leaves[n + 2 * kAhead]]);
    if (n + kAhead < leaves.size()) fetch(tree, leaves[n + kAhead]);
    PosedLeaf& leaf = out[n];
    pose_triangles(posed, leaves[n], leaf);
    for (std::size_t t = tree.size_of(leaves[n]); t < kTriangles; ++t)
      for (int i = 0; i < 3; ++i) {
        leaf.low[i][t] = kInfinite;
        leaf.high[i][t] = -kInfinite;
      }
    leaf.longest_side = 0;
    for (int i = 0; i < 3; ++i)
      leaf.longest_side =
          std::max(leaf.longest_side, *std::max_element(leaf.high[i], leaf.high[i] + kTriangles) -
                                          *std::min_element(leaf.low[i], leaf.low[i] + kTriangles));
  }
}

void round_all(std::span<const PosedLeaf> leaves, const Vec3& origin, RoundedBoxes* out) {
  const hn::Rebind<float, decltype(Doubles::kTag)> rounded;
  for (std::size_t n = 0; n < leaves.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      const Doubles from = everywhere<Doubles>(origin[i]);
      const auto round = [&](const double* exact, float* to) {
        for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth)
          hn::Store(hn::DemoteTo(rounded, (load<Doubles>(exact + lane) - from).v), rounded,
                    to + lane);
      };
      round(leaves[n].low[i], out[n].low[i]);
      round(leaves[n].high[i], out[n].high[i]);
    }
}

/// Pairs of triangles of two leaves side by side, t of a and u of b in lane 4 t + u.
template <class T>
class LanesOfPairs {
 public:
  using Tag = hn::CappedTag<T, kTriangles * kTriangles>;

  /// What those of a have, four times each, from a lane on.
  HWY_INLINE hn::Vec<Tag> of_a(const T* a, std::size_t first) const {
    if (hn::Lanes(Tag()) < kTriangles) return hn::Set(Tag(), a[first / kTriangles]);
    const auto places = hn::SetTableIndices(Tag(), kPlaces + first);
    return hn::TableLookupLanes(hn::LoadDup128(Tag(), a), places);
  }
  /// What those of b have, all four again and again.
  HWY_INLINE hn::Vec<Tag> of_b(const T* b, std::size_t first) const {
    return hn::LoadDup128(Tag(), b + first % kTriangles);
  }
  /// A bit for each pair for which mask(first), of the lanes from one on, holds.
  template <class MaskOf>
  HWY_INLINE unsigned bits(const MaskOf& mask) const {
    unsigned all = 0;
    for (std::size_t first = 0; first < kTriangles * kTriangles; first += hn::Lanes(Tag()))
      all |= bits_of(Tag(), mask(first)) << first;
    return all;
  }

 private:
  static constexpr std::int32_t kPlaces[kTriangles * kTriangles] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                                    2, 2, 2, 2, 3, 3, 3, 3};
};

/// Whether the rounded boxes meet, a bit for each pair.
HWY_INLINE unsigned boxes_may_meet(const RoundedBoxes& a, const RoundedBoxes& b) {
  const LanesOfPairs<float> pairs;
  return pairs.bits([&](std::size_t first) {
    const auto along = [&](int i) {
      return hn::And(hn::Le(pairs.of_b(b.low[i], first), pairs.of_a(a.high[i], first)),
                     hn::Le(pairs.of_a(a.low[i], first), pairs.of_b(b.high[i], first)));
    };
    return hn::And(along(0), hn::And(along(1), along(2)));
  });
}

void leave_out(const TriangleTree& tree, std::span<const LeafPair> pairs,
               std::span<PosedLeafPair> leaves) {
  constexpr unsigned kNoLater = 0xf731;  // bit 4 t + u for every u <= t
  const LanesOfPairs<std::uint32_t> lanes;
  const LanesOfPairs<std::uint32_t>::Tag numbers;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const auto &a = tree.leaves[pairs[n].a].corner, &b = tree.leaves[pairs[n].b].corner;
    leaves[n].left_out = lanes.bits([&](std::size_t first) {
      auto least = hn::Set(numbers, kNoIndex);  // 0 where two are equal
      for (const auto& p : a)
        for (const auto& q : b)
          least = hn::Min(least, hn::Xor(lanes.of_a(p, first), lanes.of_b(q, first)));
      return hn::Eq(least, hn::Zero(numbers));
    });
    if (pairs[n].a == pairs[n].b) leaves[n].left_out |= kNoLater;
  }
}

/// On which side of planes some corners are.
struct Sides {
  Bools above, below;
};

/// Corners d, of planes through `a` with `normal`.
HWY_INLINE Sides sides_of(const Triple<Doubles>& d, const Triple<Doubles>& a,
                          const Triple<Doubles>& normal, Doubles bound) {
  const Doubles det = dot(d - a, normal);
  return {det > bound, det < -bound};
}

/// What the sides of a plane may be off by, the plane being one of `planes`. Their box meets that
/// of the corners.
HWY_INLINE double bound_of_sides(const PosedLeaf& planes, const PosedLeaf& corners) {
  const double longest = planes.longest_side + corners.longest_side;
  return 0x1p-50 * (4 * longest * planes.largest_products) + 0x1p-1000 * (1 + 4 * longest);
}

/// Whether the box of triangle t of a meets those of b from `lane` on.
HWY_INLINE Bools boxes_meet(const PosedLeaf& a, std::size_t t, const PosedLeaf& b,
                            std::size_t lane) {
  const auto along = [&](int i) {
    return all_hold(load<Doubles>(b.low[i] + lane) <= everywhere<Doubles>(a.high[i][t]),
                    everywhere<Doubles>(a.low[i][t]) <= load<Doubles>(b.high[i] + lane));
  };
  return all_hold(along(0), along(1), along(2));
}

/// Whether all three are on one side.
HWY_INLINE Bools is_beside(const Sides (&sides)[3]) {
  return hn::Or(all_hold(sides[0].above, sides[1].above, sides[2].above),
                all_hold(sides[0].below, sides[1].below, sides[2].below));
}

/// Triangle t of a leaf, and those of another from `lane` on: a bit for each whose box may meet.
struct Row {
  std::uint32_t leaf_pair;
  std::uint8_t t, lane, may_meet;
};

/// Appends those of the row whose planes do not tell them apart.
HWY_INLINE void add_close(const PosedLeafPair& leaves, const Row& row,
                          std::vector<ClosePair>& close) {
  const PosedLeaf &a = *leaves.a, &b = *leaves.b;
  const std::size_t t = row.t, lane = row.lane;
  const Doubles off_of_a = everywhere<Doubles>(bound_of_sides(a, b));
  const Doubles off_of_b = everywhere<Doubles>(bound_of_sides(b, a));
  Bools left = all_hold(boxes_meet(a, t, b, lane), hn::LoadMaskBits(Doubles::kTag, &row.may_meet));
  Sides of_b[3], of_a[3];
  const Triple<Doubles> in_a = everywhere<Doubles>(a.corner[0], t);
  const Triple<Doubles> a_normal = everywhere<Doubles>(a.normal, t);
  for (int k = 0; k < 3; ++k)
    of_b[k] = sides_of(load<Doubles>(b.corner[k], lane), in_a, a_normal, off_of_a);
  left = hn::AndNot(is_beside(of_b), left);
  if (hn::AllFalse(Doubles::kTag, left)) return;
  const Triple<Doubles> in_b = load<Doubles>(b.corner[0], lane);
  const Triple<Doubles> b_normal = load<Doubles>(b.normal, lane);
  for (int k = 0; k < 3; ++k)
    of_a[k] = sides_of(everywhere<Doubles>(a.corner[k], t), in_b, b_normal, off_of_b);
  left = hn::AndNot(is_beside(of_a), left);
  if (hn::AllFalse(Doubles::kTag, left)) return;
  unsigned a_above[3], b_above[3];
  Bools known = left;
  for (int k = 0; k < 3; ++k) {
    a_above[k] = bits_of(Doubles::kTag, of_a[k].above);
    b_above[k] = bits_of(Doubles::kTag, of_b[k].above);
    known =
        all_hold(known, hn::Or(of_a[k].above, of_a[k].below), hn::Or(of_b[k].above, of_b[k].below));
  }
  const unsigned certain = bits_of(Doubles::kTag, known);
  for (unsigned bits = bits_of(Doubles::kTag, left); bits != 0; bits &= bits - 1) {
    const auto u = static_cast<unsigned>(std::countr_zero(bits));
    const auto of_lane = [u](const unsigned(&above)[3]) {
      return static_cast<std::uint8_t>((above[0] >> u & 1U) | (above[1] >> u & 1U) << 1U |
                                       (above[2] >> u & 1U) << 2U);
    };
    close.push_back({row.leaf_pair, static_cast<std::uint8_t>(t),
                     static_cast<std::uint8_t>(lane + u), of_lane(a_above), of_lane(b_above),
                     (certain >> u & 1U) != 0});
  }
}

/// The rows of leaf pairs, and how many; adds to `meeting` how many boxes meet. Without branches,
/// which nothing could foresee.
std::size_t find_rows(std::span<const PosedLeafPair> leaves, std::uint32_t begin, std::uint32_t end,
                      Row* rows, std::size_t& meeting) {
  constexpr unsigned kAll = (1U << Doubles::kWidth) - 1;
  std::size_t count = 0;
  for (std::uint32_t pair = begin; pair < end; ++pair) {
    const PosedLeafPair& of = leaves[pair];
    const unsigned bits = boxes_may_meet(*of.a_boxes, *of.b_boxes) & ~of.left_out;
    meeting += static_cast<std::size_t>(std::popcount(bits));
    for (std::uint8_t t = 0; t < kTriangles; ++t)
      for (std::size_t lane = 0; lane < kTriangles; lane += Doubles::kWidth) {
        const auto may_meet = static_cast<std::uint8_t>(bits >> (kTriangles * t + lane) & kAll);
        rows[count] = {pair, t, static_cast<std::uint8_t>(lane), may_meet};
        count += may_meet != 0 ? 1 : 0;
      }
  }
  return count;
}

std::size_t find_close(std::span<const PosedLeafPair> leaves, std::vector<ClosePair>& close) {
  constexpr std::uint32_t kTogether = 64;
  Row rows[kTogether * kTriangles * kTriangles];
  const auto size = static_cast<std::uint32_t>(leaves.size());
  std::size_t meeting = 0;
  for (std::uint32_t begin = 0; begin < size; begin += kTogether) {
    const std::size_t count =
        find_rows(leaves, begin, std::min(begin + kTogether, size), rows, meeting);
    for (std::size_t i = 0; i < count; ++i) add_close(leaves[rows[i].leaf_pair], rows[i], close);
  }
  return meeting;
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(pose_all);
HWY_EXPORT(round_all);
HWY_EXPORT(leave_out);
HWY_EXPORT(find_close);
}  // namespace

void pose_leaves(const PosedTree& tree, std::span<const std::uint32_t> leaves, PosedLeaf* posed) {
  HWY_DYNAMIC_DISPATCH(pose_all)(tree, leaves, posed);
}

void round_boxes(std::span<const PosedLeaf> leaves, const Vec3& origin, RoundedBoxes* boxes) {
  HWY_DYNAMIC_DISPATCH(round_all)(leaves, origin, boxes);
}

void leave_out_neighbors(const TriangleTree& tree, std::span<const LeafPair> pairs,
                         std::span<PosedLeafPair> leaves) {
  HWY_DYNAMIC_DISPATCH(leave_out)(tree, pairs, leaves);
}

std::size_t find_close_pairs(std::span<const PosedLeafPair> leaves, std::vector<ClosePair>& close) {
  return HWY_DYNAMIC_DISPATCH(find_close)(leaves, close);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
