#include "hydro/equilibrium_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "hydro/heave.h"

namespace plimsoll {
namespace {

/// Metacentric heights below this share of the body's size are taken for 0: a family, or a pose
/// that is at rest to higher order.
constexpr double kFlat = 1e-9;
constexpr double kNearlyFlat = 1e-4;
constexpr double kSameAngle = 1e-4;

double size_of(const FloatingBody& body) { return std::cbrt(body.volume); }

double angle_between(const Vec3& a, const Vec3& b) {
  return 2 * std::atan2((a - b).norm(), (a + b).norm());
}

/// The state where `up` has been turned by `angle` towards the heel axis k.
FloatingState turned_state(const FloatingBody& body, const FloatingState& at, int k, double angle) {
  const Vec3 along = at.heel_axes.row(k);
  return float_upright(body, std::cos(angle) * at.up + std::sin(angle) * along, at.level);
}

/// The pose after a step along axis k, the arm square to the valley that the axis runs along
/// brought back to zero; nothing where there is no valley.
std::optional<FloatingState> along_valley(const FloatingBody& body, const FloatingState& at, int k,
                                          double angle) {
  FloatingState next = turned_state(body, at, k, angle);
  const double size = size_of(body);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector2d& heights = next.metacentric_heights;
    const int steep = std::fabs(heights[0]) > std::fabs(heights[1]) ? 0 : 1;
    const double slope = next.heel_axes.row(steep).dot(next.righting_arm);
    if (std::fabs(slope) <= 1e-12 * size) return next;
    if (std::fabs(heights[steep]) <= kFlat * size) return std::nullopt;
    next = turned_state(body, next, steep, std::clamp(-slope / heights[steep], -0.1, 0.1));
  }
  return next;
}

constexpr double kFamilyStep = 0.2;

/// Three poses of a circle tell its axis.
void find_circle(const FloatingBody& body, int k, Equilibrium& found) {
  const FloatingState& at = found.state;
  const auto ahead = along_valley(body, at, k, kFamilyStep);
  const auto behind = along_valley(body, at, k, -kFamilyStep);
  if (!ahead || !behind) return;
  for (const auto& state : {*ahead, *behind})
    if (state.righting_arm.norm() > 1e-9 * size_of(body)) return;
  const Vec3 axis = (ahead->up - at.up).cross(behind->up - at.up);
  if (!(axis.norm() > 1e-6)) return;
  found.family = EquilibriumFamily::kAxis;
  found.family_axis = axis.normalized();
}

/// Whether the energy rises (1) or falls (-1) along either direction of a valley; 0 if one of each.
int bend_of_valley(const FloatingBody& body, const FloatingState& at, int k) {
  constexpr double kStep = 0.03;
  int rising = 0;
  for (const double angle : {kStep, -kStep})
    if (const auto next = along_valley(body, at, k, angle))
      rising += next->energy > at.energy ? 1 : -1;
  return rising / 2;
}

/// The number of changes of sign of the energy on a small circle, relative to that in the middle.
int changes_around(const FloatingBody& body, const FloatingState& at, bool& higher) {
  constexpr int kPoints = 32;
  constexpr double kRadius = 0.03;
  std::array<bool, kPoints> above{};
  for (int i = 0; i < kPoints; ++i) {
    const double turn = 2 * std::numbers::pi * i / kPoints;
    const Vec3 along = at.heel_axes.transpose() * Eigen::Vector2d(std::cos(turn), std::sin(turn));
    const Vec3 up = std::cos(kRadius) * at.up + std::sin(kRadius) * along;
    above[i] = float_upright(body, up, at.level).energy > at.energy;
  }
  int changes = 0;
  for (int i = 0; i < kPoints; ++i) changes += above[i] != above[(i + 1) % kPoints] ? 1 : 0;
  higher = above[0];
  return changes;
}

EquilibriumKind kind_of(int first_sign, int second_sign) {
  if (first_sign > 0 && second_sign > 0) return EquilibriumKind::kMinimum;
  if (first_sign < 0 && second_sign < 0) return EquilibriumKind::kMaximum;
  return EquilibriumKind::kSaddle;
}

/// The kind of an isolated pose, and its share in the characteristic: the index of the gradient.
EquilibriumKind isolated_kind(const FloatingBody& body, const FloatingState& at, int& index) {
  const double flat = kFlat * size_of(body);
  int sign[2];
  for (int k = 0; k < 2; ++k)
    sign[k] =
        std::fabs(at.metacentric_heights[k]) <= flat ? 0 : (at.metacentric_heights[k] > 0 ? 1 : -1);
  if (sign[0] == 0 && sign[1] == 0) {
    bool higher = false;
    const int changes = changes_around(body, at, higher);
    index = 1 - changes / 2;
    return changes > 0 ? EquilibriumKind::kSaddle : kind_of(higher ? 1 : -1, higher ? 1 : -1);
  }
  for (int k = 0; k < 2; ++k)
    if (sign[k] == 0) sign[k] = bend_of_valley(body, at, k);
  index = sign[0] * sign[1];
  return kind_of(sign[0], sign[1]);
}

struct Classified {
  Equilibrium equilibrium;
  int index = 1;
};

Classified classify(const FloatingBody& body, const FloatingState& at) {
  Classified result;
  Equilibrium& found = result.equilibrium;
  found.state = at;
  found.residual = at.righting_arm.norm() / size_of(body);
  const double flat = kFlat * size_of(body);
  const Eigen::Vector2d& heights = at.metacentric_heights;
  const bool flat0 = std::fabs(heights[0]) <= flat;
  const bool flat1 = std::fabs(heights[1]) <= flat;
  if (flat0 && flat1) {
    found.family = EquilibriumFamily::kAll;  // if the arm stays zero wherever it is turned
    for (int k = 0; k < 2; ++k)
      for (const double angle : {0.7, 2.0})
        if (turned_state(body, at, k, angle).righting_arm.norm() > 1e-8 * size_of(body))
          found.family = EquilibriumFamily::kNone;
  } else if (flat0 || flat1) {
    find_circle(body, flat0 ? 0 : 1, found);
  }
  if (found.family == EquilibriumFamily::kAll) {
    result.index = 2;
  } else if (found.family == EquilibriumFamily::kAxis) {
    result.index = 0;
    const int across = heights[flat0 ? 1 : 0] > 0 ? 1 : -1;
    found.kind = kind_of(across, across);
  } else {
    found.kind = isolated_kind(body, at, result.index);
  }
  return result;
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

Equilibrium classified(const FloatingBody& body, const FloatingState& at) {
  return classify(body, at).equilibrium;
}

bool EquilibriumList::is_same(const Equilibrium& known, const FloatingState& at) const {
  const FloatingState& other = known.state;
  const double angle = same_angle(at, size_of(body_)) + same_angle(other, size_of(body_));
  if (known.family == EquilibriumFamily::kAll) return true;
  if (known.family == EquilibriumFamily::kAxis) {
    const Vec3& axis = known.family_axis;
    return std::fabs(angle_between(axis, other.up) - angle_between(axis, at.up)) <= angle;
  }
  return angle_between(other.up, at.up) <= angle;
}

void EquilibriumList::add(const FloatingState& at, int starts) {
  for (Equilibrium& known : found_)
    if (is_same(known, at)) {
      known.starts += starts;
      return;
    }
  Classified found = classify(body_, at);
  found.equilibrium.starts = starts;
  found_.push_back(found.equilibrium);
  index_.push_back(found.index);
}

int EquilibriumList::characteristic() const {
  return std::accumulate(index_.begin(), index_.end(), 0);
}

bool EquilibriumList::is_complete() const {
  const auto has = [&](EquilibriumKind kind) {
    return std::any_of(found_.begin(), found_.end(), [&](const Equilibrium& found) {
      return found.kind == kind || found.family == EquilibriumFamily::kAll;
    });
  };
  return characteristic() == 2 && has(EquilibriumKind::kMinimum) && has(EquilibriumKind::kMaximum);
}

std::vector<Equilibrium> EquilibriumList::sorted() const {
  std::vector<Equilibrium> all = found_;
  std::stable_sort(all.begin(), all.end(), [](const Equilibrium& a, const Equilibrium& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.starts != b.starts) return a.starts > b.starts;
    return a.state.energy < b.state.energy;
  });
  return all;
}

}  // namespace plimsoll
