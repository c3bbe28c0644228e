#include "pairs/triangle_pair.h"

#include <algorithm>
#include <utility>

#include "core/predicates.h"

// Two triangles in different planes have a segment of the line common to both planes in common, a
// point of it, or nothing. Each end of that segment lies on the border of one of them and in the
// other, so they meet if and only if an edge of one meets the other, and an edge that lies in the
// plane of the other need not be asked: where it meets the other, so does one of its neighbors in
// an end of it, or an edge of the other meets it.
//
// Where they share a vertex v, the segment runs from v to the edge opposite v of one of them, so
// only these two edges matter. Where they share an edge, it is the segment, unless they lie in one
// plane.
//
// Where none of their corners is on the plane of the other [GuigueDevillers2003]: let p be
// the corner of t that is alone on its side of u, and q, r the next ones, so that t meets the line
// from pq to pr; likewise a, b, c of u. With q and r swapped where a is behind t, and b and c where
// p is behind u, both run along the line in one direction, and they overlap if and only if
// orient3d(p, q, a, b) and orient3d(p, r, c, a) are not positive.
//
// Where the signs are in doubt, most often as both lie in nearly one plane, a plane square to that
// of one of them and parallel to one of its edges may still part them, further than rounding goes:
// that takes a tenth of the time of the exact signs.
//
// A triangle without area has no plane: every orient3d with its corners in front is 0. So where the
// sides of all corners of the other are 0, it has to be asked whether the two lie in one plane or
// one has no area. Otherwise its edges are asked as all are. Corners on one line are ordered along
// it as they are by their coordinates, the first that differs deciding; the first and the last of
// them are the ends of the segment.

namespace plimsoll {
namespace {

bool on_one_side(int a, int b, int c) {
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}
// Where the segment pq, not both ends of which lie in the plane of u, passes u. `p_side` and
// `q_side` are the sides of the ends.
Meeting segment_meeting(const Vec3& p, const Vec3& q, int p_side, int q_side, const Corners& u) {
  if (p_side == q_side) return Meeting::kApart;
  const auto& [a, b, c] = u.point;
  const int ab = orient3d(p, q, a, b);
  const int bc = orient3d(p, q, b, c);
  if (ab * bc < 0) return Meeting::kApart;
  const int ca = orient3d(p, q, c, a);
  if (is_mixed({ab, bc, ca})) return Meeting::kApart;
  const bool through_interior = ab != 0 && bc != 0 && ca != 0;
  return through_interior && p_side * q_side < 0 ? Meeting::kCrosses : Meeting::kTouch;
}

// --- in one plane, projected along `axis` ---

bool in_triangle(const Vec3& p, const Corners& u, int axis) {
  const auto& [a, b, c] = u.point;
  return !is_mixed({orient2d(p, a, b, axis), orient2d(p, b, c, axis), orient2d(p, c, a, axis)});
}

// p, known to lie on the line through a and b, between them.
bool between(const Vec3& p, const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k)
    if (p[k] < std::min(a[k], b[k]) || p[k] > std::max(a[k], b[k])) return false;
  return true;
}

bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, int axis) {
  const int pqa = orient2d(p, q, a, axis), pqb = orient2d(p, q, b, axis);
  const int abp = orient2d(a, b, p, axis), abq = orient2d(a, b, q, axis);
  if (pqa * pqb < 0 && abp * abq < 0) return true;
  return (pqa == 0 && between(a, p, q)) || (pqb == 0 && between(b, p, q)) ||
         (abp == 0 && between(p, a, b)) || (abq == 0 && between(q, a, b));
}

bool segment_meets_in_plane(const Vec3& p, const Vec3& q, const Corners& u, int axis) {
  if (in_triangle(p, u, axis) || in_triangle(q, u, axis)) return true;
  const auto& [a, b, c] = u.point;
  return segments_meet(p, q, a, b, axis) || segments_meet(p, q, b, c, axis) ||
         segments_meet(p, q, c, a, axis);
}

