#include "completeness/direction_cover.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "completeness/isolation.h"
#include "core/parallel.h"

namespace plimsoll {
namespace {

using Cell = DirectionCover::Cell;
using Probe = DirectionCover::Probe;
using Ancestor = DirectionCover::Ancestor;

constexpr std::size_t kWorthwhile = 16;  // cells
constexpr int kGenerations = 4;          // older probes are far away

/// Whether no direction of the triangle holds a pose at rest, by q at `low` and E at `high`.
bool excludes(const Probe& low, const Probe& high, const std::array<Vec3, 3>& corner) {
  // Both sides are off by the errors of q and E; 16 roundings in each product.
  const double room =
      low.error + high.error + 0x1p-48 * (low.apart.norm() + std::fabs(high.energy));
  std::array<double, 3> rise{}, facing{};
  for (std::size_t i = 0; i < 3; ++i) {
    rise[i] = corner[i].dot(low.apart);
    facing[i] = corner[i].dot(high.up);
    if (!(facing[i] > 0)) return false;
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      const double left = (rise[i] * facing[j] + rise[j] * facing[i]) / 2;
      if (!(left - high.energy * corner[i].dot(corner[j]) > room)) return false;
    }
  return true;
}

/// S (F(0) + H y) at the corners of a triangle (isolation.h).
struct LinearArm {
  std::array<Vec2, 3> z, arm;
  double farthest = 0;  // |z|

  LinearArm(const LevelChart& chart, const std::array<Vec3, 3>& corner) {
    for (std::size_t i = 0; i < 3; ++i) {
      z[i] = chart.at(corner[i]);
      arm[i] = chart.arm() + chart.curvature().cwiseProduct(z[i]);
      farthest = std::max(farthest, z[i].norm());
    }
  }

  /// How far the triangle of arms is from zero, and in which direction: towards its nearest point,
  /// which is a corner or the foot on a side. 0 if it holds zero.
  struct Distance {
    double least = 0;
    Vec2 along = Vec2::Zero();
  };
  [[nodiscard]] Distance distance() const {
    Distance distance;
    const auto consider = [&](const Vec2& direction) {
      const Vec2 w = direction.normalized();
      const double least = std::min({w.dot(arm[0]), w.dot(arm[1]), w.dot(arm[2])});
      if (least > distance.least) distance = {least, w};
    };
    for (std::size_t i = 0; i < 3; ++i) {
      consider(arm[i]);
      const Vec2 side = arm[(i + 1) % 3] - arm[i];
      consider({-side[1], side[0]});
      consider({side[1], -side[0]});
    }
    return distance;
  }

  /// The longest side of the triangle of arms.
  [[nodiscard]] double extent() const {
    return std::max({(arm[1] - arm[0]).norm(), (arm[2] - arm[1]).norm(), (arm[0] - arm[2]).norm()});
  }
};

/// The direction in which the arm is zero to first order, at most `far` from that of the state.
Vec3 rest_ahead(const FloatingState& at, double far) {
  Vec2 step = -at.heel_axes * at.righting_arm;
  for (int k = 0; k < 2; ++k) step[k] = std::clamp(step[k] / at.metacentric_heights[k], -far, far);
  if (!step.allFinite()) step.setZero();
  return (at.up + at.heel_axes.transpose() * step).normalized();
}

/// The work on one cell.
class Settler {
 public:
  Settler(const FloatingBody& body, std::span<const IsolatedPose> isolated, Cell& cell)
      : body_(body), isolated_(isolated), cell_(cell) {
    const Ancestor* ancestor = cell.ancestor.get();
    for (int i = 0; i < kGenerations && ancestor != nullptr; ++i) {
      for (int k = 0; k < ancestor->count; ++k) known_.push_back(&ancestor->probes[k]);
      ancestor = ancestor->parent.get();
    }
  }

  /// Whether it is settled; else the cell knows what was learned.
  bool settle() {
    const auto& corner = cell_.corner;  // of a convex set, with all between them
    for (const IsolatedPose& pose : isolated_)
      if (pose.holds(corner[0]) && pose.holds(corner[1]) && pose.holds(corner[2])) return true;
    if (is_excluded_by_known()) return true;
    const FloatingState at = ask(cell_.middle());
    cell_.level = at.level;
    auto learned = std::make_shared<Ancestor>();
    learned->parent = cell_.ancestor;
    const auto learn = [&](const Probe& probe) -> const Probe& {
      return learned->probes[learned->count++] = probe;
    };
    if (is_excluded_by(learn(probe_of(at)))) return true;
    if (const auto below = downhill(at); below && is_excluded_by(learn(*below))) return true;
    cell_.ancestor = std::move(learned);
    return is_excluded_by_curvature(at);
  }

  [[nodiscard]] std::size_t states() const { return states_; }

 private:
  FloatingState ask(const Vec3& up) { return probe_state(body_, up, cell_.level, &states_); }

  [[nodiscard]] Probe probe_of(const FloatingState& at) const {
    return {at.up, at.righting_arm + at.energy * at.up, at.energy, state_error(body_, at)};
  }

  [[nodiscard]] bool is_excluded_by_known() const {
    for (const Probe* low : known_)
      for (const Probe* high : known_)
        if (excludes(*low, *high, cell_.corner)) return true;
    return false;
  }

