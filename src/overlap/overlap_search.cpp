#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/double_double.h"
#include "core/power_of_two.h"
#include "core/predicates.h"
#include "hydro/moment_tree.h"
#include "overlap/curve_loops.h"
#include "overlap/curve_sums.h"
#include "overlap/root_winding.h"
#include "overlap/solid_sums.h"
#include "overlap/triangle_crossing.h"
#include "pairs/close_pair_search.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;

/// The middle of the boxes' common part, in the world; that of both where they have none.
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

/// Lengths are taken from an origin, and in units of 2^exponent m.
struct LocalFrame {
  Vec3 origin = Vec3::Zero();
  int exponent = 0;

  [[nodiscard]] Vec3 operator()(const Vec3& x) const {
    const Vec3 from_origin = x - origin;
    if (exponent == 0) return from_origin;
    return from_origin.unaryExpr([&](double c) { return times_power_of_two(c, -exponent); });
  }
  /// `x`, a length to the power of `power`, in meters.
  [[nodiscard]] double meters(double x, int power) const {
    return times_power_of_two(x, power * exponent);
  }
  [[nodiscard]] Vec3 meters(const Vec3& x, int power) const {
    return x.unaryExpr([&](double c) { return meters(c, power); });
  }
};

/// One of the two solids of a query.
struct Side {
  PosedTree posed;
  double sign = 1;  ///< -1 where the surface is turned inward.
  TieBreaker ties;
  SolidSums sums;

  void start(const MomentTree& tree, const Similarity& pose, bool is_first) {
    posed = {tree.triangles.get(), pose};
    sign = sign_of(tree.whole);
    const SpanningMoments& spanning = tree.spanning->of(*tree.triangles);
    ties = TieBreaker(spanning, posed, (is_first ? 1.0 : 0.5) * sign, is_first ? 0 : 1);
    sums.start(spanning);
  }
  [[nodiscard]] PosedSolid solid() const { return {posed, sums.spanning, &ties}; }
  [[nodiscard]] CrossingTriangle triangle(const PosedLeaf& leaf, std::uint32_t number,
                                          std::size_t t) const {
    const auto& corner = posed.tree->leaves[number].corner;
    const std::vector<std::uint32_t>& same = sums.spanning->same;
    return {leaf.corners(t), {same[corner[0][t]], same[corner[1][t]], same[corner[2][t]]}, &ties};
  }
};

Vec3 unit_normal(const PosedLeaf& leaf, std::size_t t) {
  const Vec3 normal(leaf.normal[0][t], leaf.normal[1][t], leaf.normal[2][t]);
  const double length = normal.stableNorm();
  return length > 0 ? Vec3(normal / length) : Vec3(Vec3::Zero());
}

/// Six times the volume below what hangs on edges, 24 times the first moment, and twice the area,
/// from the local origin and in its units.
struct WholeSums {
  double volume_x6 = 0, error_x6 = 0, area_x2 = 0;
  Vec3 first_x24 = Vec3::Zero();
};

