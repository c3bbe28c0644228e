#include "completeness/neutral_curve.h"

#include <plimsoll/elementary.h>
#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "completeness/isolation.h"

namespace plimsoll {
namespace {

constexpr std::size_t kFewest = 8;       // points of a circle
constexpr std::size_t kFewestOfArc = 5;  // two pieces of full length between those at the ends
constexpr double kShortest = 1e-3;  // [rad]; of a curve that is more than a pose to higher order
constexpr double kAtRest = 1e-9;    // arms, over the size of the body
constexpr double kNeutral = 1e-11;  // metacentric heights, likewise

double size_of(const FloatingBody& body) { return elementary::cbrt(body.volume); }

Vec3 turned(const Vec3& up, const Vec3& along, double angle) {
  const auto [sine, cosine] = elementary::sin_cos(angle);
  return (cosine * up + sine * along).normalized();
}

/// Which heel axis has the larger |metacentric height|.
int steeper_axis(const FloatingState& at) {
  const Vec2 heights = at.metacentric_heights.cwiseAbs();
  return heights[0] > heights[1] ? 0 : 1;
}

/// A pose on the way along a curve.
struct Place {
  FloatingState state;
  Vec3 along;  ///< Of unit length: where the curve leads.
};

/// The pose a step ahead, the arm across brought back to zero.
Place ahead(const FloatingBody& body, const Place& from, double step) {
  Place to{float_upright(body, turned(from.state.up, from.along, step), from.state.level), {}};
  for (int i = 0; i < 20; ++i) {
    const FloatingState& at = to.state;
    const int steep = steeper_axis(at);
    const double height = at.metacentric_heights[steep];
    const double slope = at.heel_axes.row(steep).dot(at.righting_arm);
    if (std::fabs(slope) <= 1e-13 * size_of(body) || height == 0) break;
    const Vec3 axis = at.heel_axes.row(steep);
    to.state =
        float_upright(body, turned(at.up, axis, std::clamp(-slope / height, -0.1, 0.1)), at.level);
  }
  const Vec3 flat = to.state.heel_axes.row(1 - steeper_axis(to.state));
  const Vec3 onward = turned(from.along, -from.state.up, step);
  to.along = flat.dot(onward) < 0 ? Vec3(-flat) : flat;
  return to;
}

bool is_neutral(const FloatingBody& body, const FloatingState& at, double height) {
  return at.righting_arm.norm() <= kAtRest * size_of(body) &&
         at.metacentric_heights.cwiseAbs().minCoeff() <= height;
}

/// Points from `start` on, a step apart, to where the curve ends or comes back to where it began.
std::vector<Vec3> trace(const FloatingBody& body, const Place& start, double height, double step,
                        bool& is_closed) {
  std::vector<Vec3> points;
  Place at = start;
  const auto most = static_cast<std::size_t>(2 * std::numbers::pi / step) + 2;
  while (points.size() < most) {
    const Place next = ahead(body, at, step);
    if (!is_neutral(body, next.state, height)) break;
    is_closed = points.size() > 2 && angle_between(next.state.up, start.state.up) < step / 2;
    if (is_closed) return points;
    points.push_back(next.state.up);
    is_closed = points.size() > 2 && angle_between(next.state.up, start.state.up) < step;
    if (is_closed) return points;
    at = next;
  }
  double inside = 0, outside = step;
  while (outside - inside > 1e-9) {
    const double middle = (inside + outside) / 2;
    (is_neutral(body, ahead(body, at, middle).state, height) ? inside : outside) = middle;
  }
  if (inside > 0) points.push_back(ahead(body, at, inside).state.up);
  return points;
}

/// The loop at `angle` around an open curve, counterclockwise.
std::vector<Vec3> loop_around(const NeutralCurve& curve, double angle) {
  const std::vector<Vec3>& p = curve.points;
  const std::size_t n = p.size();
  std::vector<Vec3> along(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 chord =
        n > 1 ? Vec3(p[std::min(i + 1, n - 1)] - p[i > 0 ? i - 1 : 0]) : p[i].unitOrthogonal();
    along[i] = (chord - chord.dot(p[i]) * p[i]).normalized();
  }
  std::vector<Vec3> loop;
  const auto add = [&](std::size_t i, double turn) {
    const Vec3 left = p[i].cross(along[i]);
    const auto [sine, cosine] = elementary::sin_cos(turn);
    loop.push_back(turned(p[i], cosine * along[i] + sine * left, angle));
  };
  constexpr double kRight = std::numbers::pi / 2;
  constexpr int kCap = 16;
  for (std::size_t i = 0; i + 1 < n; ++i) add(i, -kRight);
  for (int k = 0; k <= kCap; ++k) add(n - 1, kRight * (2.0 * k / kCap - 1));
  for (std::size_t i = n - 1; i-- > 0;) add(i, kRight);
  for (int k = 1; k < kCap; ++k) add(0, kRight * (1 + 2.0 * k / kCap));
  return loop;
}

/// The axis of a circle through all of the points; zero where it is none.
Vec3 axis_of(const std::vector<Vec3>& p) {
  const std::size_t n = p.size();
  const Vec3 axis = (p[n / 3] - p[0]).cross(p[2 * n / 3] - p[0]).normalized();
  const double angle = angle_between(axis, p[0]);
  const double room = 1e-5 * std::min(angle, std::numbers::pi - angle);
  const bool is_circle = std::all_of(p.begin(), p.end(), [&](const Vec3& up) {
    return std::fabs(angle_between(axis, up) - angle) <= room;
  });
  return is_circle ? axis : Vec3::Zero();
}

/// The second derivative by arc length next to point i, away from the ends, whose pieces are
/// shorter.
Vec3 bend_near(const std::vector<Vec3>& p, std::size_t i) {
  const std::size_t n = p.size();
  if (n < kFewestOfArc) return Vec3::Zero();
  const std::size_t k = std::clamp<std::size_t>(i, 2, n - 3);
  return (p[k + 1] - 2 * p[k] + p[k - 1]) / (p[k + 1] - p[k]).squaredNorm();
}

NeutralCurve traced(const FloatingBody& body, const FloatingState& at, int k, double step) {
  const double height =
      std::max(kNeutral * size_of(body), 10 * std::fabs(at.metacentric_heights[k]));
  NeutralCurve curve;
  const Vec3 along = at.heel_axes.row(k);
  std::vector<Vec3> forward = trace(body, {at, along}, height, step, curve.is_closed);
  std::vector<Vec3> backward;
  if (!curve.is_closed) {
    bool met = false;
    backward = trace(body, {at, -along}, height, step, met);
  }
  curve.points.assign(backward.rbegin(), backward.rend());
  curve.points.push_back(at.up);
  curve.points.insert(curve.points.end(), forward.begin(), forward.end());
  if (curve.is_closed) curve.axis = axis_of(curve.points);
  return curve;
}

double length_of(const NeutralCurve& curve) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i)
    length += angle_between(curve.points[i], curve.points[i + 1]);
  return length;
}

