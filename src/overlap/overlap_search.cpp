#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.h"
#include "overlap/curve_search.h"
#include "overlap/overlap_interval.h"
#include "overlap/overlap_pieces.h"
#include "overlap/whole_sums.h"
#include "pairs/pair_finder.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

const std::vector<AreaParts>& areas_of(const MomentTree& tree) {
  return tree.areas->value([&] { return area_parts(*tree.triangles); });
}

OverlapParts with_what_it_needs(OverlapParts parts) {
  parts.volume = parts.volume || parts.pieces;
  return parts;
}

Result<void> check_budget(const OverlapLimits& budget) {
  if (Result<void> usable = check_max_work(budget.max_work); !usable) return usable;
  if (budget.max_time >= 0) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(budget.max_time) + ", expected a number not below 0", "max_time"};
}

}  // namespace

struct OverlapSearch::State : CurveSearch {
  /// Whether A lies in B, of surfaces that do not cross.
  [[nodiscard]] bool has_a_in_b() const {
    const PosedSolid solid_a = a.solid(), solid_b = b.solid();
    const RootWindings of_a(solid_a, solid_b), of_b(solid_b, solid_a);
    using Component = SpanningMoments::Component;
    const auto is_inside = [](const RootWindings& windings) {
      return [&](const Component& component) { return windings.of_root(component, {}) != 0; };
    };
    const std::vector<Component>& parts_of_a = a.sums.spanning->components;
    const std::vector<Component>& parts_of_b = b.sums.spanning->components;
    return std::all_of(parts_of_a.begin(), parts_of_a.end(), is_inside(of_a)) &&
           std::none_of(parts_of_b.begin(), parts_of_b.end(), is_inside(of_b));
  }

  void set_volume(Overlap& result) const {
    double volume = 0, error = 0, size = 0, additions = 0;
    Vec3 first = Vec3::Zero();
    const double sign = a.sign * b.sign;
    for (const Side* side : {&a, &b}) {
      const FanSums& fans = side->sums.fans;
      const WholeSums whole = whole_sums(side->sums.whole, side->posed, local);
      volume += fans.volume_x6 + whole.volume_x6;
      first += fans.first_x24 + whole.first_x24;
      size += fans.magnitude_x6;
      additions += static_cast<double>(crossings);
      // What is whole is posed without roundings, but for that of its center.
      error +=
          fans.error_x6 + whole.error_x6 + 4 * side->sums.vertex_off * std::fabs(whole.area_x2);
      const double other = side == &a ? b.sign : a.sign;
      result.patch_areas[side == &a ? 0 : 1] =
          std::max(0.0, local.meters(other * (fans.area_x2 + whole.area_x2) / 2, 2));
    }
    error += 0x1p-52 * (4 * additions + 8) * size;
    // Where one solid is far larger than the other, sums go beyond the range of numbers.
    if (!std::isfinite(volume) || !std::isfinite(error)) {
      volume = 0;
      error = std::numeric_limits<double>::infinity();
    }
    result.volume = std::max(0.0, local.meters(sign * volume / 6, 3));
    result.volume_error = local.meters(error / 6, 3);
    if (!result.overlaps) {
      result.volume = 0;
      result.patch_areas = {};
      return;
    }
    // A volume below the least number is rounded to 0.
    result.volume_error += std::numeric_limits<double>::denorm_min();
    if (result.volume > result.volume_error) result.center = in_world(first / (4 * volume));
  }

  [[nodiscard]] Vec3 in_world(const Vec3& x) const { return local.origin + local.meters(x, 1); }
  [[nodiscard]] double local_size(double x) const { return times_power_of_two(x, -local.exponent); }

  void set_force(const CurveSums& of, Vec3& force, Vec3& torque) const {
    const double sign = a.sign * b.sign;
    force = local.meters(-sign / 2 * of.area_vector_x2, 2);
    torque = local.meters(sign / 6 * of.square_x3, 3) +
             (local.origin - a.posed.world_from_mesh.translation()).cross(force);
  }

  /// Sets all but `exact`.
  void estimate(const MomentTree& tree_a, const MomentTree& tree_b,
                const std::function<bool(std::size_t)>& is_over, OverlapEstimate& result) const {
    const auto solid = [&](const Side& side, const MomentTree& tree) {
      return IntervalSolid{side.posed,
                           &tree.moments,
                           &areas_of(tree),
                           local.linear_of(side.posed),
                           local.center_of(side.posed),
                           side.sign};
    };
    const VolumeInterval found = volume_interval(solid(a, tree_a), solid(b, tree_b), is_over);
    double posing_x6 = 0, smaller = std::numeric_limits<double>::infinity();
    for (const auto& [side, tree] : {std::pair(&a, &tree_a), std::pair(&b, &tree_b)}) {
      const double unit = local_size(unit_of(side->posed));
      double area_x2 = 0;
      for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
        area_x2 += tree->moments[k].sum[kPatchArea];
      posing_x6 += 4 * side->sums.vertex_off * area_x2 * unit * unit;
      smaller = std::min(smaller, std::fabs(tree->whole.volume) / 6 * unit * unit * unit);
    }
    const double low = (found.low_x6 - posing_x6) / 6, high = (found.high_x6 + posing_x6) / 6;
    // Where one body is much larger than the other, sums may go beyond the range of numbers: these
    // bound nothing.
    const double at_most = smaller * (1 + 0x1p-40);
    result.lower = std::isfinite(low) ? local.meters(std::clamp(low, 0.0, smaller), 3) : 0;
    result.upper = local.meters(std::isfinite(high) ? std::clamp(high, 0.0, at_most) : at_most, 3);
    result.volume = result.lower + (result.upper - result.lower) / 2;
    if (std::isfinite(found.normal.sum()) && !std::isnan(found.normal_error)) {
      result.force_a = local.meters(-found.normal / 2, 2);
      result.force_error = local.meters(found.normal_error / 2, 2);
    } else {
      result.force_a.setZero();
      result.force_error = std::numeric_limits<double>::infinity();
    }
  }

