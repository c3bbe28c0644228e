// How the moments of the part of a closed surface that lies in another solid follow from the curve
// in which the surfaces cross, however large that part is.
//
// Let w(v) be how often the other surface winds around vertex v, and M(v) the moments of the
// triangles whose second corner is v. A tree of edges spans the vertices. With S(v) the sum of M
// over v and all vertices below it in that tree,
//
//   sum_v w(v) M(v) = w(root) S(root) + sum over its edges (p, c) of (w(c) - w(p)) S(c),
//
// p the parent and c the child. The difference w(c) - w(p) counts the triangles of the other
// surface that the edge passes, with their signs: it is 0 but for edges that cross the curve. So
// what is wholly inside is never visited. (A discrete theorem of Stokes: M is the boundary of S.)
// What crossed triangles add to this stands in overlap/solid_sums.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tree/surface_moments.h"
#include "tree/triangle_tree.h"

namespace plimsoll {

/// Moments (surface_moments.h) of a part of a surface to twice the digits, since what is wanted may
/// be a small difference of large ones: the sum of both is off by less than 2^-76 of itself.
struct WideMoments {
  alignas(64) double high[kPatchSums] = {};
  float low[kPatchSums] = {};  ///< Over `high`: so it is of one size for bodies of any.
};

struct SpanningMoments {
  /// Which end of an edge is the child.
  enum Child : std::int8_t { kNone = 0, kFirst = -1, kSecond = 1 };
  struct LeafEdges {
    /// Edge k of triangle t, from corner k to the next, at [k][t]. Each edge of the spanning tree
    /// stands at one triangle; kNone where it is none, or stands elsewhere.
    std::int8_t child[3][TriangleTree::kLeafTriangles] = {};
  };
  /// The vertices below v, and v itself, are those whose place is in [place, end). Both are 0 where
  /// no triangle names v.
  struct Range {
    std::uint32_t place = 0, end = 0;

    [[nodiscard]] bool contains(const Range& other) const {
      return place <= other.place && other.place < end;
    }
  };
  /// A part of the surface that is connected.
  struct Component {
    std::uint32_t root = 0;
    std::array<std::uint32_t, 6> extreme{};  ///< Vertices: least and largest in x, in y, in z.
  };

  /// Vertices of equal coordinates count as one: the first of them. By vertex of the tree.
  std::vector<std::uint32_t> same;
  std::vector<LeafEdges> edges;  ///< By leaf.
  /// Triangles, by the place of their second corner: those of place i from `first_triangle[i]` on,
  /// up to those of the next. Triangle t of leaf i is 4 i + t.
  std::vector<std::uint32_t> triangles, first_triangle;
  std::vector<Range> range;        ///< By vertex.
  std::vector<WideMoments> below;  ///< S, by vertex.
  std::vector<Component> components;
  /// By vertex: a unit vector into the solid, whose product with the inward unit normal of each
  /// triangle around the vertex is at least 2^-8; 0 where none was found.
  std::vector<std::array<float, 3>> inward;
  /// By leaf: the least and the largest coordinates of `inward` at its corners.
  struct InwardRange {
    std::array<float, 3> low, high;
  };
  std::vector<InwardRange> inward_of_leaf;
  /// Two vertices of the tree: an edge that is run along more often in one direction than in the
  /// other. All sums are without meaning then.
  std::optional<std::array<std::uint32_t, 2>> open_edge;

  [[nodiscard]] std::size_t memory() const;  ///< [bytes]
};

/// Triangles that name a vertex twice are left out. `before`, where it is given, is that of the
/// same triangles with other vertices: what follows from how they are joined is taken over, if the
/// same vertices are equal. The answer is the same. O(n log n), in parallel.
[[nodiscard]] SpanningMoments spanning_moments(const TriangleTree& tree,
                                               const SpanningMoments* before = nullptr);

}  // namespace plimsoll