/// Whether an open curve has no two pieces of full length, by which its bend is told, or turns so
/// much along one that a parabola whose bend is that of 1.5 pieces away is off by more than 6e-4 of
/// the radius.
bool is_coarse(const NeutralCurve& curve) {
  constexpr double kTurn = 0.15;  // [rad]
  const std::vector<Vec3>& p = curve.points;
  if (curve.is_closed) return false;
  if (p.size() < kFewestOfArc) return true;
  const std::size_t k = p.size() / 2;
  return (p[k + 1] - p[k]).norm() * bend_near(p, k).norm() > kTurn;
}

bool is_short(const NeutralCurve& curve, double step) {
  const std::vector<Vec3>& p = curve.points;
  if (!curve.is_closed) return angle_between(p.front(), p.back()) < kShortest;
  double farthest = 0;
  for (const Vec3& up : p) farthest = std::max(farthest, angle_between(p.front(), up));
  return p.size() < kFewest || farthest < 2 * step;
}

}  // namespace

double angle_between(const Vec3& a, const Vec3& b) {
  return 2 * elementary::atan2((a - b).norm(), (a + b).norm());
}

// Small circles, short arcs and small arcs are traced in small steps. Next to a pose at rest to
// higher order everything is at rest so nearly that a trace wanders: that is no curve.
NeutralCurve neutral_curve(const FloatingBody& body, const FloatingState& at, int k, double step) {
  NeutralCurve curve = traced(body, at, k, step);
  if (!is_short(curve, step)) {
    constexpr int kPieces = 16;  // of less than kTurn each, of a third of a circle
    constexpr int kTries = 3;    // shorter steps may end where longer ones went on
    for (int i = 0; i < kTries && is_coarse(curve); ++i)
      curve = traced(body, at, k, length_of(curve) / kPieces);
    return curve;
  }
  for (const double finer : {step / 8, step / 64}) {
    const NeutralCurve circle = traced(body, at, k, finer);
    if (!circle.axis.isZero(0) && !is_short(circle, finer)) return circle;
  }
  return {{at.up}};
}

