// Welzl's scheme for points is wrong for balls: a ball outside the smallest ball of the others need
// not touch the smallest ball of all from inside when the others are changed [Fischer2003]. Here a
// support of at most four balls is kept, with the smallest ball that encloses it. The ball that
// sticks out most joins it, and the best support among the subsets of these five takes its place.
// The smallest ball grows with each exchange, so that none comes twice, and ends where nothing
// sticks out.
//
// With j the new ball, which touches the next smallest ball, d_i = c_i - c_j, delta_i = r_i - r_j,
// the sought center u from c_j and the sought radius r_j + rho, ball i touches it from inside where
//
//   |u| = rho,  |u - d_i| = rho - delta_i.
//
// The difference of the squares is linear: d_i . u = (d_i^2 - delta_i^2) / 2 + delta_i rho. As u
// lies in the span of the d_i, it is a + b rho, and rho a root of (1 - b^2) rho^2 - 2 a.b rho -
// a^2. Which root of which subset is meant needs no test that rounding could spoil: any center has
// a radius that encloses the five balls, and the center with the least one is taken.
#include "spheres/enclosing_ball.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/power_of_two.h"

namespace plimsoll {
namespace {

constexpr std::size_t kMaxSupport = 4;

/// A bound for cases in which rounding makes supports come again. Random balls need up to 12.
constexpr int kMaxExchanges = 64;

/// What rounding may add to a radius, relative to it and to the coordinates of the center.
constexpr double kRounding = 0x1p-51;

/// Subsets of four others as bits, the small ones first: where two have one ball, fewer touch it.
constexpr std::array<std::uint8_t, 15> kSubsets = {0, 1,  2,  4, 8,  3,  5, 6,
                                                   9, 10, 12, 7, 11, 13, 14};

/// Centers a + b rho, from the center of the new ball.
struct Centers {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
};

class Support {
 public:
  explicit Support(const PlacedSphere& ball)
      : center_(ball.center), radius_(ball.radius), count_(1) {
    balls_[0] = ball;
  }

  [[nodiscard]] const Vec3& center() const { return center_; }
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] double rounding() const {
    return kRounding * (radius_ + center_.cwiseAbs().maxCoeff());
  }

  /// Takes the support of the smallest ball of these balls and `added`, which sticks out.
  void exchange(const PlacedSphere& added);

 private:
  struct Other {
    Vec3 d;
    double delta = 0;
    double level = 0;  // (d^2 - delta^2) / 2
  };

  void try_subset(std::uint8_t subset);
  [[nodiscard]] Centers centers(std::uint8_t subset) const;
  void try_root(std::uint8_t subset, const Centers& centers, double rho);
  [[nodiscard]] double rho_around(const Vec3& u) const;
  void keep(std::uint8_t subset, const PlacedSphere& added);

  std::array<PlacedSphere, kMaxSupport> balls_;
  Vec3 center_;
  double radius_;
  std::size_t count_;

