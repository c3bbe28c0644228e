#include "contact/sticking_patch.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// A patch slides where its springs pull with all but that share of what friction can hold.
constexpr double kLeftToStick = 1e-3;

Vec3 along_surface(const Vec3& x, const Vec3& way) { return x - way.dot(x) * way; }

}  // namespace

/// Takes what is remembered to where the contact is now.
void StickingPatch::go_along(std::span<const LoadedPoint> points) {
  Vec3 first = Vec3::Zero(), push = Vec3::Zero();
  double load = 0;
  for (const LoadedPoint& point : points) {
    first += point.load * point.at;
    push += point.load * point.way;
    load += point.load;
  }
  const Vec3 center = first / load, normal = push.stableNormalized();
  if (!normal_.isZero(0)) {
    shift_ += twist_ * normal_.cross(center - center_);
    // The surfaces may have turned together.
    shift_ = along_surface(Eigen::Quaterniond::FromTwoVectors(normal_, normal) * shift_, normal);
  }
  center_ = center;
  normal_ = normal;
}

void StickingPatch::set_springs(std::span<const LoadedPoint> points, double friction) {
  springs_.clear();
  for (const LoadedPoint& point : points) {
    const Vec3 displaced =
        along_surface(shift_ + twist_ * normal_.cross(point.at - center_), point.way);
    springs_.push_back({displaced, displaced.norm(), friction * point.load, point.stiffness});
  }
}

/// What the springs hold, displaced by a share of what they are: the integral of their pull.
double StickingPatch::energy(double share) const {
  double sum = 0;
  for (const Spring& spring : springs_) {
    const double length = share * spring.length, give = spring.limit / spring.stiffness;
    sum +=
        length < give ? spring.stiffness / 2 * length * length : spring.limit * (length - give / 2);
  }
  return sum;
}

/// The sum of their pulls, whatever their directions.
double StickingPatch::pull(double share) const {
  double sum = 0;
  for (const Spring& spring : springs_)
    sum += std::min(spring.stiffness * share * spring.length, spring.limit);
  return sum;
}

FrictionForce StickingPatch::displace(const Displacement& by, std::span<const LoadedPoint> points,
                                      double friction) {
  FrictionForce result;
  const bool is_loaded = std::any_of(points.begin(), points.end(),
                                     [](const LoadedPoint& point) { return point.load > 0; });
  if (!is_loaded || !(friction > 0)) {
    result.dissipated = held_;
    forget();
    return result;
  }
  go_along(points);
  set_springs(points, friction);
  result.dissipated = held_ - energy(1);
  shift_ += along_surface(by.shift + by.turn.cross(center_ - by.center), normal_);
  twist_ += by.turn.dot(normal_);
  set_springs(points, friction);
  double hold = 0;
  for (const Spring& spring : springs_) hold += spring.limit;
  const double enough = (1 - kLeftToStick) * hold;
  result.slides = pull(1) > enough;
  if (result.slides) {
    // The share of the displacement that pulls enough; pull() grows with it.
    double low = 0, high = 1;
    for (int step = 0; step < 40; ++step) {
      const double middle = (low + high) / 2;
      (pull(middle) > enough ? high : low) = middle;
    }
    result.dissipated += energy(1) - energy(high);
    shift_ *= high;
    twist_ *= high;
    for (Spring& spring : springs_) {
      spring.displaced *= high;
      spring.length *= high;
    }
  }
  held_ = energy(1);
  result.energy = held_;
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const Spring& spring = springs_[i];
    if (!(spring.length > 0)) continue;
    const Vec3 force = -std::min(spring.stiffness, spring.limit / spring.length) * spring.displaced;
    result.force += force;
    result.torque += points[i].at.cross(force);
  }
  return result;
}

}  // namespace plimsoll