// In the solid's frame with y = L^-1 (x - h), h its center: sums about p = -L^-1 h take the factor
// det L. The differences of large sums are taken to twice the digits.
WholeSums whole_sums(const Side& side, const LocalFrame& local) {
  const PosedTree& posed = side.posed;
  const Mat3 linear = posed.world_from_mesh.linear().unaryExpr(
      [&](double x) { return times_power_of_two(x, posed.tree->frame.exponent - local.exponent); });
  const Vec3 center = local(posed_center(posed));
  const Vec3 apex = -(linear.inverse() * center);
  const WindingSums& sums = side.sums.whole;
  const auto sum = [&](std::size_t i) { return ordered_sum(sums.high[i], sums.low[i]); };
  Parts volume_x18 = sum(0) + sum(4) + sum(8);
  double size = sums.size[0] + sums.size[4] + sums.size[8], moved = 0;
  Vec3 normal, first;
  for (int i = 0; i < 3; ++i) {
    const Parts along = sum(kPatchNormal + i);
    volume_x18 = volume_x18 - along * (3 * apex[i]);
    size += 3 * std::fabs(apex[i]) * sums.size[kPatchNormal + i];
    moved += std::fabs(rounded(along));
    first[i] = rounded(sum(kPatchFirst + i));
  }
  Mat3 s_normal;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s_normal(i, j) = rounded(sum(static_cast<std::size_t>(3 * i + j)));
  WholeSums result;
  const double scale = std::fabs(linear.determinant());
  result.volume_x6 = scale * rounded(volume_x18) / 3;
  result.first_x24 = scale * (linear * (first - s_normal * apex - apex * rounded(volume_x18)));
  result.area_x2 = std::cbrt(scale) * std::cbrt(scale) * rounded(sum(kPatchArea));
  // Sums: 2^-76 each and 2^-100 for each addition. The apex: 2^-49 of its size. The factor 2^-50.
  result.error_x6 = scale * (0x1p-74 * size + 0x1p-48 * apex.lpNorm<1>() * moved) +
                    0x1p-50 * std::fabs(result.volume_x6);
  return result;
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

}  // namespace

struct OverlapSearch::State {
  Side a, b;
  ClosePairSearch close;
  LocalFrame local;
  CurveSums curve;
  Mat3 second = Mat3::Zero();
  bool is_bounded = true;  // `second`
  bool has_common_faces = false;
  std::size_t crossings = 0;
  std::vector<CurveSegment> segments;

  void start(const MomentTree& tree_a, const Similarity& world_from_a, const MomentTree& tree_b,
             const Similarity& world_from_b) {
    a.start(tree_a, world_from_a, true);
    b.start(tree_b, world_from_b, false);
    local.origin = middle_of(a.posed, b.posed);
    local.exponent = frame_exponent(std::min(a.posed.tree->frame.reach * unit_of(a.posed),
                                             b.posed.tree->frame.reach * unit_of(b.posed)));
    curve = {};
    second.setZero();
    is_bounded = true;
    has_common_faces = false;
    crossings = 0;
    segments.clear();
    close.start(a.posed, b.posed);
  }

  [[nodiscard]] RoundedPoint point(const Vec3& x) const {
    const Vec3 at = local(x);
    return {at, 0x1p-52 * at.lpNorm<1>()};
  }

  /// Where an edge of `of` passes the plane of `plane`: the same bits for all triangles of the
  /// edge.
  [[nodiscard]] RoundedPoint passing_point(const CrossingTriangle& of, const PassingEdge& edge,
                                           const CrossingTriangle& plane) const {
    const Vec3 from = local(of.at[edge.front()]), to = local(of.at[edge.back()]);
    const auto [share, error] = passing_share(of, edge, plane);
    const Vec3 way = to - from;
    return {from + share * way,
            error * way.lpNorm<1>() + 0x1p-50 * (from.lpNorm<1>() + to.lpNorm<1>())};
  }

  static CurveKnot knot(const CrossingTriangle& of, const PassingEdge& edge, bool is_of_t,
                        std::uint32_t other) {
    const auto [low, high] = std::minmax(of.vertex[edge.number], of.vertex[(edge.number + 1) % 3]);
    return {low, high, other, is_of_t ? 0U : 1U};
  }

