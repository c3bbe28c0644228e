#include "contact/pair_contact.h"

#include <plimsoll/elementary.h>
#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "contact/volume_push.h"

namespace plimsoll {
namespace {

/// How a pose has moved: where the point of the body that is at x now was is x less
/// shift + turn x (x - center).
Displacement moved(const Similarity& before, const Similarity& now, const Vec3& center) {
  const Mat3 turn = now.linear() * before.linear().inverse();
  const Vec3 was = before * (now.inverse() * center);
  return {center - was, rotation_vector(turn), center};
}

/// How A has moved beside B since the last question.
Displacement displacement(const std::optional<PairContact::Poses>& last,
                          const PairContact::Poses& now, const Vec3& center) {
  if (!last) return {Vec3::Zero(), Vec3::Zero(), center};
  const Displacement of_a = moved(last->a, now.a, center), of_b = moved(last->b, now.b, center);
  Similarity carried;
  carried.matrix() =
      ((now.a * last->a.inverse()).matrix() + (now.b * last->b.inverse()).matrix()) / 2;
  return {of_a.shift - of_b.shift, of_a.turn - of_b.turn, center, carried};
}

/// The one nearer to 0 of two speeds of one sign, else 0.
double lesser(double u, double v) {
  if (u > 0 && v > 0) return std::min(u, v);
  return u < 0 && v < 0 ? std::max(u, v) : 0;
}

/// What a spring at the end of an arm resists to turns with: one that holds along every direction,
/// or along one.
Mat3 held_along_all(const Vec3& arm) {
  return arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose();
}
Mat3 held_along(const Vec3& way, const Vec3& arm) {
  const Vec3 lever = arm.cross(way);
  return lever * lever.transpose();
}

}  // namespace

Result<PairContactSearch::Points> PairContactSearch::points_of(const MovingSolid& a,
                                                               const MovingSolid& b,
                                                               const PairLaw& law,
                                                               double max_work) {
  if (law.method == ContactMethod::kSpheres) return points_of_spheres(a, b, law.max_time);
  if (law.method == ContactMethod::kVolume) return points_of_volume(a, b, max_work);
  Result<ContactForces> contact =
      search_.forces(*a.solid, a.world_from_solid, *b.solid, b.world_from_solid,
                     {.potential = potential_of(law.method), .points = true}, max_work);
  if (!contact) return contact.error();
  return Points{contact->overlaps, contact->area, std::move(contact->points)};
}

Result<PairContactSearch::Points> PairContactSearch::points_of_volume(const MovingSolid& a,
                                                                      const MovingSolid& b,
                                                                      double max_work) {
  const Result<Overlap> shared = overlap_search_.overlap(
      *a.solid, a.world_from_solid, *b.solid, b.world_from_solid, {.curve = true}, max_work);
  if (!shared) return shared.error();
  Points found{shared->overlaps, 0, volume_push(*shared)};
  for (const ContactPoint& point : found.points) found.area += point.area;
  if (shared->overlaps && found.points.empty()) found.depth = elementary::cbrt(shared->volume);
  return found;
}

Result<PairContactSearch::Points> PairContactSearch::points_of_spheres(const MovingSolid& a,
                                                                       const MovingSolid& b,
                                                                       double max_time) {
  if (a.spheres == nullptr || b.spheres == nullptr) {
    const bool of_a = a.spheres != nullptr;
    const auto& [from, to] = of_a ? std::tie(a, b) : std::tie(b, a);
    SpheresInSolid in = surface_search_.find(*from.spheres, from.world_from_solid, *to.solid,
                                             to.world_from_solid, max_time);
    if (!of_a)
      for (ContactPoint& point : in.points) {
        point.growth = point.way;
        point.way = -point.way;
      }
    return Points{!in.points.empty(), in.area, std::move(in.points)};
  }
  const SphereVolumeOptions options{.max_time = max_time,
                                    .with_bounds = false,
                                    .with_contacts = true,
                                    .direction = ForceDirection::kCenters};
  const Result<SphereVolume> shared = sphere_search_.volume(
      *a.spheres, a.world_from_solid, *b.spheres, b.world_from_solid, options);
  if (!shared) return shared.error();
  Points found;
  for (const SphereContact& contact : shared->contacts) {
    const double push = contact.force_a.norm();
    if (!(push > 0)) continue;
    found.points.push_back(
        {contact.point, contact.force_a / push, contact.area, push, contact.energy});
    found.area += contact.area;
  }
  found.overlaps = !found.points.empty();
  return found;
}

Result<PairForces> PairContactSearch::forces(PairContact& pair, const MovingSolid& a,
                                             const MovingSolid& b, const PairLaw& law,
                                             double max_work) {
  const Result<Points> contact = points_of(a, b, law, max_work);
  if (!contact) return contact.error();
  PairForces result;
  result.overlaps = contact->overlaps;
  result.stiffness = law.stiffness * contact->area;
  result.depth = contact->depth;
  const double inverse_mass = a.inverse_mass + b.inverse_mass;
  // Of critical, 2 sqrt(k m): for springs k that is a time.
  const double time = inverse_mass > 0 && contact->area > 0
                          ? law.damping * 2 / std::sqrt(result.stiffness * inverse_mass)
                          : 0;
  loaded_.clear();
  Vec3 first = Vec3::Zero();
  double load = 0;
  // The direction of the whole push, and how much of all pushes it is: 1 of flat faces.
  Vec3 push = Vec3::Zero();
  double pushes = 0;
  for (const ContactPoint& point : contact->points) {
    push += point.push * point.way;
    pushes += point.push;
  }
  const double agree = pushes > 0 ? push.norm() / pushes : 0;
  const Vec3 mean_way = push.stableNormalized();
  for (const ContactPoint& point : contact->points) {
    const Vec3 arm_a = point.at - a.center, arm_b = point.at - b.center;
    const double spring = law.stiffness * point.area, elastic = law.stiffness * point.push;
    const Vec3 beside = a.velocity_at(point.at) - b.velocity_at(point.at);
    const Vec3 growth = point.growth.value_or(-(agree * mean_way + (1 - agree) * point.way));
    const double inward = lesser(growth.dot(beside), -point.way.dot(beside));
    const double damped = std::clamp(spring * time * inward, -elastic, elastic);
    result.elastic.add(elastic * point.way, arm_a, arm_b);
    result.resisting.add(damped * point.way, arm_a, arm_b);
    const bool sticks = law.friction > 0;
    result.turning_a += spring * (sticks ? held_along_all(arm_a) : held_along(point.way, arm_a));
    result.turning_b += spring * (sticks ? held_along_all(arm_b) : held_along(point.way, arm_b));
    if (point.area > 0) result.depth = std::max(result.depth, point.push / point.area);
    result.pressed += law.stiffness * point.pressed;
    loaded_.push_back({point.at, point.way, elastic + damped, spring, time * beside});
    first += (elastic + damped) * point.at;
    load += elastic + damped;
  }
  result.center = load > 0 ? Vec3(first / load) : a.center;
  const PairContact::Poses now{a.world_from_solid, b.world_from_solid};
  const FrictionForce friction = pair.patch.displace(displacement(pair.last, now, result.center),
                                                     loaded_, law.friction, springs_);
  result.resisting.force += friction.force;
  result.resisting.torque_a += friction.torque - a.center.cross(friction.force);
  result.resisting.torque_b -= friction.torque - b.center.cross(friction.force);
  result.held = friction.energy;
  pair.last = now;
  return result;
}

}  // namespace plimsoll
