// What bounds the parts of two surfaces that lie inside the other solid, and which of these parts
// belong together.
//
// They consist of parts of triangles. Parts that have an edge in common, or a segment of the curve,
// belong together; so their corners are joined along what bounds them: vertices inside the other
// solid along edges that do not pass it, and knots of the curve along segments and along the pieces
// of edges that are inside. Nothing joins the border of a hole in a triangle to the rest: the cones
// under the parts fill it on one side and its other side on the other, so that both are closed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/disjoint_sets.h"
#include "overlap/curve_loops.h"
#include "overlap/curve_search.h"
#include "overlap/edge_knots.h"
#include "overlap/local_frame.h"

namespace plimsoll {

class PieceBorders {
 public:
  /// After the curve and the windings around roots were found. Keeps references.
  PieceBorders(const std::array<const Side*, 2>& sides, std::span<const CurveSegment> segments,
               const LocalFrame& local);

  /// Whether a surface winds more than once around a point of the other: it bounds nothing there.
  [[nodiscard]] bool is_tangled() const { return is_tangled_; }
  /// By corners' nodes: all corners of a connected surface are in one.
  [[nodiscard]] DisjointSets& groups() { return groups_; }
  [[nodiscard]] std::size_t node_count() const {
    return vertices_[1].first_node + vertices_[1].local.size();
  }

  /// Calls use(times, o, p, q, node) for each triangle o, p, q of which the cones under the parts
  /// of one surface consist.
  template <class Use>
  void visit_fans(std::size_t s, const Use& use) {
    const Vertices& of = vertices_[s];
    visit_triangles(s, [&](const std::array<std::uint32_t, 3>& c) {
      visit_inside(s, c[1], c[2], [&](const Corner& x, const Corner& y) {
        use(inside(s), of.local[c[0]], x.at, y.at, x.node);
      });
    });
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      RoundedPoint from = segments_[i].from, to = segments_[i].to;
      if (s == 1) std::swap(from, to);
      use(1, of.local[side(s).corners(segments_[i].triangle[s])[0]], from, to, nodes_[i][0]);
    }
  }

  /// Calls use(u, v, knot, node) for each knot on an edge, for each triangle of the edge.
  template <class Use>
  void visit_knots(std::size_t s, const Use& use) {
    const Vertices& of = vertices_[s];
    visit_triangles(s, [&](const std::array<std::uint32_t, 3>& c) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t u = c[k], v = c[(k + 1) % 3];
        const auto [first, last] = knots_of(s, u, v);
        for (std::size_t i = first; i < last; ++i)
          use(of.local[u], of.local[v], knots_[i].at, static_cast<std::uint32_t>(i));
      }
    });
  }

 private:
  using Corner = EdgeKnots::Corner;
  /// Of one solid: where they are, and how often the other surface winds around them.
  struct Vertices {
    std::vector<RoundedPoint> local;
    std::vector<int> winding;
    std::vector<bool> is_passed;  // whether an edge of it passes the other surface
    std::uint32_t first_node = 0;
  };
  [[nodiscard]] const Side& side(std::size_t s) const { return *sides_[s]; }
  /// The winding number around what is inside the other solid.
  [[nodiscard]] int inside(std::size_t s) const { return side(1 - s).sign > 0 ? 1 : -1; }

  void set_vertices();
  void join();

  /// The range of those on one edge.
  [[nodiscard]] std::pair<std::size_t, std::size_t> knots_of(std::size_t s, std::uint32_t u,
                                                             std::uint32_t v) const;

  template <class Use>
  void visit_triangles(std::size_t s, const Use& use) const {
    const auto count = static_cast<std::uint32_t>(side(s).posed.tree->triangles);
    for (std::uint32_t place = 0; place < count; ++place) {
      const std::array<std::uint32_t, 3> c = side(s).corners(place);
      if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) use(c);
    }
  }

  /// Calls use(corner, corner) for each piece of the edge from u to v that is inside the other
  /// solid. Sets is_tangled_ where winding numbers along it are others than 0 and that inside.
  template <class Use>
  void visit_inside(std::size_t s, std::uint32_t u, std::uint32_t v, const Use& use) {
    const Vertices& of = vertices_[s];
    const auto [low, high] = std::minmax(u, v);
    const auto visit = [&, is_upward = u == low](const Corner& x, const Corner& y, int winding) {
      is_tangled_ =
          is_tangled_ || (winding != 0 && winding != inside(s) && !knots_.is_empty_before(y));
      if (winding != 0) is_upward ? use(x, y) : use(y, x);
    };
    const int last =
        knots_.visit_pieces(knots_of(s, u, v), {of.local[low], of.first_node + low},
                            {of.local[high], of.first_node + high}, of.winding[low], visit);
    is_tangled_ = is_tangled_ || last != of.winding[high];
  }

  std::array<const Side*, 2> sides_;
  std::span<const CurveSegment> segments_;
  const LocalFrame& local_;
  EdgeKnots knots_;
  std::vector<std::array<std::uint32_t, 2>> nodes_;  // of the ends of each segment
  std::array<Vertices, 2> vertices_;
  DisjointSets groups_{0};
  bool is_tangled_ = false;
};

}  // namespace plimsoll
