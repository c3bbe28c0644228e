// The triangles of two posed bodies in the units of a search.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "core/power_of_two.h"
#include "pairs/posed_leaves.h"
#include "proximity/leaf_kernel.h"
#include "proximity/part_pairs.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {

/// Triangle t of a leaf.
struct TrianglePlace {
  std::uint32_t leaf, t;

  auto operator<=>(const TrianglePlace&) const = default;
};

/// A triangle of each body.
struct TwoTriangles {
  TrianglePlace place[2];

  auto operator<=>(const TwoTriangles&) const = default;
};

[[nodiscard]] inline TripleCorners<double> corners_of(const PosedLeaf& leaf, std::size_t t) {
  TripleCorners<double> corners;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) corners[k][i] = leaf.corner[k][i][t];
  return corners;
}

/// In meters times 2^-exponent. A leaf of which numbers in meters might over- or underflow is
/// copied to `scaled`.
[[nodiscard]] inline const PosedLeaf& in_units(PosedLeaves& leaves, std::uint32_t number,
                                               int exponent, PosedLeaf& scaled) {
  const PosedLeaf& posed = leaves.posed(number);
  if (exponent == 0) return posed;
  scaled = posed;
  const auto scale = [&](auto&... values) {
    ((values = times_power_of_two(values, -exponent)), ...);
  };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t t = 0; t < PosedLeaf::kTriangles; ++t)
      scale(scaled.corner[0][i][t], scaled.corner[1][i][t], scaled.corner[2][i][t],
            scaled.low[i][t], scaled.high[i][t]);
  return scaled;
}

class PosedTriangles {
 public:
  /// Two triangles in units, and how far apart they are.
  struct Measured {
    const TripleCorners<double>& a;
    const PosedLeaf& b_leaf;
    std::uint32_t b;  ///< Its number in the leaf.
    double squared;   ///< What nearest_points finds for them.
    bool may_meet;

    [[nodiscard]] TripleCorners<double> b_corners() const { return corners_of(b_leaf, b); }
  };

  /// `memory` is what it may use.
  PosedTriangles(const PosedBodies& bodies, PosedLeaves (&memory)[2])
      : tree_{bodies.tree[0].tree, bodies.tree[1].tree},
        exponent_(bodies.exponent),
        leaves_(memory) {
    for (int side = 0; side < 2; ++side) leaves_[side].start(bodies.tree[side]);
  }

  [[nodiscard]] double to_units(double meters) const {
    return times_power_of_two(meters, -exponent_);
  }
  [[nodiscard]] double to_meters(double units) const {
    return times_power_of_two(units, exponent_);
  }

  [[nodiscard]] bool has_leaf(int side, std::uint32_t leaf) const {
    return leaf < tree_[side]->leaf_count();
  }
  [[nodiscard]] std::size_t size_of(int side, std::uint32_t leaf) const {
    return tree_[side]->size_of(leaf);
  }
  /// Its number in the mesh.
  [[nodiscard]] std::uint32_t number(int side, const TrianglePlace& place) const {
    return tree_[side]->numbers[TriangleTree::kLeafTriangles * place.leaf + place.t];
  }

  /// In units; it may be copied to `scaled`.
  [[nodiscard]] const PosedLeaf& leaf(int side, std::uint32_t number, PosedLeaf& scaled) {
    return in_units(leaves_[side], number, exponent_, scaled);
  }
  /// In units.
  [[nodiscard]] TripleCorners<double> triangle(int side, const TrianglePlace& place) {
    PosedLeaf scaled;
    return corners_of(leaf(side, place.leaf, scaled), place.t);
  }
  /// Calls visit(pair, measured) for the triangles of two leaves that choose(a, b) names as near,
  /// of the leaves in units.
  template <class Choose, class Visit>
  void visit_near(std::uint32_t a_leaf, std::uint32_t b_leaf, const Choose& choose,
                  const Visit& visit) {
    constexpr std::size_t kLeaf = TriangleTree::kLeafTriangles;
    PosedLeaf scaled[2];
    const PosedLeaf& a = leaf(0, a_leaf, scaled[0]);
    const PosedLeaf& b = leaf(1, b_leaf, scaled[1]);
    const LeafTriangles pairs = choose(a, b);
    for (std::uint32_t i = 0; i < size_of(0, a_leaf); ++i) {
      if ((pairs.near >> kLeaf * i & 0xFU) == 0) continue;
      const TripleCorners<double> of_a = corners_of(a, i);
      double squared[kLeaf];
      squared_distances(of_a, b, squared);
      for (std::uint32_t j = 0; j < size_of(1, b_leaf); ++j) {
        const unsigned bit = 1U << (kLeaf * i + j);
        if ((pairs.near & bit) == 0) continue;
        visit(TwoTriangles{{{a_leaf, i}, {b_leaf, j}}},
              Measured{of_a, b, j, squared[j], (pairs.may_meet & bit) != 0});
      }
    }
  }

  /// In meters.
  [[nodiscard]] std::array<Vec3, 3> corners(int side, const TrianglePlace& place) {
    return leaves_[side].posed(place.leaf).corners(place.t);
  }

 private:
  const TriangleTree* tree_[2];
  int exponent_;
  PosedLeaves (&leaves_)[2];
};

}  // namespace plimsoll
