#include "hydro/equilibrium_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hydro/heave.h"
#include "hydro/isolation.h"

namespace plimsoll {
namespace {

/// Metacentric heights below this share of the body's size are taken for 0: a family, or a pose
/// that is at rest to higher order.
constexpr double kFlat = 1e-9;
constexpr double kNearlyFlat = 1e-4;
constexpr double kSameAngle = 1e-4;
constexpr double kShortest = 1e-3;   // [rad]; of a curve that is more than a pose to higher order
constexpr double kRoom = 1.05;       // between what is open and the loop around it
constexpr double kFirstLoop = 0.03;  // [rad]; loops are drawn again when more is known

double size_of(const FloatingBody& body) { return std::cbrt(body.volume); }

bool is_flat(const FloatingBody& body, double height) {
  return std::fabs(height) <= kFlat * size_of(body);
}

bool is_nearly_flat(const FloatingBody& body, const FloatingState& at) {
  return at.metacentric_heights.cwiseAbs().minCoeff() <= kNearlyFlat * size_of(body);
}

/// Whether the arm stays zero wherever the body is turned.
bool is_at_rest_anyhow(const FloatingBody& body, const FloatingState& at) {
  for (int k = 0; k < 2; ++k)
    for (const double angle : {0.7, 2.0}) {
      const Vec3 along = at.heel_axes.row(k);
      const Vec3 up = std::cos(angle) * at.up + std::sin(angle) * along;
      if (float_upright(body, up, at.level).righting_arm.norm() > 1e-8 * size_of(body))
        return false;
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
  const Eigen::Vector2d& heights = at.metacentric_heights;
  const double steeper = std::fabs(heights[0]) > std::fabs(heights[1]) ? heights[0] : heights[1];
  if (!is_flat(body, steeper)) return kind_of(steeper > 0 ? 1 : -1, steeper > 0 ? 1 : -1);
  const Vec3 along = at.heel_axes.row(0);
  const Vec3 up = std::cos(kFirstLoop) * at.up + std::sin(kFirstLoop) * along;
  const bool is_lowest = float_upright(body, up, at.level).energy > at.energy;
  return is_lowest ? EquilibriumKind::kMinimum : EquilibriumKind::kMaximum;
}

/// The axis about which a closed curve turns, by three of its points.
Vec3 axis_of(const NeutralCurve& curve) {
  const std::vector<Vec3>& p = curve.points;
  const std::size_t n = p.size();
  return (p[n / 3] - p[0]).cross(p[2 * n / 3] - p[0]).normalized();
}

bool is_circle(const NeutralCurve& curve) {
  if (!curve.is_closed) return false;
  const Vec3 axis = axis_of(curve);
  const double height = axis.dot(curve.points.front());
  return std::all_of(curve.points.begin(), curve.points.end(),
                     [&](const Vec3& p) { return std::fabs(axis.dot(p) - height) <= 1e-6; });
}

/// How far apart two searches may have ended at one pose: each stops at an arm that is small, which
/// over a small metacentric height h is no small angle. Where h itself vanishes towards the pose,
/// as the square of the angle, that is its root.
double same_angle(const FloatingState& at, double size) {
  const double height = at.metacentric_heights.cwiseAbs().minCoeff() / size;
  const double arm = at.righting_arm.norm() / size;
  const double flat = height < kNearlyFlat ? std::sqrt(height) : 0;
  return kSameAngle + flat + std::min(4 * arm / std::max(height, 1e-300), 1e-2);
}

}  // namespace

EquilibriumList::Entry EquilibriumList::entry_of(const FloatingState& at) const {
  Entry entry{{}, {{at.up}}, 1, {at.up, LevelChart(at)}};
  Equilibrium& found = entry.equilibrium;
  found.state = at;
  found.residual = at.righting_arm.norm() / size_of(body_);
  const Eigen::Vector2d& heights = at.metacentric_heights;
  const bool flat[2] = {is_flat(body_, heights[0]), is_flat(body_, heights[1])};
  if (!flat[0] && !flat[1]) {
    found.kind = kind_of(heights[0] > 0 ? 1 : -1, heights[1] > 0 ? 1 : -1);
    entry.index = found.kind == EquilibriumKind::kSaddle ? -1 : 1;
    entry.alone = isolated_pose(body_, at);
    return entry;
  }
  if (flat[0] && flat[1] && is_at_rest_anyhow(body_, at)) {
    found.family = EquilibriumFamily::kAll;
    entry.index = 2;
    return entry;
  }
  if (flat[0] != flat[1]) entry.curve = neutral_curve(body_, at, flat[0] ? 0 : 1);
  if (!entry.curve.is_closed &&
      angle_between(entry.curve.points.front(), entry.curve.points.back()) < kShortest)
    entry.curve.points = {at.up};
  if (entry.curve.is_closed) {
    const int across = heights[flat[0] ? 1 : 0] > 0 ? 1 : -1;
    entry.index = 0;
    found.kind = kind_of(across, across);
    found.family = is_circle(entry.curve) ? EquilibriumFamily::kAxis : EquilibriumFamily::kArc;
    if (found.family == EquilibriumFamily::kAxis) found.family_axis = axis_of(entry.curve);
  } else {
    if (entry.curve.points.size() > 1) found.family = EquilibriumFamily::kArc;
    entry.index = index_around(body_, entry.curve, at.level, kFirstLoop);
    found.kind = kind_by_index(body_, at, entry.index);
  }
  if (found.family == EquilibriumFamily::kArc) found.arc = entry.curve.points;
  return entry;
}

Equilibrium classified(const FloatingBody& body, const FloatingState& at) {
  return EquilibriumList(body).entry_of(at).equilibrium;
}

bool EquilibriumList::is_same(const Entry& known, const FloatingState& at) const {
  if (known.equilibrium.family == EquilibriumFamily::kAll) return true;
  const FloatingState& other = known.equilibrium.state;
  if (known.alone.holds(at.up)) return true;
  const double angle = same_angle(at, size_of(body_)) + same_angle(other, size_of(body_));
  // What is isolated and not within reach of its own rounding is another.
  return distance_to(known.curve, at.up) <= (known.alone.slope > 0 ? kSameAngle : angle);
}

void EquilibriumList::add(const FloatingState& at, int starts) {
  if (count_as_known(at, starts)) return;
  Entry entry = entry_of(at);
  if (entry.alone.slope == 0 && is_nearly_flat(body_, at) && body_.surface_between) {
    // Searches end short of where a height vanishes.
    const FloatingState flattest = flattest_nearby(body_, at);
    if (count_as_known(flattest, starts)) return;
    entry = entry_of(flattest);
  }
  entry.equilibrium.starts = starts;
  for (Entry& known : entries_)
    if (entry.alone.holds(known.equilibrium.state.up)) {
      entry.equilibrium.starts += known.equilibrium.starts;
      known = std::move(entry);
      return;
    }
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
           distance_to(known.curve, up) <= angle;
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
  if (!body_.surface_between) return true;
  return is_flat(body_, entry.equilibrium.state.metacentric_heights.cwiseAbs().minCoeff());
}

bool EquilibriumList::is_near_family(const DirectionCover::Cell& cell, double angle) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return may_be_enclosed(entry) &&
           std::all_of(cell.corner.begin(), cell.corner.end(), [&](const Vec3& corner) {
             return kRoom * distance_to(entry.curve, corner) <= angle;
           });
  });
}

