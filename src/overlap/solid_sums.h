// One of two solids in a query, and what its surface inside the other adds up to.
//
// Of a triangle with corners o, v, z, the part inside the other solid is bounded by pieces of its
// edges and by the segments in which it is crossed. Seen from o only those pieces matter that lie
// on the edge from v to z: with w(v) how often the other surface winds around v, the integral over
// the part is that over
//
//   w(v) (o, v, z) + sum over the crossings c of the edge of s (o, c, z) + sum of (o, p, q)
//
// over the segments from p to q, s = 1 where the edge enters the other solid at c and -1 where it
// leaves. The first terms of all triangles add up along the spanning tree (spanning_moments.h), so
// that each crossing adds what it means for edges and each segment what it means for triangles, on
// its own. Points of crossings are computed once for all who use them: wherever rounding may have
// put them, the surface that is integrated over is closed, but for slivers between edges and what
// is rounded beside them, which the error counts.
#pragma once

#include <plimsoll/types.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/expansion.h"
#include "overlap/local_frame.h"
#include "overlap/triangle_crossing.h"
#include "tree/spanning_moments.h"

namespace plimsoll {

/// Sums over triangles o, p, q: with N = (p - o) x (q - o) and D = o . N six times the volume below
/// them as seen from the origin, and 24 times its first moment.
struct FanSums {
  double volume_x6 = 0;
  Vec3 first_x24 = Vec3::Zero();
  double area_x2 = 0;
  double error_x6 = 0;      ///< The most that volume_x6 is off by, but for the sum.
  double magnitude_x6 = 0;  ///< The sum of |D|.

  // Moving a point by d changes the volume by a third of d times the area vector of the triangles
  // around it: six times that is at most the sum of d |p - o| |q - p|, the points where they are
  // moved to. Twice as much is taken. D itself takes 8 roundings. It is p . N as well: of long
  // triangles, o is far from where they cross, and p is there.
  void add(double times, const RoundedPoint& o, const RoundedPoint& p, const RoundedPoint& q,
           const Vec3& unit_normal) {
    const Vec3 e = p.at - o.at, f = q.at - p.at, normal = e.cross(f);
    const double d = times * p.at.dot(normal);
    volume_x6 += d;
    first_x24 += d * (o.at + p.at + q.at);
    area_x2 += times * normal.dot(unit_normal);
    magnitude_x6 += std::fabs(d);
    const double off = o.off + p.off + q.off;
    error_x6 += e.lpNorm<1>() * (f.lpNorm<1>() + off) * (2 * off + 0x1p-49 * p.at.lpNorm<1>());
  }
};

/// What lies between an edge and what is meant to lie on it, seen from the origin.
struct Sliver {
  double width, reach;

  Sliver(const Vec3& p, const Vec3& q)
      : width(p.cross(q).norm()), reach(p.lpNorm<1>() + q.lpNorm<1>()) {}
  /// Six times the most that it holds where what is meant to lie on the edge may be `off`.
  [[nodiscard]] double most_x6(double off) const { return 2 * off * (width + off * reach); }
};

/// Sums of WideMoments.
struct WindingSums {
  double high[kPatchSums] = {}, low[kPatchSums] = {};
  double size_x18 = 0;         ///< The sum of the absolute terms of what gives the volume about the
                               ///< center of the frame.
  double normal_size[3] = {};  ///< The same of N.
  bool is_empty = true;

  void add(double times, const WideMoments& moments) {
    for (std::size_t i = 0; i < kPatchSums; ++i) {
      const double term = times * moments.high[i];
      const Parts sum = exact_sum(high[i], term);
      high[i] = sum.high;
      low[i] += sum.low + term * static_cast<double>(moments.low[i]);
    }
    const auto size_of = [&](std::size_t i) { return std::fabs(times * moments.high[i]); };
    size_x18 += size_of(0) + size_of(4) + size_of(8);
    for (std::size_t i = 0; i < 3; ++i) normal_size[i] += size_of(kPatchNormal + i);
    is_empty = false;
  }
};

/// An edge of the spanning tree that passes the other surface.
struct WindingStep {
  std::uint32_t child;
  int by;  ///< What the winding number below the edge is above that of the parent.
};

struct SolidSums {
  const SpanningMoments* spanning = nullptr;
  FanSums fans;
  WindingSums whole;
  std::vector<WindingStep> steps;
  double vertex_off = 0;  ///< The most that posing rounds a vertex by: `whole` is posed without.

  void start(const SpanningMoments& moments) {
    spanning = &moments;
    fans = {};
    whole = {};
    steps.clear();
  }

  // The two triangles of an edge may see the crossing from either end of it.
  //
  // What is whole takes a triangle as often as the other surface winds around its second corner,
  // and ends at edges whose two triangles are not taken equally often. Both are compared with one
  // end of the edge: that is another number only where the edge from the second corner to it
  // passes. So this counts for itself, and for the edge opposite of the second corner.
  /// Adds an edge of a triangle that passes the other surface at `at`; `corner` are the corners.
  void add_passing(const CrossingTriangle& triangle, std::uint32_t leaf, std::size_t t,
                   const PassingEdge& edge, const RoundedPoint (&corner)[3], const RoundedPoint& at,
                   const Vec3& unit_normal) {
    const int by = edge.goes_up ? -1 : 1;
    const Vec3 &from = corner[edge.number].at, &to = corner[(edge.number + 1) % 3].at;
    const Sliver along(from, to);
    fans.error_x6 += along.most_x6(at.off);
    if (edge.number != 2 && vertex_off > 0)
      fans.error_x6 +=
          along.most_x6(vertex_off) + Sliver(corner[2].at, corner[0].at).most_x6(vertex_off);
    if (edge.number == 1) fans.add(by, corner[0], at, corner[2], unit_normal);
    const std::int8_t child = spanning->edges[leaf].child[edge.number][t];
    if (child == SpanningMoments::kNone) return;
    const int end = child == SpanningMoments::kSecond ? (edge.number + 1) % 3 : edge.number;
    const std::uint32_t vertex = triangle.vertex[end];
    whole.add(by * child, spanning->below[vertex]);
    steps.push_back({vertex, by * child});
  }

  /// Adds a component whose root the other surface winds around `winding` times.
  void add_root(const SpanningMoments::Component& component, int winding) {
    if (winding != 0) whole.add(winding, spanning->below[component.root]);
  }
};

}  // namespace plimsoll