  void add_pair(const LeafPair& leaf, const PosedLeafPair& posed, const ClosePair& pair,
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
    const std::array<CrossingEnd, 2> ends{crossing->first, crossing->second};
    std::array<RoundedPoint, 2> at;
    for (std::size_t i = 0; i < 2; ++i)
      at[i] =
          ends[i].is_of_t ? passing_point(t, ends[i].edge, u) : passing_point(u, ends[i].edge, t);
    curve.add(at[0].at, at[1].at);
    const Vec3 t_normal = unit_normal(*posed.a, pair.t), u_normal = unit_normal(*posed.b, pair.u);
    if (parts.volume) {
      const RoundedPoint t_corner[3] = {point(t.at[0]), point(t.at[1]), point(t.at[2])};
      const RoundedPoint u_corner[3] = {point(u.at[0]), point(u.at[1]), point(u.at[2])};
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
    if (parts.contacts || parts.curve) {
      const std::uint32_t t_number = kOfLeaf * leaf.a + pair.t;
      const std::uint32_t u_number = kOfLeaf * leaf.b + pair.u;
      const auto knot_of = [&](const CrossingEnd& end) {
        return end.is_of_t ? knot(t, end.edge, true, u_number) : knot(u, end.edge, false, t_number);
      };
      segments.push_back({knot_of(ends[0]), knot_of(ends[1]), at[0].at, at[1].at});
    }
  }

  void look_for_common_faces(const CrossingTriangle& t, const CrossingTriangle& u) {
    if (has_common_faces) return;
    if (are_collinear(t.at[0], t.at[1], t.at[2]) || are_collinear(u.at[0], u.at[1], u.at[2]))
      return;
    has_common_faces = interiors_overlap_in_plane({t.at, t.vertex}, {u.at, u.vertex});
  }

  void add_second(const Vec3& n, const Vec3& m, double length) {
    const double sine = n.cross(m).norm();
    if (sine > 0)
      second -= n * m.transpose() * (length / sine);
    else
      is_bounded = is_bounded && length == 0;
  }

  /// Finds the curve. Returns whether it was done within the work.
  [[nodiscard]] bool follow_curve(const OverlapParts& parts, double max_work) {
    constexpr std::size_t kMany = 512;
    for (bool goes_on = true; goes_on;) {
      goes_on = close.find(kMany);
      for (const ClosePair& pair : close.close())
        add_pair(close.leaf_pairs()[pair.leaf_pair], close.leaves()[pair.leaf_pair], pair, parts);
      if (close.counts().work() > max_work + static_cast<double>(crossings)) return false;
      if (close.is_weary(crossings, 1)) close.look_closer();
    }
    return true;
  }

  void add_roots() {
    const PosedSolid solid_a = a.solid(), solid_b = b.solid();
    const RootWindings of_a(solid_a, solid_b), of_b(solid_b, solid_a);
    for (const SpanningMoments::Component& component : a.sums.spanning->components)
      a.sums.add_root(component, of_a.of_root(component, a.sums.steps));
    for (const SpanningMoments::Component& component : b.sums.spanning->components)
      b.sums.add_root(component, of_b.of_root(component, b.sums.steps));
  }

  void set_volume(Overlap& result) const {
    double volume = 0, error = 0, size = 0, additions = 0;
    Vec3 first = Vec3::Zero();
    const double sign = a.sign * b.sign;
    for (const Side* side : {&a, &b}) {
      const FanSums& fans = side->sums.fans;
      const WholeSums whole = whole_sums(*side, local);
      volume += fans.volume_x6 + whole.volume_x6;
      first += fans.first_x24 + whole.first_x24;
      size += fans.magnitude_x6;
      additions += static_cast<double>(crossings);
      const double area_x2 = std::fabs(fans.area_x2 + whole.area_x2);
      // Posed vertices are rounded; what is whole is posed without.
      const bool is_moved = side->posed.world_from_mesh.matrix() != Similarity::Identity().matrix();
      const double posing = is_moved ? 0x1p-50 * local_size(largest_coordinate(side->posed)) : 0.0;
      error += fans.error_x6 + whole.error_x6 + 3 * posing * area_x2;
      const double other = side == &a ? b.sign : a.sign;
      result.patch_areas[side == &a ? 0 : 1] =
          std::max(0.0, local.meters(other * (fans.area_x2 + whole.area_x2) / 2, 2));
    }
    error += 0x1p-52 * (4 * additions + 8) * size;
    result.volume = std::max(0.0, local.meters(sign * volume / 6, 3));
    result.volume_error = local.meters(error / 6, 3);
    if (!result.overlaps) {
      result.volume = 0;
      result.patch_areas = {};
    } else if (result.volume > result.volume_error) {
      result.center = in_world(first / (4 * volume));
    }
  }

  [[nodiscard]] Vec3 in_world(const Vec3& x) const { return local.origin + local.meters(x, 1); }
  [[nodiscard]] double local_size(double x) const { return times_power_of_two(x, -local.exponent); }

  void set_force(const CurveSums& of, Vec3& force, Vec3& torque) const {
    const double sign = a.sign * b.sign;
    force = local.meters(-sign / 2 * of.area_vector_x2, 2);
    torque = local.meters(sign / 6 * of.square_x3, 3) +
             (local.origin - a.posed.world_from_mesh.translation()).cross(force);
  }

  Overlap answer(const OverlapParts& parts) {
    Overlap result;
    const auto winds = [](const Side& side) {
      return std::any_of(std::begin(side.sums.whole.size), std::end(side.sums.whole.size),
                         [](double size) { return size > 0; });
    };
    result.overlaps = crossings > 0;
    if (parts.volume || !result.overlaps) {
      add_roots();
      result.overlaps = result.overlaps || winds(a) || winds(b);
    }
    result.is_one_sided = has_common_faces;
    if (parts.volume) set_volume(result);
    set_force(curve, result.force_a, result.torque_a);
    result.force_b = -result.force_a;
    result.torque_b = -result.torque_a + (a.posed.world_from_mesh.translation() -
                                          b.posed.world_from_mesh.translation())
                                             .cross(result.force_b);
    result.curve_length = local.meters(curve.length, 1);
    if (parts.second_derivative && is_bounded) {
      const Mat3 symmetric = a.sign * b.sign / 2 * (second + second.transpose());
      result.second_derivative = symmetric.unaryExpr([&](double x) { return local.meters(x, 1); });
    }
    if (parts.curve)
      for (const CurveSegment& segment : segments)
        result.curve.push_back({in_world(segment.from), in_world(segment.to)});
    if (parts.contacts)
      for (const CurveSums& loop : curve_loops(segments)) {
        OverlapContact& contact = result.contacts.emplace_back();
        set_force(loop, contact.force_a, contact.torque_a);
        contact.curve_length = local.meters(loop.length, 1);
      }
    return result;
  }
};

OverlapSearch::OverlapSearch() : state_(std::make_unique<State>()) {}
OverlapSearch::OverlapSearch(OverlapSearch&&) noexcept = default;
OverlapSearch& OverlapSearch::operator=(OverlapSearch&&) noexcept = default;
OverlapSearch::~OverlapSearch() = default;

Result<Overlap> OverlapSearch::overlap(const SolidTree& a, const Similarity& world_from_a,
                                       const SolidTree& b, const Similarity& world_from_b,
                                       const OverlapParts& parts, double max_work) {
  const auto check = [](const MomentTree& tree, const Similarity& pose, const char* pose_name,
                        const char* name) -> Result<void> {
    if (Result<void> usable = check_posed({tree.triangles.get(), pose}, pose_name); !usable)
      return usable;
    const std::optional<std::array<std::uint32_t, 2>> open =
        tree.spanning->of(*tree.triangles).open_edge;
    return open ? open_surface(*tree.triangles, *open, name) : Result<void>{};
  };
  if (Result<void> usable = check(*a.tree_, world_from_a, "world_from_a", "a"); !usable)
    return usable.error();
  if (Result<void> usable = check(*b.tree_, world_from_b, "world_from_b", "b"); !usable)
    return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  if (a.triangle_count() == 0 || b.triangle_count() == 0) return Overlap{};
  state_->start(*a.tree_, world_from_a, *b.tree_, world_from_b);
  if (!state_->follow_curve(parts, max_work)) return too_much_pair_work(max_work);
  return state_->answer(parts);
}

}  // namespace plimsoll