bool EquilibriumList::enclose(const std::vector<DirectionCover::Cell>& cells, double widest) {
  std::vector<double> angle(entries_.size(), 0);
  for (const DirectionCover::Cell& cell : cells) {
    const std::optional<std::size_t> nearest = nearest_family(cell.corner[0], widest);
    if (!nearest) return false;
    for (const Vec3& corner : cell.corner)
      angle[*nearest] =
          std::max(angle[*nearest], kRoom * distance_to(entries_[*nearest].curve, corner));
  }
  if (!are_apart(angle, widest)) return false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (angle[i] == 0) continue;
    Entry& entry = entries_[i];
    entry.equilibrium.loop_angle = angle[i];
    if (entry.curve.is_closed) continue;
    entry.index = index_around(body_, entry.curve, entry.equilibrium.state.level, angle[i]);
    entry.equilibrium.kind = kind_by_index(body_, entry.equilibrium.state, entry.index);
  }
  return true;
}

std::optional<std::size_t> EquilibriumList::nearest_family(const Vec3& up, double angle) const {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!may_be_enclosed(entries_[i])) continue;
    const double distance = distance_to(entries_[i].curve, up);
    if (distance >= angle) continue;
    angle = distance;
    nearest = i;
  }
  return nearest;
}

bool EquilibriumList::are_apart(const std::vector<double>& angle, double widest) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (angle[i] == 0) continue;
    if (angle[i] > widest) return false;
    for (std::size_t j = 0; j < entries_.size(); ++j)
      for (const Vec3& p : entries_[j].curve.points)
        if (i != j && distance_to(entries_[i].curve, p) <= angle[i] + angle[j]) return false;
  }
  return true;
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