  Overlap answer(const OverlapParts& parts) {
    Overlap result;
    result.overlaps = crossings > 0;
    if (parts.volume || !result.overlaps) {
      add_roots();
      result.overlaps = crossings > 0 || !a.sums.whole.is_empty || !b.sums.whole.is_empty;
    }
    result.is_one_sided = has_common_faces;
    if (parts.volume) set_volume(result);
    set_force(curve, result.force_a, result.torque_a);
    result.force_b = -result.force_a;
    result.torque_b = -result.torque_a + (a.posed.world_from_mesh.translation() -
                                          b.posed.world_from_mesh.translation())
                                             .cross(result.force_b);
    result.curve_length = local.meters(curve.length, 1);
    if (parts.second_derivative && is_bounded && !has_common_faces) {
      const Mat3 symmetric = a.sign * b.sign / 2 * (second + second.transpose());
      result.second_derivative = symmetric.unaryExpr([&](double x) { return local.meters(x, 1); });
    }
    if (parts.curve)
      for (const CurveSegment& segment : segments)
        result.curve.push_back({in_world(segment.from.at), in_world(segment.to.at)});
    if (parts.pieces) result.pieces = overlap_pieces({&a, &b}, segments, local);
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
                                       const OverlapParts& given, double max_work) {
  if (Result<void> usable = check_solids(*a.tree_, world_from_a, *b.tree_, world_from_b); !usable)
    return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  if (a.triangle_count() == 0 || b.triangle_count() == 0) return Overlap{};
  State& state = *state_;
  const OverlapParts parts = with_what_it_needs(given);
  state.start(*a.tree_, world_from_a, *b.tree_, world_from_b);
  const auto is_over = [&](double work) {
    return work > max_work + static_cast<double>(state.crossings);
  };
  if (!state.follow_curve(parts, is_over)) return too_much_pair_work(max_work);
  return state.answer(parts);
}

// Where A lies in B, triangles of A shrunk and of B grown have no point in common, if all their
// vertices are moved into A and out of B.
Result<std::optional<bool>> OverlapSearch::lies_in(const SolidTree& a,
                                                   const Similarity& world_from_a,
                                                   const SolidTree& b,
                                                   const Similarity& world_from_b,
                                                   double max_work) {
  if (Result<void> usable = check_solids(*a.tree_, world_from_a, *b.tree_, world_from_b); !usable)
    return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  if (a.triangle_count() == 0 || b.triangle_count() == 0)
    return std::optional<bool>(a.triangle_count() == 0);
  State& state = *state_;
  state.start(*a.tree_, world_from_a, *b.tree_, world_from_b, TieBreak::kGrowB);
  const auto is_over = [&](double work) {
    return state.certain_crossings > 0 || work > max_work + static_cast<double>(state.crossings);
  };
  const bool is_whole = state.follow_curve({.volume = false}, is_over);
  if (state.certain_crossings > 0) return std::optional<bool>(false);
  if (!is_whole) return too_much_pair_work(max_work);
  if (state.crossings > 0) return std::optional<bool>();
  return std::optional<bool>(state.has_a_in_b());
}

// Half of the budget is for the exact answer, which bounds of the whole surface cannot come near
// to.
Result<OverlapEstimate> OverlapSearch::estimate(const SolidTree& a, const Similarity& world_from_a,
                                                const SolidTree& b, const Similarity& world_from_b,
                                                const OverlapLimits& budget,
                                                const OverlapParts& given) {
  if (Result<void> usable = check_solids(*a.tree_, world_from_a, *b.tree_, world_from_b); !usable)
    return usable.error();
  if (Result<void> usable = check_budget(budget); !usable) return usable.error();
  for (const SolidTree* solid : {&a, &b}) static_cast<void>(areas_of(*solid->tree_));
  const Clock::time_point start = Clock::now();
  OverlapEstimate result;
  if (a.triangle_count() == 0 || b.triangle_count() == 0) {
    result.exact = Overlap{};
    return result;
  }
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  State& state = *state_;
  const OverlapParts parts = with_what_it_needs(given);
  state.start(*a.tree_, world_from_a, *b.tree_, world_from_b);
  const bool is_exact = state.follow_curve(parts, [&](double work) {
    return work > budget.max_work / 2 || seconds() > budget.max_time / 2;
  });
  if (is_exact) {
    result.exact = state.answer(parts);
    result.volume = result.exact->volume;
    result.lower = std::max(result.volume - result.exact->volume_error, 0.0);
    result.upper = result.volume + result.exact->volume_error;
    result.force_a = result.exact->force_a;
    return result;
  }
  constexpr double kStep = 2;  // [us]
  state.estimate(
      *a.tree_, *b.tree_,
      [&](std::size_t steps) {
        return kStep * static_cast<double>(steps) > budget.max_work / 2 ||
               seconds() > budget.max_time;
      },
      result);
  return result;
}

}  // namespace plimsoll
