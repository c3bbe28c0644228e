#include "stability/equilibrium_list.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "completeness/isolation.h"
#include "hydro/heave.h"
#include "stability/equilibrium_search.h"

namespace plimsoll {
namespace {

/// Metacentric heights below this share of the body's size are taken for 0: a family, or a pose
/// that is at rest to higher order.
constexpr double kFlat = 1e-9;
constexpr double kNearlyFlat = 1e-4;
constexpr double kSameAngle = 1e-4;
constexpr double kRoom = 1.05;       // between what is open and the loop around it
constexpr double kFirstLoop = 0.03;  // [rad]; loops are drawn again when more is known

double size_of(const FloatingBody& body) { return elementary::cbrt(body.volume); }

bool is_flat(const FloatingBody& body, double height) {
  return std::fabs(height) <= kFlat * size_of(body);
}

bool is_nearly_flat(const FloatingBody& body, const FloatingState& at) {
  return at.metacentric_heights.cwiseAbs().minCoeff() <= kNearlyFlat * size_of(body);
}

/// Whether the body is at rest wherever it is turned, as nearly as searches ask for: in twenty
/// directions spread over the sphere.
bool is_at_rest_anyhow(const FloatingBody& body, const FloatingState& at) {
  constexpr int kDirections = 20;
  for (int k = 0; k < kDirections; ++k) {
    const FloatingState turned = float_upright(body, spread_direction(k, kDirections), at.level);
    if (!(turned.righting_arm.norm() <= 1e-12 * size_of(body))) return false;
  }
  return true;
}

EquilibriumKind kind_of(int first_sign, int second_sign) {
  if (first_sign > 0 && second_sign > 0) return EquilibriumKind::kMinimum;
  if (first_sign < 0 && second_sign < 0) return EquilibriumKind::kMaximum;
  return EquilibriumKind::kSaddle;
}

/// Of what has the index given and a Hessian that is zero one way or both: around a minimum or a
/// maximum the energy is higher or lower everywhere.
EquilibriumKind kind_by_index(const FloatingBody& body, const FloatingState& at, int index) {
  if (index != 1) return EquilibriumKind::kSaddle;
  const Vec2& heights = at.metacentric_heights;
  const double steeper = std::fabs(heights[0]) > std::fabs(heights[1]) ? heights[0] : heights[1];
  if (!is_flat(body, steeper)) return kind_of(steeper > 0 ? 1 : -1, steeper > 0 ? 1 : -1);
  const Vec3 along = at.heel_axes.row(0);
  const auto [sine, cosine] = elementary::sin_cos(kFirstLoop);
  const Vec3 up = cosine * at.up + sine * along;
  const bool is_lowest = float_upright(body, up, at.level).energy > at.energy;
  return is_lowest ? EquilibriumKind::kMinimum : EquilibriumKind::kMaximum;
}

/// How far a search may have ended from a pose with the metacentric height h: it stops at an arm
/// that is small, which over a small h is no small angle.
double search_error(const FloatingState& at, double height) {
  return std::min(4 * at.righting_arm.norm() / std::max(std::fabs(height), 1e-300), 1e-2);
}

/// How far apart two searches may have ended at one pose. Where the smaller height itself vanishes
/// towards the pose, as the square of the angle, that is its root.
double same_angle_of_pose(const FloatingState& at, double size) {
  const double height = at.metacentric_heights.cwiseAbs().minCoeff();
  const double flat = height < kNearlyFlat * size ? std::sqrt(height / size) : 0;
  return kSameAngle + flat + search_error(at, height);
}

/// The same across a curve of poses.
double same_angle_across(const FloatingState& at) {
  return kSameAngle + search_error(at, at.metacentric_heights.cwiseAbs().maxCoeff());
}

/// Whether neither height of both is taken for 0, and they differ in sign.
bool differ_in_kind(const FloatingBody& body, const FloatingState& a, const FloatingState& b) {
  for (int k = 0; k < 2; ++k)
    if (is_flat(body, a.metacentric_heights[k]) || is_flat(body, b.metacentric_heights[k]))
      return false;
  return (a.metacentric_heights.array() * b.metacentric_heights.array() < 0).any();
}

}  // namespace

EquilibriumList::EquilibriumList(const FloatingBody& body)
    : body_(body), size_(elementary::cbrt(body.volume)) {}

EquilibriumList::Entry EquilibriumList::entry_of(const FloatingState& at, double step) const {
  Entry entry{{}, {{at.up}}, 1, {at.up, LevelChart(at)}};
  Equilibrium& found = entry.equilibrium;
  found.state = at;
  found.residual = at.righting_arm.norm() / size_;
  const Vec2& heights = at.metacentric_heights;
  const bool flat[2] = {is_flat(body_, heights[0]), is_flat(body_, heights[1])};
  if (!flat[0] && !flat[1]) {
    found.kind = kind_of(heights[0] > 0 ? 1 : -1, heights[1] > 0 ? 1 : -1);
    entry.index = found.kind == EquilibriumKind::kSaddle ? -1 : 1;
    return entry;
  }
  if (flat[0] && flat[1] && is_at_rest_anyhow(body_, at)) {
    found.family = EquilibriumFamily::kAll;
    entry.index = 2;
    return entry;
  }
  if (flat[0] != flat[1]) entry.curve = neutral_curve(body_, at, flat[0] ? 0 : 1, step);
  if (entry.curve.is_closed) {
    const int across = heights[flat[0] ? 1 : 0] > 0 ? 1 : -1;
    entry.index = 0;
    found.kind = kind_of(across, across);
    found.family_axis = entry.curve.axis;
    found.family = found.family_axis.isZero(0) ? EquilibriumFamily::kArc : EquilibriumFamily::kAxis;
  } else {
    if (entry.curve.points.size() > 1) found.family = EquilibriumFamily::kArc;
    entry.index = index_around(body_, entry.curve, at.level, kFirstLoop);
    found.kind = kind_by_index(body_, at, entry.index);
  }
  if (found.family == EquilibriumFamily::kArc) found.arc = entry.curve.points;
  return entry;
}

Equilibrium classified(const FloatingBody& body, const FloatingState& at) {
  constexpr double kLongStep = 0.2;  // nobody asks where a curve runs
  return EquilibriumList(body).entry_of(at, kLongStep).equilibrium;
}

bool EquilibriumList::is_same(const Entry& known, const FloatingState& at) const {
  if (known.equilibrium.family == EquilibriumFamily::kAll) return true;
  const FloatingState& other = known.equilibrium.state;
  if (known.alone.holds(at.up)) return true;
  return is_near(known, same_angle(known, at), at.up) && !differ_in_kind(body_, at, other);
}

double EquilibriumList::distance_from(const Entry& entry, const Vec3& up) const {
  looked_at_ += entry.curve.axis.isZero(0) ? entry.curve.points.size() : 1;
  return distance_to(entry.curve, up);
}

bool EquilibriumList::is_near(const Entry& entry, double angle, const Vec3& up) const {
  looked_at_ += entry.curve.axis.isZero(0) ? entry.curve.points.size() - 1 : 1;
  return is_within(entry.curve, angle, up);
}

double EquilibriumList::same_angle(const Entry& known, const FloatingState& at) const {
  const FloatingState& other = known.equilibrium.state;
  if (known.curve.points.size() > 1) return same_angle_across(at) + same_angle_across(other);
  if (known.alone.slope == 0)
    return same_angle_of_pose(at, size_) + same_angle_of_pose(other, size_);
  // What is isolated and not within reach of its own search is another.
  const double reach = search_error(at, at.metacentric_heights.cwiseAbs().minCoeff()) +
                       search_error(other, other.metacentric_heights.cwiseAbs().minCoeff());
  return std::min(reach, kSameAngle) + 1e-8;
}

void EquilibriumList::add(const FloatingState& at, int starts) {
  if (count_as_known(at, starts)) return;
  constexpr double kStep = 0.02;
  Entry entry = entry_of(at, kStep);
  if (!is_flat(body_, at.metacentric_heights.cwiseAbs().minCoeff()))
    entry.alone = isolated_pose(body_, at);
  if (entry.alone.slope == 0 && is_nearly_flat(body_, at) && body_.solid->knows_surface()) {
    // Searches end short of where a height vanishes.
    const FloatingState flattest = flattest_nearby(body_, at);
    if (is_flat(body_, flattest.metacentric_heights.cwiseAbs().minCoeff())) {
      if (count_as_known(flattest, starts)) return;
      entry = entry_of(flattest, kStep);
    }
  }
  entry.equilibrium.starts = starts;
  // Of those that it holds it is the one.
  std::erase_if(entries_, [&](const Entry& known) {
    const bool is_held = entry.alone.holds(known.equilibrium.state.up);
    if (is_held) entry.equilibrium.starts += known.equilibrium.starts;
    return is_held;
  });
  entries_.push_back(std::move(entry));
}

bool EquilibriumList::count_as_known(const FloatingState& at, int starts) {
  for (Entry& known : entries_)
    if (is_same(known, at)) {
      known.equilibrium.starts += starts;
      return true;
    }
  return false;
}

bool EquilibriumList::knows(const Vec3& up, double angle) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& known) {
    return known.equilibrium.family == EquilibriumFamily::kAll || known.alone.holds(up) ||
           is_near(known, angle, up);
  });
}

