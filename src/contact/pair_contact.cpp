#include "contact/pair_contact.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// A turn as a vector along its axis, of the length of its angle: for small ones.
Vec3 turn_vector(const Mat3& turn) {
  const Eigen::AngleAxisd angle(turn);
  return angle.angle() * angle.axis();
}

/// How a pose has moved: where the point of the body that is at x now was is x less
/// shift + turn x (x - center).
Displacement moved(const Similarity& before, const Similarity& now, const Vec3& center) {
  const Mat3 turn = now.linear() * before.linear().inverse();
  const Vec3 was = before * (now.inverse() * center);
  return {center - was, turn_vector(turn), center};
}

}  // namespace

Displacement PairContact::displacement(const Poses& now, const Vec3& center) const {
  if (!last_) return {Vec3::Zero(), Vec3::Zero(), center};
  const Displacement of_a = moved(last_->a, now.a, center), of_b = moved(last_->b, now.b, center);
  return {of_a.shift - of_b.shift, of_a.turn - of_b.turn, center};
}

Result<PairForces> PairContact::forces(ContactSearch& search, const MovingSolid& a,
                                       const MovingSolid& b, const ContactLaw& law,
                                       double max_work) {
  const Result<ContactForces> contact = search.forces(
      *a.solid, a.world_from_solid, *b.solid, b.world_from_solid, {.points = true}, max_work);
  if (!contact) return contact.error();
  PairForces result;
  result.overlaps = contact->overlaps;
  result.stiffness = law.stiffness * contact->area;
  const double inverse_mass = a.inverse_mass + b.inverse_mass;
  // Of critical: 2 sqrt(k m), shared among areas.
  const double damping =
      inverse_mass > 0 && contact->area > 0
          ? law.damping * 2 * std::sqrt(result.stiffness / inverse_mass) / contact->area
          : 0;
  loaded_.clear();
  Vec3 first = Vec3::Zero();
  double load = 0;
  const auto add = [&](const Vec3& at, const Vec3& force) {
    result.force_a += force;
    result.torque_a += (at - a.center).cross(force);
    result.torque_b -= (at - b.center).cross(force);
  };
  for (const ContactPoint& point : contact->points) {
    const double elastic = law.stiffness * point.push;
    const double approach = -point.way.dot(a.velocity_at(point.at) - b.velocity_at(point.at));
    const double damped = std::clamp(damping * point.area * approach, -elastic, elastic);
    result.damped_power += damped * approach;
    add(point.at, (elastic + damped) * point.way);
    loaded_.push_back({point.at, point.way, elastic + damped, law.stiffness * point.area});
    first += (elastic + damped) * point.at;
    load += elastic + damped;
  }
  const Poses now{a.world_from_solid, b.world_from_solid};
  const Vec3 center = load > 0 ? Vec3(first / load) : a.center;
  const FrictionForce held = patch_.displace(displacement(now, center), loaded_, law.friction);
  result.force_a += held.force;
  result.torque_a += held.torque - a.center.cross(held.force);
  result.torque_b -= held.torque - b.center.cross(held.force);
  result.slipped = held.dissipated;
  result.held = held.energy;
  last_ = now;
  result.force_b = -result.force_a;
  return result;
}

}  // namespace plimsoll