  std::array<Other, kMaxSupport> others_;  // while an exchange is under way
  Vec3 best_u_;
  double best_rho_ = 0;
  std::uint8_t best_subset_ = 0;
};

void Support::exchange(const PlacedSphere& added) {
  for (std::size_t i = 0; i < count_; ++i) {
    Other& other = others_[i];
    other.d = balls_[i].center - added.center;
    other.delta = balls_[i].radius - added.radius;
    const double distance = other.d.norm();
    other.level = (distance - other.delta) * (distance + other.delta) / 2;
  }
  best_subset_ = 0;
  best_u_ = Vec3::Zero();
  best_rho_ = rho_around(best_u_);
  for (const std::uint8_t subset : kSubsets)
    if (subset != 0 && subset < 1U << count_) try_subset(subset);
  keep(best_subset_, added);
}

Centers Support::centers(std::uint8_t subset) const {
  std::array<const Other*, 3> at{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if ((subset >> i & 1U) != 0) at[count++] = &others_[i];
  std::array<Vec3, 3> dual;  // dual[i] . d_k is 1 for i == k, else 0
  if (count == 1) {
    dual[0] = at[0]->d / at[0]->d.squaredNorm();
  } else if (count == 2) {
    const Vec3 normal = at[0]->d.cross(at[1]->d);
    const double squared = normal.squaredNorm();
    dual[0] = at[1]->d.cross(normal) / squared;
    dual[1] = normal.cross(at[0]->d) / squared;
  } else {
    const Vec3 normal = at[1]->d.cross(at[2]->d);
    const double volume_x6 = at[0]->d.dot(normal);
    dual[0] = normal / volume_x6;
    dual[1] = at[2]->d.cross(at[0]->d) / volume_x6;
    dual[2] = at[0]->d.cross(at[1]->d) / volume_x6;
  }
  Centers centers;
  for (std::size_t i = 0; i < count; ++i) {
    centers.a += dual[i] * at[i]->level;
    centers.b += dual[i] * at[i]->delta;
  }
  return centers;
}

void Support::try_subset(std::uint8_t subset) {
  const Centers line = centers(subset);
  const double square = 1 - line.b.squaredNorm();
  const double half = line.a.dot(line.b);
  const double rest = line.a.squaredNorm();
  const double discriminant = half * half + square * rest;
  if (!(discriminant >= -kRounding * rest)) return;  // also where the d_i have no span
  const double root = std::sqrt(std::max(0.0, discriminant));
  const double sum = half + std::copysign(root, half);
  try_root(subset, line, sum / square);
  try_root(subset, line, -rest / sum);
}

void Support::try_root(std::uint8_t subset, const Centers& line, double rho) {
  if (!(rho >= 0 && rho < best_rho_)) return;
  const Vec3 u = line.a + line.b * rho;
  const double around = rho_around(u);
  if (!(around < best_rho_)) return;
  best_rho_ = around;
  best_u_ = u;
  best_subset_ = subset;
}

double Support::rho_around(const Vec3& u) const {
  double rho = u.norm();
  for (std::size_t i = 0; i < count_; ++i)
    rho = std::max(rho, (others_[i].d - u).norm() + others_[i].delta);
  return rho;
}

void Support::keep(std::uint8_t subset, const PlacedSphere& added) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if ((subset >> i & 1U) != 0) balls_[kept++] = balls_[i];
  balls_[kept++] = added;
  count_ = kept;
  center_ = added.center + best_u_;
  radius_ = added.radius + best_rho_;
}

struct Farthest {
  std::size_t ball = 0;
  double radius = 0;  ///< Of the ball about the center that encloses all, not rounded up.
};

Farthest farthest_from(const Vec3& center, std::span<const PlacedSphere> balls) {
  Farthest farthest;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const double room = farthest.radius - balls[i].radius;
    const double x = balls[i].center[0] - center[0];
    const double y = balls[i].center[1] - center[1];
    const double z = balls[i].center[2] - center[2];
    const double squared = x * x + y * y + z * z;
    if (room >= 0 && squared <= room * room) continue;  // no root for most balls
    farthest = {i, std::sqrt(squared) + balls[i].radius};
  }
  return farthest;
}

double radius_around(const Vec3& center, std::span<const PlacedSphere> balls) {
  double radius = 0;
  for (const PlacedSphere& ball : balls)
    radius = std::max(radius, far_side(center, ball.center, ball.radius));
  return radius;
}

EnclosingBall enclosing_ball_in_units(std::span<const PlacedSphere> balls) {
  if (balls.size() == 1) return {balls[0].center, balls[0].radius};
  Support support(balls[0]);
  EnclosingBall best{balls[0].center, std::numeric_limits<double>::infinity()};
  for (int exchanges = 0; exchanges < kMaxExchanges; ++exchanges) {
    const Farthest farthest = farthest_from(support.center(), balls);
    if (farthest.radius < best.radius) best = {support.center(), farthest.radius};
    if (farthest.radius <= support.radius() + support.rounding()) break;
    support.exchange(balls[farthest.ball]);
  }
  best.radius = radius_around(best.center, balls);
  return best;
}

double largest_length(std::span<const PlacedSphere> balls) {
  double largest = 0;
  for (const PlacedSphere& ball : balls)
    for (const double length : {ball.center[0], ball.center[1], ball.center[2], ball.radius})
      largest = std::max(largest, std::fabs(length));
  return largest;
}

PlacedSphere scaled(const PlacedSphere& ball, int exponent) {
  const auto of = [exponent](double c) { return times_power_of_two(c, exponent); };
  return {ball.center.unaryExpr(of), of(ball.radius)};
}

}  // namespace

EnclosingBall smallest_enclosing_ball(std::span<const PlacedSphere> balls) {
  PLIMSOLL_ASSERT(!balls.empty(), "no balls to enclose");
  // Products of four lengths occur.
  const double largest = largest_length(balls);
  if (balls.size() == 1 || largest == 0 || (largest > 0x1p-100 && largest < 0x1p100))
    return enclosing_ball_in_units(balls);
  const int exponent = exponent_of(largest);
  std::vector<PlacedSphere> in_units(balls.size());
  std::transform(balls.begin(), balls.end(), in_units.begin(),
                 [exponent](const PlacedSphere& ball) { return scaled(ball, -exponent); });
  const EnclosingBall ball = enclosing_ball_in_units(in_units);
  const PlacedSphere found = scaled({ball.center, ball.radius}, exponent);
  // Near the least doubles the center may be rounded by half of one along each axis.
  const bool is_rounded = exponent < -900;
  return {found.center,
          found.radius + (is_rounded ? 4 * std::numeric_limits<double>::denorm_min() : 0)};
}

}  // namespace plimsoll