std::vector<IsolatedPose> EquilibriumList::isolated() const {
  std::vector<IsolatedPose> poses;
  for (const Entry& entry : entries_)
    if (entry.alone.slope > 0) poses.push_back(entry.alone);
  return poses;
}

bool EquilibriumList::may_be_enclosed(const Entry& entry) const {
  if (entry.alone.slope > 0) return false;
  // Without the surface at hand, no Hessian tells that a pose is alone.
  if (!body_.solid->knows_surface()) return true;
  return is_flat(body_, entry.equilibrium.state.metacentric_heights.cwiseAbs().minCoeff());
}

std::vector<double> EquilibriumList::loops(double widest) const {
  std::vector<double> angle(entries_.size(), 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!may_be_enclosed(entries_[i])) continue;
    angle[i] = widest;
    const NeutralCurve& curve = entries_[i].curve;
    // Around a circle it takes two loops, one to either side.
    if (!curve.axis.isZero(0)) {
      const double radius = angle_between(curve.axis, curve.points.front());
      angle[i] = std::min({angle[i], radius / 3, (std::numbers::pi - radius) / 3});
    }
    for (std::size_t j = 0; j < entries_.size(); ++j)
      for (const Vec3& p : entries_[j].curve.points)
        if (i != j) angle[i] = std::min(angle[i], distance_from(entries_[i], p) / 3);
  }
  return angle;
}