// --- triangles without area ---

bool comes_before(const Vec3& p, const Vec3& q) {
  return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
}

struct Segment {
  Vec3 low, high;  // in the order of comes_before; equal where it is a point
};

Segment segment_of(const std::array<Vec3, 3>& collinear) {
  const auto [low, high] = std::minmax_element(collinear.begin(), collinear.end(), comes_before);
  return {*low, *high};
}

bool segments_meet(const Segment& s, const Segment& r) {
  if (orient3d(s.low, s.high, r.low, r.high) != 0) return false;
  // They lie in one plane, that of any three of their ends which do not lie on one line.
  const std::array<Vec3, 4> end{s.low, s.high, r.low, r.high};
  for (std::size_t out = 0; out < 4; ++out) {
    const Vec3 &a = end[out == 0 ? 1 : 0], &b = end[out <= 1 ? 2 : 1], &c = end[out <= 2 ? 3 : 2];
    for (int axis = 0; axis < 3; ++axis)
      if (orient2d(a, b, c, axis) != 0) return segments_meet(s.low, s.high, r.low, r.high, axis);
  }
  return !comes_before(s.high, r.low) && !comes_before(r.high, s.low);
}

Meeting segment_meeting(const Segment& s, const Corners& u) {
  const auto& [a, b, c] = u.point;
  const int low_side = orient3d(a, b, c, s.low), high_side = orient3d(a, b, c, s.high);
  if (low_side != 0 || high_side != 0)
    return segment_meeting(s.low, s.high, low_side, high_side, u);
  return segment_meets_in_plane(s.low, s.high, u, projection_axis(u)) ? Meeting::kTouch
                                                                      : Meeting::kApart;
}

// One of them, or both, without area.
Meeting meeting_of_flat(const Corners& t, bool t_is_flat, const Corners& u, bool u_is_flat) {
  if (!u_is_flat) return segment_meeting(segment_of(t.point), u);
  if (!t_is_flat) return segment_meeting(segment_of(u.point), t);
  return segments_meet(segment_of(t.point), segment_of(u.point)) ? Meeting::kTouch
                                                                 : Meeting::kApart;
}

bool is_flat(const Corners& t) { return are_collinear(t.point[0], t.point[1], t.point[2]); }

// --- by the number of shared vertices ---

// Of triangles of which one lies in the plane of the other, or has none.
Meeting meeting_in_plane(const Corners& t, const Corners& u) {
  const bool t_is_flat = is_flat(t), u_is_flat = is_flat(u);
  if (t_is_flat || u_is_flat) return meeting_of_flat(t, t_is_flat, u, u_is_flat);
  const int axis = projection_axis(u);
  bool meet = in_triangle(u.point[0], t, axis);
  for (int i = 0; i < 3 && !meet; ++i)
    meet = segment_meets_in_plane(t.point[i], t.point[(i + 1) % 3], u, axis);
  return meet ? Meeting::kTouch : Meeting::kApart;
}

// What rounding may change: coordinates less an origin, and sums of three products of them with a
// normal, are off by less than 5 x 2^-53 of the absolute terms. All corners are within `reach` of
// the origin.
double room_along(const Vec3& normal, const Vec3& reach) {
  return 0x1p-49 * normal.cwiseAbs().dot(reach) + 0x1p-1000;
}

// Whether planes square to that of t, along one of its edges, part t from u. False in doubt.
bool is_beside_prism(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  const Vec3 &origin = t[0], b = t[1] - origin, c = t[2] - origin;
  const std::array<Vec3, 3> way{u[0] - origin, u[1] - origin, u[2] - origin};
  Vec3 reach = b.cwiseAbs().cwiseMax(c.cwiseAbs());
  for (const Vec3& x : way) reach = reach.cwiseMax(x.cwiseAbs());
  const Vec3 normal = b.cross(c);
  for (const Vec3& edge : {b, Vec3(c - b), c}) {
    const Vec3 across = normal.cross(edge);
    const double of_b = across.dot(b), of_c = across.dot(c);
    const double low = std::min({0.0, of_b, of_c}), high = std::max({0.0, of_b, of_c});
    const double x = across.dot(way[0]), y = across.dot(way[1]), z = across.dot(way[2]);
    const double room = 2 * room_along(across, reach);
    if (std::min({x, y, z}) - high > room || low - std::max({x, y, z}) > room) return true;
  }
  return false;
}

