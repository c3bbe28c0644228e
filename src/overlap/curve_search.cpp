#include "overlap/curve_search.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/predicates.h"
#include "overlap/triangle_crossing.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;

/// The middle of the boxes' common part, in the world; that of A's box where they have none.
Vec3 middle_of(const PosedTree& a, const PosedTree& b) {
  const auto world_box = [](const PosedTree& posed) {
    Box3 box;
    for (int i = 0; i < 8; ++i)
      box.extend(posed.world_from_mesh * posed.tree->box.corner(static_cast<Box3::CornerType>(i)));
    return box;
  };
  const Box3 box_a = world_box(a), box_b = world_box(b);
  const Box3 common = box_a.intersection(box_b);
  return common.isEmpty() ? box_a.center() : common.center();
}

/// The most that posing rounds a vertex by: in each coordinate one rounding of what comes of it,
/// and three of what the turn makes.
double rounding_of(const PosedTree& posed) {
  const Similarity& pose = posed.world_from_mesh;
  if (pose.matrix() == Similarity::Identity().matrix()) return 0;
  PosedTree turned = posed;
  turned.world_from_mesh.translation().setZero();
  return 0x1p-52 * (largest_coordinate(posed) + 3 * largest_coordinate(turned));
}

Vec3 unit_normal(const PosedLeaf& leaf, std::size_t t) {
  const Vec3 normal(leaf.normal[0][t], leaf.normal[1][t], leaf.normal[2][t]);
  const double length = normal.stableNorm();
  return length > 0 ? Vec3(normal / length) : Vec3(Vec3::Zero());
}

CurveKnot knot(const CrossingTriangle& of, const PassingEdge& edge, bool is_of_t,
               std::uint32_t other) {
  const std::uint32_t front = of.vertex[edge.front()], back = of.vertex[edge.back()];
  const auto [low, high] = std::minmax(front, back);
  return {is_of_t ? 0U : 1U, low, high, other, low == front ? 1 : -1};
}

Error open_surface(const TriangleTree& tree, const std::array<std::uint32_t, 2>& edge,
                   const char* name) {
  const auto number = [&](std::uint32_t v) {
    return std::to_string(tree.sources.empty() ? v : tree.sources[v]);
  };
  return {ErrorCode::kNotClosed,
          "found an edge between vertices " + number(edge[0]) + " and " + number(edge[1]) +
              " that triangles run along more often in one direction than in the other, expected "
              "a closed surface, all of whose triangles are turned one way",
          name};
}

Result<void> check(const MomentTree& tree, const Similarity& pose, const char* pose_name,
                   const char* name) {
  if (Result<void> usable = check_posed({tree.triangles.get(), pose}, pose_name); !usable)
    return usable;
  const auto& open = spanning_of(tree).open_edge;
  return open ? open_surface(*tree.triangles, *open, name) : Result<void>{};
}

}  // namespace

Result<void> check_solids(const MomentTree& a, const Similarity& world_from_a, const MomentTree& b,
                          const Similarity& world_from_b) {
  if (Result<void> usable = check(a, world_from_a, "world_from_a", "a"); !usable) return usable;
  return check(b, world_from_b, "world_from_b", "b");
}

void CurveSearch::start(const MomentTree& tree_a, const Similarity& world_from_a,
                        const MomentTree& tree_b, const Similarity& world_from_b, TieBreak by) {
  a.start(tree_a, world_from_a, 1, true);
  b.start(tree_b, world_from_b, by == TieBreak::kShrinkBoth ? 0.5 : -0.5, false);
  local.origin = middle_of(a.posed, b.posed);
  local.exponent = frame_exponent(std::min(a.posed.tree->frame.reach * unit_of(a.posed),
                                           b.posed.tree->frame.reach * unit_of(b.posed)));
  for (Side* side : {&a, &b})
    side->sums.vertex_off = times_power_of_two(rounding_of(side->posed), -local.exponent);
  curve = {};
  second.setZero();
  is_bounded = true;
  has_common_faces = false;
  crossings = 0;
  certain_crossings = 0;
  parted = 0;
  segments.clear();
  close.start(a.posed, b.posed);
}

/// Where an edge of `of` passes the plane of `plane`: the same bits for all triangles of the
/// edge.
RoundedPoint CurveSearch::passing_point(const CrossingTriangle& of, const PassingEdge& edge,
                                        const CrossingTriangle& plane) const {
  const Vec3 from = local(of.at[edge.front()]), to = local(of.at[edge.back()]);
  const auto [share, error] = passing_share(of, edge, plane);
  const Vec3 way = to - from;
  return {from + share * way,
          error * way.lpNorm<1>() + 0x1p-50 * (from.lpNorm<1>() + to.lpNorm<1>())};
}

/// Whether all triangles of both leaves lie in one plane square to an axis, and are moved so that a
/// plane parallel to it lies between them: faces that lie against each other, or that are flush.
bool CurveSearch::come_apart(const LeafPair& leaf, const PosedLeafPair& posed) const {
  for (int axis = 0; axis < 3; ++axis) {
    const double* low_a = posed.a->low[axis];
    const double* low_b = posed.b->low[axis];
    const double plane = low_a[0];
    double low = plane, high = plane;
    for (std::size_t t = 0; t < kOfLeaf; ++t) {
      low = std::min({low, low_a[t], low_b[t]});
      high = std::max({high, posed.a->high[axis][t], posed.b->high[axis][t]});
    }
    if (low != high) continue;
    const Box3 of_a = a.ties.ways(leaf.a), of_b = b.ties.ways(leaf.b);
    return of_a.min()[axis] > of_b.max()[axis] || of_b.min()[axis] > of_a.max()[axis];
  }
  return false;
}