std::optional<std::size_t> EquilibriumList::loop_around(const DirectionCover::Cell& cell,
                                                        const std::vector<double>& angle) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const bool is_inside =
        angle[i] > 0 && std::all_of(cell.corner.begin(), cell.corner.end(), [&](const Vec3& v) {
          return kRoom * distance_from(entries_[i], v) <= angle[i];
        });
    if (is_inside) return i;
  }
  return std::nullopt;
}

bool EquilibriumList::enclose(const std::vector<DirectionCover::Cell>& cells, double widest) {
  const std::vector<double> angles = loops(widest);
  std::vector<double> angle(entries_.size(), 0);
  for (const DirectionCover::Cell& cell : cells) {
    const std::optional<std::size_t> inside = loop_around(cell, angles);
    if (!inside) return false;
    for (const Vec3& corner : cell.corner)
      angle[*inside] = std::max(angle[*inside], kRoom * distance_from(entries_[*inside], corner));
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].equilibrium.loop_angle = angle[i];
    if (angle[i] > 0) find_index(entries_[i], angle[i]);
  }
  return true;
}

void EquilibriumList::find_index(Entry& entry, double angle) const {
  if (entry.curve.is_closed || entry.equilibrium.family == EquilibriumFamily::kAll) return;
  const FloatingState& at = entry.equilibrium.state;
  entry.index = index_around(body_, entry.curve, at.level, angle);
  if (is_flat(body_, at.metacentric_heights.cwiseAbs().minCoeff()))
    entry.equilibrium.kind = kind_by_index(body_, at, entry.index);
}

void EquilibriumList::find_indices() {
  const std::vector<double> angles = loops(kFirstLoop);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const FloatingState& at = entry.equilibrium.state;
    if (entry.alone.slope == 0 && is_flat(body_, at.metacentric_heights.cwiseAbs().minCoeff()))
      find_index(entry, angles[i]);
  }
}

bool EquilibriumList::has_all() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& known) {
    return known.equilibrium.family == EquilibriumFamily::kAll;
  });
}

int EquilibriumList::characteristic() const {
  return std::accumulate(entries_.begin(), entries_.end(), 0,
                         [](int sum, const Entry& entry) { return sum + entry.index; });
}

bool EquilibriumList::is_consistent() const {
  const auto has = [&](EquilibriumKind kind) {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.equilibrium.kind == kind; });
  };
  return characteristic() == 2 &&
         (has_all() || (has(EquilibriumKind::kMinimum) && has(EquilibriumKind::kMaximum)));
}

std::vector<Equilibrium> EquilibriumList::sorted() const {
  std::vector<Equilibrium> all;
  for (const Entry& entry : entries_) all.push_back(entry.equilibrium);
  std::stable_sort(all.begin(), all.end(), [](const Equilibrium& a, const Equilibrium& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.starts != b.starts) return a.starts > b.starts;
    return a.state.energy < b.state.energy;
  });
  return all;
}

}  // namespace plimsoll