bool is_in_doubt(const Corners& plane, const Corners& t) {
  const auto& [a, b, c] = plane.point;
  return std::any_of(t.point.begin(), t.point.end(), [&](const Vec3& p) {
    const RoundedDeterminant side = rounded_orient3d(a, b, c, p);
    return !side.is_positive() && !side.is_negative();
  });
}

Meeting meeting_without_shared(const Corners& t, const Corners& u) {
  const auto is_beside = [&] {
    return is_beside_prism(t.point, u.point) || is_beside_prism(u.point, t.point);
  };
  const bool was_in_doubt = is_in_doubt(u, t);
  if (was_in_doubt && is_beside()) return Meeting::kApart;
  const auto t_sides = sides_of_corners(u, t);
  if (on_one_side(t_sides[0], t_sides[1], t_sides[2])) return Meeting::kApart;
  if (t_sides == std::array{0, 0, 0}) return meeting_in_plane(t, u);
  if (!was_in_doubt && is_in_doubt(t, u) && is_beside()) return Meeting::kApart;
  const auto u_sides = sides_of_corners(t, u);
  if (on_one_side(u_sides[0], u_sides[1], u_sides[2])) return Meeting::kApart;
  Meeting meeting = Meeting::kApart;
  for (int i = 0; i < 3 && meeting != Meeting::kCrosses; ++i) {
    const int j = (i + 1) % 3;
    meeting = std::max(meeting, segment_meeting(t.point[i], t.point[j], t_sides[i], t_sides[j], u));
    meeting = std::max(meeting, segment_meeting(u.point[i], u.point[j], u_sides[i], u_sides[j], t));
  }
  return meeting;
}

// Corner ti of t is corner ui of u.
Meeting meeting_with_shared_vertex(const Corners& t, int ti, const Corners& u, int ui) {
  const Vec3 &a = t.point[(ti + 1) % 3], &b = t.point[(ti + 2) % 3];
  const Vec3 &c = u.point[(ui + 1) % 3], &d = u.point[(ui + 2) % 3];
  const auto& [u0, u1, u2] = u.point;
  const int a_side = orient3d(u0, u1, u2, a), b_side = orient3d(u0, u1, u2, b);
  if (a_side * b_side > 0) return Meeting::kApart;
  if (a_side == 0 && b_side == 0) {
    const int axis = projection_axis(u);
    return segment_meets_in_plane(a, b, u, axis) || segment_meets_in_plane(c, d, t, axis)
               ? Meeting::kTouch
               : Meeting::kApart;
  }
  const auto& [t0, t1, t2] = t.point;
  const int c_side = orient3d(t0, t1, t2, c), d_side = orient3d(t0, t1, t2, d);
  if (c_side * d_side > 0) return Meeting::kApart;
  return std::max(segment_meeting(a, b, a_side, b_side, u),
                  segment_meeting(c, d, c_side, d_side, t));
}

// Corners ti and ti + 1 of t are those of u other than ui.
Meeting meeting_with_shared_edge(const Corners& t, int ti, const Corners& u, int ui) {
  const Vec3 &a = t.point[ti], &b = t.point[(ti + 1) % 3], &c = t.point[(ti + 2) % 3];
  const Vec3& d = u.point[ui];
  if (orient3d(a, b, c, d) != 0) return Meeting::kApart;
  const int axis = projection_axis(u);
  return orient2d(a, b, c, axis) == orient2d(a, b, d, axis) ? Meeting::kTouch : Meeting::kApart;
}

}  // namespace

