#include "contact/sticking_patch.h"

#include <plimsoll/rotation.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// A patch slides where its springs pull with all but that share of what friction can hold.
constexpr double kLeftToStick = 1e-3;

Vec3 along_surface(const Vec3& x, const Vec3& way) { return x - way.dot(x) * way; }

/// What springs hold, displaced by a share of what they are: the integral of their pull.
double energy(const StickingPatch::Springs& springs, double share) {
  double sum = 0;
  for (const auto& spring : springs) {
    const double length = share * spring.length, force = spring.stiffness * length;
    // Not at its limit where both are 0.
    sum += force <= spring.limit ? force / 2 * length
                                 : spring.limit * (length - spring.limit / spring.stiffness / 2);
  }
  return sum;
}

/// The sum of their pulls, whatever their directions.
double pull(const StickingPatch::Springs& springs, double share) {
  double sum = 0;
  for (const auto& spring : springs)
    sum += std::min(spring.stiffness * share * spring.length, spring.limit);
  return sum;
}

}  // namespace

/// Takes what is remembered to where the contact is now.
void StickingPatch::go_along(const Similarity& carried, std::span<const LoadedPoint> points) {
  // The sum of pushes over the sum of their sizes: 0.65 of a thread of 45 degrees that leads by 31.
  constexpr double kOneWay = 0.75;
  Vec3 first = Vec3::Zero(), push = Vec3::Zero();
  double load = 0;
  for (const LoadedPoint& point : points) {
    first += point.load * point.at;
    push += point.load * point.way;
    load += point.load;
  }
  const Vec3 center = first / load;
  turn_ = carried.linear() * turn_;
  shift_ = carried.linear() * shift_ + turn_.cross(center - carried * center_);
  center_ = center;
  if (!(push.norm() > kOneWay * load)) {
    normal_.reset();
    return;
  }
  const Vec3 normal = push.stableNormalized();
  const Vec3 along = normal_ ? Vec3((carried.linear() * *normal_).stableNormalized()) : normal;
  // The contact may have gone on over a surface that is not flat.
  shift_ = along_surface(rotation_between(along, normal) * shift_, normal);
  turn_ = turn_.dot(along) * normal;
  normal_ = normal;
}

/// Adds a displacement as far as it moves loaded points along their surfaces: of what rolls, the
/// turn would grow without end.
void StickingPatch::add_felt(const Vec3& shift, const Vec3& turn,
                             std::span<const LoadedPoint> points) {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  constexpr double kFelt =
      0.01;  // of the mean square by which a displacement of size 1 moves points
  double load = 0, square = 0;
  for (const LoadedPoint& point : points) {
    load += point.load;
    square += point.load * (point.at - center_).squaredNorm();
  }
  const double reach = std::sqrt(square / load);
  if (!(reach > 0)) return;
  // The mean square as a quadratic form of the displacement: its shift, and its turn times the
  // reach.
  Mat6 felt = Mat6::Zero();
  for (const LoadedPoint& point : points) {
    const Vec3 arm = (point.at - center_) / reach;
    Eigen::Matrix<double, 3, 6> moved;
    for (int axis = 0; axis < 3; ++axis) {
      moved.col(axis) = along_surface(Vec3::Unit(axis), point.way);
      moved.col(3 + axis) = along_surface(Vec3::Unit(axis).cross(arm), point.way);
    }
    felt += point.load / load * moved.transpose() * moved;
  }
  const Eigen::SelfAdjointEigenSolver<Mat6> modes(felt);
  Vec6 by, kept = Vec6::Zero();
  by << shift, reach * turn;
  for (int i = 0; i < 6; ++i)
    if (modes.eigenvalues()[i] > kFelt)
      kept += modes.eigenvectors().col(i).dot(by) * modes.eigenvectors().col(i);
  shift_ += kept.head<3>();
  turn_ += kept.tail<3>() / reach;
}

void StickingPatch::set_springs(std::span<const LoadedPoint> points, double friction,
                                Springs& springs) const {
  springs.clear();
  for (const LoadedPoint& point : points) {
    const Vec3 displaced = along_surface(shift_ + turn_.cross(point.at - center_), point.way);
    springs.push_back({displaced, displaced.norm(), friction * point.load, point.stiffness});
  }
}

FrictionForce StickingPatch::displace(const Displacement& by, std::span<const LoadedPoint> points,
                                      double friction, Springs& springs) {
  FrictionForce result;
  const bool is_loaded = std::any_of(points.begin(), points.end(),
                                     [](const LoadedPoint& point) { return point.load > 0; });
  if (!is_loaded || !(friction > 0)) {
    result.dissipated = held_;
    forget();
    return result;
  }
  go_along(by.carried, points);
  set_springs(points, friction, springs);
  result.dissipated = held_ - energy(springs, 1);
  const Vec3 shift = by.shift + by.turn.cross(center_ - by.center);
  if (normal_) {
    shift_ += along_surface(shift, *normal_);
    turn_ += by.turn.dot(*normal_) * *normal_;
  } else {
    add_felt(shift, by.turn, points);
  }
  set_springs(points, friction, springs);
  double hold = 0;
  for (const Spring& spring : springs) hold += spring.limit;
  const double enough = (1 - kLeftToStick) * hold;
  result.slides = pull(springs, 1) > enough;
  if (result.slides) {
    // The share of the displacement that pulls enough; pull() grows with it.
    double low = 0, high = 1;
    for (int step = 0; step < 40; ++step) {
      const double middle = (low + high) / 2;
      (pull(springs, middle) > enough ? high : low) = middle;
    }
    result.dissipated += energy(springs, 1) - energy(springs, high);
    shift_ *= high;
    turn_ *= high;
    for (Spring& spring : springs) {
      spring.displaced *= high;
      spring.length *= high;
    }
  }
  held_ = energy(springs, 1);
  result.energy = held_;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const Spring& spring = springs[i];
    const Vec3 led = spring.displaced + along_surface(points[i].lead, points[i].way);
    const double length = led.norm();
    if (!(length > 0)) continue;
    const Vec3 force = -std::min(spring.stiffness, spring.limit / length) * led;
    result.force += force;
    result.torque += points[i].at.cross(force);
  }
  return result;
}

}  // namespace plimsoll
