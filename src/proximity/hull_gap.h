// How far the convex hulls of parts of two trees are apart.
//
// A box around slivers that lie side by side, or around a patch that is finely meshed, is told from
// another by few normals, and its floats are no better than 2^-24 of its length. The hull of the
// corners themselves is the smallest convex set around them. Two of them are taken apart as in
// [Gilbert1988]: the corner of each that is farthest along a direction n tells that the hulls are
// at least n . (a - b) / |n| apart, and the nearest point of the tetrahedron of the last such
// differences a - b is the next n. Whatever n is, the bound holds but for the rounding of two
// scalar products, so that n may be found by rounded means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "proximity/part_pairs.h"
#include "proximity/part_reach.h"
#include "proximity/posed_triangles.h"
#include "tree/simplex.h"

namespace plimsoll {

/// A part of a tree: level 0 is the whole; then nodes, numbered within their level; leaves on the
/// level below the last; and below them triangles, t of a leaf numbered 4 leaf + t.
struct Part {
  unsigned level = 0;
  std::uint32_t number = 0;
};

struct HullGap {
  double gap = 0;    ///< No two points of the hulls are nearer [units].
  double apart = 0;  ///< About how far apart two points of the hulls are that were found [units].
  Triple<double> normal{};      ///< From b's hull to a's: of length 1, or 0.
  bool is_on_triangle[2] = {};  ///< The point of a hull that was found lies in one triangle,
  std::uint32_t leaf[2] = {};   ///< and in which leaf that is.
};

/// Measures gaps of hulls, and keeps its memory from one search to the next.
class HullGaps {
 public:
  /// `triangles` are those of the bodies. Both are referred to.
  void start(const PosedBodies& bodies, PosedTriangles& triangles);

  /// The gap of the hulls of two parts. It begins with a direction `n` from b to a, if that is not
  /// 0, and ends as soon as the gap is more than `enough`. It is fast where the boxes of a tree
  /// tell which corner is farthest; where they do not, what the corners of all parts reach is found
  /// once many leaves were looked at (part_reach.h).
  [[nodiscard]] HullGap find(const Part& a, const Part& b, const Triple<double>& n, double enough);

  /// How often leaves were looked at since the start.
  [[nodiscard]] std::size_t leaves_looked_at() const { return looked_[0] + looked_[1]; }

  /// About half of the longest extent of a part [units].
  [[nodiscard]] double size_of(int side, const Part& part);

 private:
  /// A corner of a triangle.
  struct Corner {
    Triple<double> at;  ///< From `origin_` [units].
    std::uint32_t leaf, t, k;
    double along;  ///< The direction, from `origin_`.
  };
  /// A corner of each body, and the way from that of b to that of a.
  struct Difference {
    Corner corner[2];
    Triple<double> way;
  };
  /// About a part: its middle from `center_`, and the half of its diagonal [units].
  struct PartBox {
    Triple<double> middle;
    double half;
  };
  /// Differences that the nearest point of their hull to the origin hangs on.
  struct Simplex {
    std::array<Difference, 4> corner;
    std::size_t count = 0;

    /// Keeps those, and returns that point.
    SimplexFoot reduce();
  };

  [[nodiscard]] Corner farthest(int side, const Part& part, const Triple<double>& n,
                                const Simplex& known);
  void look_in(int side, const Part& part, const Triple<double>& n, Corner& best);
  void look_in_leaf(int side, std::uint32_t leaf, std::uint32_t first, std::uint32_t end,
                    const Triple<double>& n, Corner& best);
  void start_reach(int side);
  [[nodiscard]] Triple<double> from_center(const PosedLeaf& posed, std::uint32_t t,
                                           std::uint32_t k) const;
  [[nodiscard]] PartBox box_of(int side, const Part& part);
  [[nodiscard]] double reach_of(int side, const Part& part);
  [[nodiscard]] Triple<double> a_corner_of(int side, const Part& part);
  [[nodiscard]] std::uint32_t vertex_of(int side, const Corner& corner) const;
  void tell_triangles(const Simplex& simplex, HullGap& found) const;

  const TriangleTree* tree_[2] = {};
  PosedTriangles* triangles_ = nullptr;
  PosedBoxes<double> boxes_[2];
  PartReach reach_[2];          // once many leaves were looked at
  std::size_t looked_[2] = {};  // leaves, again and again
  Triple<double> center_{};     // that boxes are relative to [units]
  Triple<double> origin_{};     // of directions and corners, from the center: a corner of b [units]
  Triple<double> middle_[2];    // of the bodies' frames, from the center [units]
  double room_ = 0;
};

}  // namespace plimsoll