std::array<int, 3> sides_of_corners(const Corners& plane, const Corners& t) {
  const auto& [a, b, c] = plane.point;
  return {orient3d(a, b, c, t.point[0]), orient3d(a, b, c, t.point[1]),
          orient3d(a, b, c, t.point[2])};
}

int projection_axis(const Corners& t) {
  for (int axis = 0; axis < 2; ++axis)
    if (orient2d(t.point[0], t.point[1], t.point[2], axis) != 0) return axis;
  return 2;
}

Meeting meeting_of(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u) {
  return meeting_without_shared({t, {}}, {u, {}});
}

bool crossed_planes_meet(const std::array<Vec3, 3>& t, unsigned t_above,
                         const std::array<Vec3, 3>& u, unsigned u_above) {
  // The corner that is alone above, or below.
  constexpr std::size_t kLone[8] = {0, 0, 1, 2, 2, 1, 0, 0};
  const std::size_t i = kLone[t_above], k = kLone[u_above];
  const Vec3 &p = t[i], &a = u[k];
  const Vec3 *q = &t[(i + 1) % 3], *r = &t[(i + 2) % 3];
  const Vec3 *b = &u[(k + 1) % 3], *c = &u[(k + 2) % 3];
  if ((u_above >> k & 1U) == 0) std::swap(q, r);
  if ((t_above >> i & 1U) == 0) std::swap(b, c);
  // A processor cannot predict whether they meet, so that no branch depends on it.
  const RoundedDeterminant first = rounded_orient3d(p, *q, a, *b);
  const RoundedDeterminant second = rounded_orient3d(p, *r, *c, a);
  const bool meet = first.is_negative() & second.is_negative();
  const bool are_apart = first.is_positive() | second.is_positive();
  if (meet | are_apart) return meet;
  return orient3d(p, *q, a, *b) <= 0 && orient3d(p, *r, *c, a) <= 0;
}

Meeting meeting_within_mesh(const Corners& t, const Corners& u) {
  // For each corner of t, the corner of u that is the same vertex, or -1.
  std::array<int, 3> match{-1, -1, -1};
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (t.index[i] == u.index[j]) {
        match[i] = j;
        ++shared;
      }
  if (shared == 0) return meeting_without_shared(t, u);
  if (shared == 3) return Meeting::kTouch;
  // The one corner of t that is shared, or the one that is not.
  const auto is_lone = [shared](int m) { return (m >= 0) == (shared == 1); };
  const auto lone = std::find_if(match.begin(), match.end(), is_lone);
  const int i = static_cast<int>(lone - match.begin());
  if (shared == 1) return meeting_with_shared_vertex(t, i, u, match[i]);
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  return meeting_with_shared_edge(t, j, u, 3 - match[j] - match[k]);
}

bool edge_is_touched(const Corners& t, int i, const Corners& u, const std::array<int, 3>& sides) {
  const int j = (i + 1) % 3;
  if (sides[i] == 0 && sides[j] == 0)
    return segment_meets_in_plane(t.point[i], t.point[j], u, projection_axis(u));
  return sides[i] * sides[j] < 0 &&
         segment_meeting(t.point[i], t.point[j], sides[i], sides[j], u) != Meeting::kApart;
}

bool interiors_overlap_in_plane(const Corners& t, const Corners& u) {
  const int axis = projection_axis(u);
  // Two convex polygons whose interiors are disjoint are separated by the line of an edge.
  const auto separates = [axis](const Corners& polygon, const Corners& other) {
    const int inside = orient2d(polygon.point[0], polygon.point[1], polygon.point[2], axis);
    for (int i = 0; i < 3; ++i) {
      const Vec3 &a = polygon.point[i], &b = polygon.point[(i + 1) % 3];
      if (std::all_of(other.point.begin(), other.point.end(),
                      [&](const Vec3& p) { return orient2d(a, b, p, axis) * inside <= 0; }))
        return true;
    }
    return false;
  };
  return !separates(t, u) && !separates(u, t);
}

}  // namespace plimsoll
