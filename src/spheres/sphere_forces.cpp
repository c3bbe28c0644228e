#include "spheres/sphere_forces.h"

#include <Eigen/Geometry>

#include "spheres/density.h"
#include "spheres/lens.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {
namespace {

bool is_narrow(const NormalCone& cone) { return cone.angle < kNarrowCone && !cone.axis.isZero(0); }

}  // namespace

ContactList::ContactList(const Similarity& world_from_a, std::vector<SphereContact>& contacts)
    : world_from_a_(world_from_a), scale_(scale_of(world_from_a.linear())), contacts_(contacts) {
  volume_scale_ = scale_ * scale_ * scale_;
  force_scale_ = scale_ * scale_;  // the linear part has the third
  contacts_.clear();
}

void ContactList::add(const SphereContact& contact) {
  SphereContact there = contact;
  there.point = world_from_a_ * contact.point;
  there.volume *= volume_scale_;
  there.area *= scale_ * scale_;
  there.energy *= scale_ * volume_scale_;
  there.force_a = force_scale_ * (world_from_a_.linear() * contact.force_a);
  there.force_b = force_scale_ * (world_from_a_.linear() * contact.force_b);
  contacts_.push_back(there);
}

// With the volume V of the lens: f(R) = V n(R), where n(R) is the axis of the cone of S, or the
// vector from the center of S to that of R with the faded length of lens_push(); and f(S) likewise
// with the cone of R [Weller2009, eq. (6)]. The published text takes n(R) from "the normal cones
// c_R and c_S", since they bring the spheres outside the *other* object: R leaves S along the
// normal of S.
void ForceSum::add_push(const PosedHierarchies& bodies, SpherePair pair, double distance,
                        double density, bool is_expected) {
  const SphereNode &a = bodies.a(pair.a), &b = bodies.b(pair.b);
  const double r = a.radius, s = bodies.b_radius(pair.b, NodeBall::kPrimary);
  const double volume = density * lens_volume(r, s, distance);
  if (!(volume > 0)) return;
  const Vec3 toward_b = bodies.b_center(pair.b) - a.center;
  const Vec3 push = density * lens_push(r, s, distance) * toward_b;
  const double share = distance > 0 ? lens_centroid(r, s, distance) / distance : 0;
  SphereContact contact{a.center + share * toward_b, volume};
  contact.is_expected = is_expected;
  if (contacts_ != nullptr && !is_expected) {
    contact.area = density * lens_area(r, s, distance);
    contact.energy = density * lens_push_potential(r, s, distance);
  }
  add_contact(contact, push, is_narrow(a.cone) ? a.cone.axis : Vec3(Vec3::Zero()),
              is_narrow(b.cone) ? bodies.b_axis(pair.b) : Vec3(Vec3::Zero()));
  sum_.stiffness_bound += density * lens_push_bound(r, s);
}

void ForceSum::add_expected(double volume, const Vec3& contact, const Vec3& push,
                            const Vec3& axis_of_a, const Vec3& axis_of_b) {
  SphereContact expected{contact, volume};
  expected.is_expected = true;
  add_contact(expected, push, axis_of_a, axis_of_b);
}

void ForceSum::add_contact(SphereContact contact, const Vec3& push, const Vec3& axis_of_a,
                           const Vec3& axis_of_b) {
  const bool by_cones = direction_ == ForceDirection::kConesOrCenters;
  const double volume = contact.volume;
  contact.force_a = by_cones && !axis_of_b.isZero(0) ? Vec3(volume * axis_of_b) : Vec3(-push);
  contact.force_b = by_cones && !axis_of_a.isZero(0) ? Vec3(volume * axis_of_a) : push;
  sum_.force_on_a += contact.force_a;
  sum_.force_on_b += contact.force_b;
  sum_.torque_on_a += (contact.point - about_.of_a).cross(contact.force_a);
  sum_.torque_on_b += (contact.point - about_.of_b).cross(contact.force_b);
  if (contacts_ != nullptr) contacts_->add(contact);
}

void ForceSum::add(const SphereForces& forces, double weight) {
  sum_.force_on_a += weight * forces.force_on_a;
  sum_.force_on_b += weight * forces.force_on_b;
  sum_.torque_on_a += weight * forces.torque_on_a;
  sum_.torque_on_b += weight * forces.torque_on_b;
  sum_.energy += weight * forces.energy;
  sum_.stiffness_bound += weight * forces.stiffness_bound;
}

void ForceSum::add(const PosedHierarchies& bodies, SpherePair pair, double distance,
                   double weight) {
  add_push(bodies, pair, distance, weight, false);
  if (direction_ == ForceDirection::kCenters)
    sum_.energy +=
        weight * lens_push_potential(bodies.a(pair.a).radius,
                                     bodies.b_radius(pair.b, NodeBall::kPrimary), distance);
}

void ForceSum::add_expected(const PosedHierarchies& bodies, SpherePair pair, double distance,
                            double weight) {
  add_push(bodies, pair, distance,
           weight * density(bodies.a(pair.a), NodeBall::kPrimary) *
               density(bodies.b(pair.b), NodeBall::kPrimary),
           true);
}

SphereForces sphere_forces(const PosedHierarchies& bodies, SphereWalk& walk,
                           ForceDirection direction, const TorquePoints& about) {
  ForceSum forces(direction, about);
  visit_meeting_spheres(
      bodies, walk, [&](SpherePair pair, double distance) { forces.add(bodies, pair, distance); });
  return forces.sum();
}

}  // namespace plimsoll