  /// By a new probe, alone or with one that was known.
  bool is_excluded_by(const Probe& fresh) {
    if (excludes(fresh, fresh, cell_.corner)) return true;
    for (const Probe* known : known_)
      if (excludes(fresh, *known, cell_.corner) || excludes(*known, fresh, cell_.corner))
        return true;
    known_.push_back(&fresh);
    return false;
  }

  /// A probe so far down that its disc could hold the cell; nothing where the disc would be far too
  /// small.
  std::optional<Probe> downhill(const FloatingState& at) {
    constexpr double kPromising = 0.35;  // measured: half the questions of 0, none missed by much
    const double radius = cell_.radius();
    const double arm = at.righting_arm.norm();
    if (!(arm > 0) || radius > 0.6 || arm < kPromising * 2 * radius * at.energy)
      return std::nullopt;
    const double angle = 1.3 * radius;
    const auto [sine, cosine] = elementary::sin_cos(angle);
    const Vec3 up = cosine * at.up - sine / arm * at.righting_arm;
    return probe_of(ask(up.normalized()));
  }

  /// By the arm and the Hessian in the middle and a bound of how much the latter changes.
  bool is_excluded_by_curvature(const FloatingState& at) {
    const LevelChart chart(at);
    const LinearArm linear(chart, cell_.corner);
    const auto [least, w] = linear.distance();
    // The first order may be wrong by as much as a part of what it changes by.
    cell_.may_hold = least <= 0.25 * linear.extent();
    for (int k = 0; k < 2; ++k) cell_.signs.signs[k] = at.metacentric_heights[k] < 0 ? -1 : 1;
    cell_.target = rest_ahead(at, 2 * cell_.radius());
    if (least == 0 || cell_.radius() > 0.6) return false;
    // The change that would do at every corner.
    double enough = std::numeric_limits<double>::infinity();
    const double room = 4 * state_error(body_, at);
    for (std::size_t i = 0; i < 3; ++i)
      enough = std::min(enough, (w.dot(linear.arm[i]) - room) / linear.z[i].norm());
    // It falls with the slope, but seldom to a third of what that would make it.
    if (!(enough > 0) || enough < 0.3 * cell_.change_rate * linear.farthest) return false;
    const double change = curvature_change(body_, at, chart, linear.farthest, enough);
    if (std::isfinite(change)) cell_.change_rate = change / linear.farthest;
    return change < enough;
  }

  const FloatingBody& body_;
  std::span<const IsolatedPose> isolated_;
  Cell& cell_;
  std::vector<const Probe*> known_;
  std::size_t states_ = 0;
};

/// The faces of an icosahedron, turned so that the poses of symmetric bodies are not on its edges.
std::vector<Cell> icosahedron(const FloatingBody& body) {
  constexpr double kGolden = std::numbers::phi;
  const SineAndCosine half = elementary::sin_cos(0.1);  // of the angle
  const Vec3 along = half.sine * Vec3(3, 2, 1).normalized();
  const Eigen::Quaterniond turn(half.cosine, along[0], along[1], along[2]);
  std::vector<Vec3> vertices;
  for (const double a : {-1., 1.})
    for (const double b : {-kGolden, kGolden})
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 v = Vec3::Zero();
        v[(axis + 1) % 3] = a;
        v[(axis + 2) % 3] = b;
        vertices.push_back(turn * v.normalized());
      }
  const double cosine = 1 / std::sqrt(5.0);  // between neighbors
  const auto adjoin = [&](std::size_t i, std::size_t j) {
    return std::fabs(vertices[i].dot(vertices[j]) - cosine) < 1e-9;
  };
  std::vector<Cell> faces;
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i + 1; j < 12; ++j)
      for (std::size_t k = j + 1; k < 12; ++k) {
        if (!adjoin(i, j) || !adjoin(j, k) || !adjoin(k, i)) continue;
        Cell cell;
        const bool is_outward = vertices[i].cross(vertices[j]).dot(vertices[k]) > 0;
        cell.corner = {vertices[i], vertices[is_outward ? j : k], vertices[is_outward ? k : j]};
        cell.level = cell.middle().dot(body.box.center());
        faces.push_back(std::move(cell));
      }
  return faces;
}

}  // namespace

DirectionCover::DirectionCover(const FloatingBody& body) : body_(body), open_(icosahedron(body)) {}

void DirectionCover::settle(std::span<const IsolatedPose> isolated) {
  std::vector<char> is_settled(open_.size());
  std::vector<std::size_t> states(open_.size());
  parallel_for_each_index(open_.size(), kWorthwhile, [&](std::size_t i) {
    Settler settler(body_, isolated, open_[i]);
    is_settled[i] = settler.settle() ? 1 : 0;
    states[i] = settler.states();
  });
  std::vector<Cell> open;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    states_ += states[i];
    if (is_settled[i] == 0) open.push_back(std::move(open_[i]));
  }
  open_ = std::move(open);
}

void DirectionCover::split() {
  std::vector<Cell> parts;
  parts.reserve(4 * open_.size());
  for (Cell& cell : open_) {
    const auto& [a, b, c] = cell.corner;
    const Vec3 ab = (a + b).normalized(), bc = (b + c).normalized(), ca = (c + a).normalized();
    for (const std::array<Vec3, 3>& corner : {std::array{a, ab, ca}, std::array{ab, b, bc},
                                              std::array{ca, bc, c}, std::array{ab, bc, ca}}) {
      Cell part = cell;
      part.corner = corner;
      parts.push_back(std::move(part));
    }
  }
  open_ = std::move(parts);
}

}  // namespace plimsoll
