// Where two triangles of two solids cross, with signs that leave nothing undecided.
//
// T and U, with normals n and m, cross in a segment along n x m. T's boundary passes the plane of U
// twice: down where it enters U's solid and up where it leaves it. Along n x m, T's part of the
// line that both planes share begins where T's boundary goes up and ends where it goes down; U's
// part begins where U's boundary goes down through the plane of T and ends where it goes up. With
// each edge taken from its end in front of the other triangle to that behind it, e = (e0, e1) of T
// meets the line before f = (f0, f1) of U if orient3d(e0, e1, f0, f1) > 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "overlap/moved_points.h"
#include "overlap/tie_breaker.h"

namespace plimsoll {

struct CrossingTriangle {
  std::array<Vec3, 3> at;               ///< In the world [m].
  std::array<std::uint32_t, 3> vertex;  ///< SpanningMoments::same.
  const TieBreaker* ties;
  mutable std::optional<std::array<Vec3, 3>> ways = {};  ///< Made when they are first asked for.

  [[nodiscard]] MovedPoint moved(int k) const {
    if (!ways) ways = {ties->way(vertex[0]), ties->way(vertex[1]), ties->way(vertex[2])};
    return {at[k], (*ways)[k]};
  }
  [[nodiscard]] bool knows_ways() const {
    return ties->knows_way(vertex[0]) && ties->knows_way(vertex[1]) && ties->knows_way(vertex[2]);
  }
  [[nodiscard]] bool names_a_vertex_twice() const {
    return vertex[0] == vertex[1] || vertex[1] == vertex[2] || vertex[2] == vertex[0];
  }
};

/// An edge that passes the plane of the other triangle: from corner `number` to the next.
struct PassingEdge {
  int number;
  bool goes_up;  ///< From behind to in front.

  [[nodiscard]] int front() const { return goes_up ? (number + 1) % 3 : number; }
  [[nodiscard]] int back() const { return goes_up ? number : (number + 1) % 3; }
};

/// An end of the segment: where an edge of one triangle passes through the other.
struct CrossingEnd {
  bool is_of_t;
  PassingEdge edge;
};

/// The segment, from its first end to its second along n x m.
struct TriangleCrossing {
  CrossingEnd first, second;
};

/// On which sides of the plane of one triangle the corners of another are. Of triangles that are in
/// one plane and are moved apart along its normal, no corner counts as in front.
struct CornerSides {
  unsigned above = 0;     ///< Bit k: corner k is in front.
  bool in_plane = false;  ///< Without being moved, all are in the plane.

  [[nodiscard]] bool is_one_side() const { return above == 0 || above == 7; }
};
[[nodiscard]] CornerSides sides_of(const CrossingTriangle& plane, const CrossingTriangle& other);

/// Where they cross, if they do. Bit k of `t_above` tells that corner k of t is in front of u;
/// `u_above` likewise. Precondition: neither is on one side.
[[nodiscard]] std::optional<TriangleCrossing> crossing_of(const CrossingTriangle& t,
                                                          unsigned t_above,
                                                          const CrossingTriangle& u,
                                                          unsigned u_above);

/// How far along an edge, from its front to its back, a plane passes it: in [0, 1].
struct PassingShare {
  double share;
  double error;  ///< The most that it is off by: less than 2^-44.
};
/// Where the edge of `of` passes the plane of the other triangle. All triangles of one edge get the
/// same bits.
[[nodiscard]] PassingShare passing_share(const CrossingTriangle& of, const PassingEdge& edge,
                                         const CrossingTriangle& plane);

}  // namespace plimsoll