void CurveSearch::add_close_pairs(const OverlapParts& parts) {
  std::size_t last = close.leaves().size();
  bool apart = false;
  for (const ClosePair& pair : close.close()) {
    const LeafPair& leaf = close.leaf_pairs()[pair.leaf_pair];
    const PosedLeafPair& posed = close.leaves()[pair.leaf_pair];
    if (pair.leaf_pair != last) apart = come_apart(leaf, posed);
    last = pair.leaf_pair;
    if (!apart) {
      add_pair(leaf, posed, pair, parts);
      continue;
    }
    ++parted;
    if (!has_common_faces)
      look_for_common_faces(a.triangle(*posed.a, leaf.a, pair.t),
                            b.triangle(*posed.b, leaf.b, pair.u));
  }
}

void CurveSearch::add_pair(const LeafPair& leaf, const PosedLeafPair& posed, const ClosePair& pair,
                           const OverlapParts& parts) {
  const CrossingTriangle t = a.triangle(*posed.a, leaf.a, pair.t);
  const CrossingTriangle u = b.triangle(*posed.b, leaf.b, pair.u);
  if (t.names_a_vertex_twice() || u.names_a_vertex_twice()) return;
  unsigned t_above = pair.t_above, u_above = pair.u_above;
  if (!pair.is_certain) {
    const CornerSides t_sides = sides_of(u, t);
    if (t_sides.in_plane) look_for_common_faces(t, u);
    if (t_sides.is_one_side()) return;
    const CornerSides u_sides = sides_of(t, u);
    if (u_sides.is_one_side()) return;
    t_above = t_sides.above;
    u_above = u_sides.above;
  }
  const std::optional<TriangleCrossing> crossing = crossing_of(t, t_above, u, u_above);
  if (!crossing) return;
  ++crossings;
  if (pair.is_certain || (t.knows_ways() && u.knows_ways())) ++certain_crossings;
  const std::array<CrossingEnd, 2> ends{crossing->first, crossing->second};
  std::array<RoundedPoint, 2> at;
  for (std::size_t i = 0; i < 2; ++i)
    at[i] = ends[i].is_of_t ? passing_point(t, ends[i].edge, u) : passing_point(u, ends[i].edge, t);
  curve.add(at[0].at, at[1].at);
  const Vec3 t_normal = unit_normal(*posed.a, pair.t), u_normal = unit_normal(*posed.b, pair.u);
  if (parts.volume) {
    const RoundedPoint t_corner[3] = {rounded_point(local, t.at[0]), rounded_point(local, t.at[1]),
                                      rounded_point(local, t.at[2])};
    const RoundedPoint u_corner[3] = {rounded_point(local, u.at[0]), rounded_point(local, u.at[1]),
                                      rounded_point(local, u.at[2])};
    for (std::size_t i = 0; i < 2; ++i) {
      if (ends[i].is_of_t)
        a.sums.add_passing(t, leaf.a, pair.t, ends[i].edge, t_corner, at[i], t_normal);
      else
        b.sums.add_passing(u, leaf.b, pair.u, ends[i].edge, u_corner, at[i], u_normal);
    }
    a.sums.fans.add(1, t_corner[0], at[0], at[1], t_normal);
    b.sums.fans.add(1, u_corner[0], at[1], at[0], u_normal);
  }
  if (parts.second_derivative) add_second(t_normal, u_normal, (at[1].at - at[0].at).norm());
  if (parts.contacts || parts.curve || parts.pieces) {
    const std::uint32_t t_number = kOfLeaf * leaf.a + pair.t;
    const std::uint32_t u_number = kOfLeaf * leaf.b + pair.u;
    const auto knot_of = [&](const CrossingEnd& end) {
      return end.is_of_t ? knot(t, end.edge, true, u_number) : knot(u, end.edge, false, t_number);
    };
    segments.push_back({knot_of(ends[0]), knot_of(ends[1]), at[0], at[1], {t_number, u_number}});
  }
}

void CurveSearch::add_roots() {
  const PosedSolid solid_a = a.solid(), solid_b = b.solid();
  const RootWindings of_a(solid_a, solid_b), of_b(solid_b, solid_a);
  for (const auto& [side, windings] : {std::pair(&a, &of_a), std::pair(&b, &of_b)}) {
    side->root_windings.clear();
    for (const SpanningMoments::Component& component : side->sums.spanning->components) {
      side->root_windings.push_back(windings->of_root(component, side->sums.steps));
      side->sums.add_root(component, side->root_windings.back());
    }
  }
}

void CurveSearch::look_for_common_faces(const CrossingTriangle& t, const CrossingTriangle& u) {
  if (has_common_faces) return;
  if (are_collinear(t.at[0], t.at[1], t.at[2]) || are_collinear(u.at[0], u.at[1], u.at[2])) return;
  has_common_faces = interiors_overlap_in_plane({t.at, t.vertex}, {u.at, u.vertex});
}

void CurveSearch::add_second(const Vec3& n, const Vec3& m, double length) {
  const double sine = n.cross(m).norm();
  if (sine > 0)
    second -= n * m.transpose() * (length / sine);
  else
    is_bounded = is_bounded && length == 0;
}

}  // namespace plimsoll
