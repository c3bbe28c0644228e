// The curve in which the surfaces of two posed solids cross, and what follows from each of its
// segments.
#pragma once

#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hydro/moment_tree.h"
#include "mesh/posed_vertex.h"
#include "overlap/curve_loops.h"
#include "overlap/curve_sums.h"
#include "overlap/local_frame.h"
#include "overlap/root_winding.h"
#include "overlap/solid_sums.h"
#include "pairs/close_pair_search.h"

namespace plimsoll {

[[nodiscard]] inline const SpanningMoments& spanning_of(const MomentTree& tree) {
  return tree.spanning->value([&] { return spanning_moments(*tree.triangles); });
}

/// Whether a search can be asked of these. Errors: as OverlapSearch::overlap.
[[nodiscard]] Result<void> check_solids(const MomentTree& a, const Similarity& world_from_a,
                                        const MomentTree& b, const Similarity& world_from_b);

/// One of the two solids of a query.
struct Side {
  PosedTree posed;
  double sign = 1;  ///< -1 where the surface is turned inward.
  TieBreaker ties;
  SolidSums sums;
  /// How often the other surface winds around the root of each component, once all is found.
  std::vector<int> root_windings;

  /// `shrinking`: how fast it shrinks where ties are broken; below 0 it grows.
  void start(const MomentTree& tree, const Similarity& pose, double shrinking, bool is_first) {
    posed = {tree.triangles.get(), pose};
    sign = sign_of(tree.whole);
    const SpanningMoments& spanning = spanning_of(tree);
    ties = TieBreaker(spanning, posed, shrinking * sign, is_first ? 0 : 1);
    sums.start(spanning);
  }
  [[nodiscard]] PosedSolid solid() const { return {posed, sums.spanning, &ties}; }
  /// Where a vertex of the tree is in the world.
  [[nodiscard]] Vec3 vertex(std::uint32_t v) const {
    return posed_vertex(posed.tree->frame.to_meters(Vec3::Map(posed.tree->vertices[v].x)),
                        posed.world_from_mesh);
  }
  [[nodiscard]] MovedPoint moved(std::uint32_t v) const { return {vertex(v), ties.way(v)}; }
  /// Of triangle t of leaf i, for 4 i + t.
  [[nodiscard]] std::array<std::uint32_t, 3> corners(std::uint32_t place) const {
    const auto& corner = posed.tree->leaves[place / TriangleTree::kLeafTriangles].corner;
    const std::vector<std::uint32_t>& same = sums.spanning->same;
    const std::size_t t = place % TriangleTree::kLeafTriangles;
    return {same[corner[0][t]], same[corner[1][t]], same[corner[2][t]]};
  }
  [[nodiscard]] CrossingTriangle triangle(const PosedLeaf& leaf, std::uint32_t number,
                                          std::size_t t) const {
    const auto place = static_cast<std::uint32_t>(TriangleTree::kLeafTriangles * number + t);
    return {leaf.corners(t), corners(place), &ties};
  }
};

/// What decides where surfaces coincide: A shrinks, twice as fast as B shrinks or grows.
enum class TieBreak { kShrinkBoth, kGrowB };

/// Keeps its memory from search to search.
struct CurveSearch {
  Side a, b;
  ClosePairSearch close;
  LocalFrame local;
  CurveSums curve;
  Mat3 second = Mat3::Zero();
  bool is_bounded = true;  // `second`
  bool has_common_faces = false;
  std::size_t crossings = 0;
  std::size_t certain_crossings = 0;  // those that no random way decided
  std::size_t parted = 0;             // pairs of triangles in leaves that come apart
  std::vector<CurveSegment> segments;

  /// Begins a search. Precondition: check_posed of both, and both surfaces are closed.
  void start(const MomentTree& tree_a, const Similarity& world_from_a, const MomentTree& tree_b,
             const Similarity& world_from_b, TieBreak by = TieBreak::kShrinkBoth);

  /// Finds the curve. Returns whether it came to its end: not where is_over(work) held before [us].
  template <class IsOver>
  [[nodiscard]] bool follow_curve(const OverlapParts& parts, const IsOver& is_over) {
    // Pairs of leaves: few at first, in case there is little time.
    constexpr std::size_t kFew = 16, kMany = 512;
    std::size_t enough = kFew;
    for (bool goes_on = true; goes_on; enough = std::min(2 * enough, kMany)) {
      goes_on = close.find(enough);
      add_close_pairs(parts);
      if (goes_on && is_over(close.counts().work())) return false;
      if (close.is_weary(crossings + parted, 1)) close.look_closer();
    }
    return true;
  }

  /// Sets the windings around roots, and adds what is whole to the sums.
  void add_roots();

 private:
  void add_close_pairs(const OverlapParts& parts);
  [[nodiscard]] bool come_apart(const LeafPair& leaf, const PosedLeafPair& posed) const;
  void add_pair(const LeafPair& leaf, const PosedLeafPair& posed, const ClosePair& pair,
                const OverlapParts& parts);
  [[nodiscard]] RoundedPoint passing_point(const CrossingTriangle& of, const PassingEdge& edge,
                                           const CrossingTriangle& plane) const;
  void look_for_common_faces(const CrossingTriangle& t, const CrossingTriangle& u);
  void add_second(const Vec3& n, const Vec3& m, double length);
};

}  // namespace plimsoll