// Towards a pose at rest the arm falls with the height. Where the arm grows as the height falls
// there is an inflection of the energy, as between two arcs that nearly meet.
FloatingState flattest_nearby(const FloatingBody& body, const FloatingState& at) {
  constexpr double kFirst = 1e-3, kLast = 1e-10, kStillAtRest = 1e-10, kNoise = 1e-12;
  const auto height = [](const FloatingState& s) {
    return s.metacentric_heights.cwiseAbs().minCoeff();
  };
  Place best{at, at.heel_axes.row(1 - steeper_axis(at))};
  for (double step = kFirst; step > kLast;) {
    bool is_flatter = false;
    for (const double way : {1., -1.}) {
      const Place next = ahead(body, {best.state, way * best.along}, step);
      const double arm = next.state.righting_arm.norm();
      is_flatter = arm <= kStillAtRest * size_of(body) &&
                   arm <= std::max(best.state.righting_arm.norm(), kNoise * size_of(body)) &&
                   height(next.state) < height(best.state);
      if (!is_flatter) continue;
      best = next;
      break;
    }
    if (!is_flatter) step /= 4;
  }
  return best.state;
}

// Between points the curve is taken for a parabola; chords alone would be off by 2e-4 on a circle
// of a quarter of a radian.
double distance_to(const NeutralCurve& curve, const Vec3& up) {
  const std::vector<Vec3>& p = curve.points;
  if (!curve.axis.isZero(0))
    return std::fabs(angle_between(curve.axis, up) - angle_between(curve.axis, p.front()));
  const std::size_t n = p.size();
  double least = angle_between(p.front(), up);
  const std::size_t pieces = curve.is_closed ? n : n - 1;
  for (std::size_t i = 0; i < pieces; ++i) {
    const Vec3& a = p[i];
    const Vec3 side = p[(i + 1) % n] - a;
    const double share = std::clamp((up - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
    const Vec3 bulge = share * (1 - share) / 2 * side.squaredNorm() * bend_near(p, i);
    least = std::min(least, angle_between((a + share * side - bulge).normalized(), up));
  }
  return least;
}

// A chord is no longer than its arc.
bool is_within(const NeutralCurve& curve, double angle, const Vec3& up) {
  constexpr double kRounding = 1 + 1e-9;
  const bool is_far = curve.points.size() == 1 && curve.axis.isZero(0) && angle >= 0 &&
                      (curve.points.front() - up).norm() > kRounding * angle;
  return !is_far && distance_to(curve, up) <= angle;
}

int index_around(const FloatingBody& body, const NeutralCurve& curve, double level, double angle) {
  const Vec3 middle = curve.points[curve.points.size() / 2];
  const Vec3 u = middle.unitOrthogonal(), v = middle.cross(u);
  // Directions square to n are told by turning n the shortest way to the middle: continuous but at
  // the point opposite to it.
  const auto direction = [&](const Vec3& n) {
    const FloatingState at = probe_state(body, n, level);
    level = at.level;
    const Vec3 arm = rotation_between(n, middle) * at.righting_arm;
    return elementary::atan2(v.dot(arm), u.dot(arm));
  };
  const std::vector<Vec3> loop = loop_around(curve, angle);
  double total = 0;
  // Pieces along which the gradient turns by more than a radian are halved.
  const auto turning = [&](auto&& self, const Vec3& a, double at_a, const Vec3& b, double at_b,
                           int depth) -> double {
    const double turn = std::remainder(at_b - at_a, 2 * std::numbers::pi);
    if (std::fabs(turn) < 1 || depth == 0) return turn;
    const Vec3 half = (a + b).normalized();
    const double at_half = direction(half);
    return self(self, a, at_a, half, at_half, depth - 1) +
           self(self, half, at_half, b, at_b, depth - 1);
  };
  const double first = direction(loop.front());
  double before = first;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& next = loop[(i + 1) % loop.size()];
    const double at_next = i + 1 < loop.size() ? direction(next) : first;
    total += turning(turning, loop[i], before, next, at_next, 10);
    before = at_next;
  }
  return static_cast<int>(std::lround(total / (2 * std::numbers::pi)));
}

}  // namespace plimsoll
