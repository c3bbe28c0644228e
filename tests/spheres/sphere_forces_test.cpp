#include "spheres/sphere_forces.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include "random_spheres.h"
#include "spheres/lens.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::PlacedBall;
using test::RandomPair;

TorquePoints random_points(Random& random) {
  return {test::random_vector(random), test::random_vector(random)};
}

/// Forces over all pairs of leaves, from the lens and its centroid, which lens_test.cpp checks.
SphereForces sum_over_all(const RandomPair& pair, ForceDirection direction,
                          const TorquePoints& about) {
  SphereForces sum;
  const std::vector<PlacedBall> others = test::placed_leaves(pair.b, pair.a_from_b);
  for (const PlacedBall& x : test::placed_leaves(pair.a))
    for (const PlacedBall& y : others) {
      const Vec3 off = y.center - x.center;
      const double d = off.norm(), fade = 0.5 * std::min(x.radius, y.radius);
      if (d >= x.radius + y.radius) continue;
      const double volume = lens_volume(x.radius, y.radius, d);
      const auto leaves_along = [&](const PlacedBall& other, double side) -> Vec3 {
        if (direction == ForceDirection::kConesOrCenters && other.cone.angle < 0.8)
          return volume * other.cone.axis;
        return side * volume * std::min(1.0, d / fade) * off.normalized();
      };
      const Vec3 on_a = leaves_along(y, -1), on_b = leaves_along(x, 1);
      const Vec3 contact = x.center + lens_centroid(x.radius, y.radius, d) * off.normalized();
      sum.force_on_a += on_a;
      sum.force_on_b += on_b;
      sum.torque_on_a += (contact - about.of_a).cross(on_a);
      sum.torque_on_b += (contact - about.of_b).cross(on_b);
    }
  return sum;
}

/// Balls of up to 1 m^3 in sum, scaled up to 27 m^3, at arms of some meters: rounded to 1e-15 of
/// that.
void check_alike(const SphereForces& x, const SphereForces& y, double tolerance = 1e-12) {
  CHECK((x.force_on_a - y.force_on_a).norm() <= tolerance);
  CHECK((x.force_on_b - y.force_on_b).norm() <= tolerance);
  CHECK((x.torque_on_a - y.torque_on_a).norm() <= tolerance);
  CHECK((x.torque_on_b - y.torque_on_b).norm() <= tolerance);
}

TEST_CASE("forces and torques are those of all pairs, in both readings of the direction") {
  Random random(1);
  SphereWalk walk;
  double largest = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 200);
    const TorquePoints about = random_points(random);
    for (const auto direction : {ForceDirection::kConesOrCenters, ForceDirection::kCenters}) {
      const SphereForces found = sphere_forces(pair.posed(), walk, direction, about);
      check_alike(found, sum_over_all(pair, direction, about));
      largest = std::max(largest, found.force_on_a.norm());
    }
  }
  CHECK(largest > 0.01);
}

TEST_CASE("a sphere leaves along the outward normal of the other surface") {
  SphereNode floor = test::leaf(Vec3(0, 0, -1), 1, 1, 1);
  floor.cone = {.axis = Vec3::UnitZ(), .angle = 0.1};
  const SphereNode foot = test::leaf(Vec3(0.3, 0, 0.4), 0.6, 0.6, 0.6);  // its cone is wide
  const SphereHierarchy a = test::median_hierarchy({foot}), b = test::median_hierarchy({floor});
  SphereWalk walk;
  // The frame of b is turned: its axis z is the axis x of a.
  Similarity there = Similarity::Identity();
  there.linear() = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix();
  there.translation() = Vec3(0.5, 0, 0.4);  // b's ball stands at (-0.5, 0, 0.4)
  const PosedHierarchies bodies(a, b, there);
  const double volume = lens_volume(0.6, 1, 0.8);
  const auto cones = sphere_forces(bodies, walk, ForceDirection::kConesOrCenters, {});
  CHECK((cones.force_on_a - volume * Vec3::UnitX()).norm() <= 1e-15);
  CHECK((cones.force_on_b + volume * Vec3::UnitX()).norm() <= 1e-15);  // the line of centers
  CHECK(cones.energy == 0);

  floor.cone.angle = 1;  // too wide
  floor.cone.axis = Vec3::UnitY();
  const SphereHierarchy wide = test::median_hierarchy({floor});
  const auto centers = sphere_forces({a, wide, there}, walk, ForceDirection::kConesOrCenters, {});
  CHECK((centers.force_on_a - volume * Vec3::UnitX()).norm() <= 1e-15);
}

/// All of its cones are narrow and point away from the origin.
SphereHierarchy outward_body(Random& random) {
  std::vector<SphereNode> leaves = test::random_leaves(random, 200);
  for (SphereNode& node : leaves) node.cone = {.axis = node.center.normalized(), .angle = 0.1};
  return test::median_hierarchy(leaves);
}

// Spheres that meet stand between the two origins. Lines of centers may point anywhere where few
// spheres meet: they part bodies in the mean.
TEST_CASE("the force on a body parts it from the other") {
  Random random(2);
  SphereWalk walk;
  double along = 0, against = 0;
  for (int i = 0; i < test::campaign(300); ++i) {
    RandomPair pair(random, 1);
    pair.a = outward_body(random);
    pair.b = outward_body(random);
    pair.a_from_b = Similarity::Identity();
    pair.a_from_b.translation()[static_cast<Eigen::Index>(random.below(3))] = 1.7;
    const Vec3 away = pair.a_from_b.translation().normalized();
    const auto forces = [&](ForceDirection direction) {
      return sphere_forces(pair.posed(), walk, direction, {});
    };
    const SphereForces by_cones = forces(ForceDirection::kConesOrCenters);
    CHECK(by_cones.force_on_a.dot(away) < 0);
    CHECK(by_cones.force_on_b.dot(away) > 0);
    const double central = forces(ForceDirection::kCenters).force_on_b.dot(away);
    (central > 0 ? along : against) += std::abs(central);
  }
  CHECK(along > 5 * against);
}

TEST_CASE("central forces are equal and opposite and turn nothing") {
  Random random(3);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 150);
    const Vec3 about = test::random_vector(random);
    const SphereForces forces =
        sphere_forces(pair.posed(), walk, ForceDirection::kCenters, {about, about});
    // Sums of the same numbers but for their sign, and of torques about one point.
    CHECK(forces.force_on_a == -forces.force_on_b);
    CHECK((forces.torque_on_a + forces.torque_on_b).norm() <= 1e-12);
    CHECK((forces.energy > 0) == (forces.stiffness_bound > 0));
  }
}

/// The pose after the second body has moved by `shift` and turned by the vector `turn` about a
/// point.
Similarity moved(const Similarity& pose, const Vec3& shift, const Vec3& turn, const Vec3& about) {
  Similarity motion = Similarity::Identity();
  motion.linear() = Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()).toRotationMatrix();
  motion.translation() = about - motion.linear() * about + shift;
  return motion * pose;
}

// Central differences over 2e-5 m: the third derivative of the energy, that of the sum of lenses,
// is some 10 m for hundreds of spheres at arms of some meters, which leaves 1e-9; rounding leaves
// 1e-15 / 1e-5.
TEST_CASE("central forces are the negative gradient of the energy") {
  Random random(4);
  SphereWalk walk;
  constexpr double kStep = 1e-5;
  int pushed = 0;
  for (int i = 0; i < test::campaign(500); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 100);
    const TorquePoints about = random_points(random);
    const auto at = [&](const Similarity& pose) {
      return sphere_forces({pair.a, pair.b, pose}, walk, ForceDirection::kCenters, about);
    };
    const SphereForces forces = at(pair.a_from_b);
    if (forces.energy > 0) ++pushed;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const Vec3 step = kStep * Vec3::Unit(axis), none = Vec3::Zero();
      const auto slope = [&](const Vec3& shift, const Vec3& turn) {
        return (at(moved(pair.a_from_b, shift, turn, about.of_b)).energy -
                at(moved(pair.a_from_b, -shift, -turn, about.of_b)).energy) /
               (2 * kStep);
      };
      CHECK(std::abs(forces.force_on_b[axis] + slope(step, none)) <= 3e-8);
      CHECK(std::abs(forces.torque_on_b[axis] + slope(none, step)) <= 3e-8);
    }
  }
  CHECK(pushed > 0);
}

// A pair that meets on the way is one whose centers are nearer than the radii and the motion.
TEST_CASE("forces change by no more than the bounds of their pairs times the motion") {
  Random random(5);
  SphereWalk walk;
  double largest = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    RandomPair pair(random, 100);
    const Vec3 shift = std::pow(10, random.uniform(-4, -1)) * test::random_vector(random);
    double bound = 0;
    for (const PlacedBall& x : test::placed_leaves(pair.a))
      for (const PlacedBall& y : test::placed_leaves(pair.b, pair.a_from_b))
        if ((x.center - y.center).norm() < x.radius + y.radius + shift.norm())
          bound += lens_push_bound(x.radius, y.radius);
    bound *= shift.norm();
    for (const auto direction : {ForceDirection::kConesOrCenters, ForceDirection::kCenters}) {
      const SphereForces before = sphere_forces(pair.posed(), walk, direction, {});
      const Similarity pose = moved(pair.a_from_b, shift, Vec3::Zero(), Vec3::Zero());
      const SphereForces after = sphere_forces({pair.a, pair.b, pose}, walk, direction, {});
      // Rounding may exceed the smallest bounds.
      CHECK((after.force_on_a - before.force_on_a).norm() <= bound + 1e-14);
      CHECK((after.force_on_b - before.force_on_b).norm() <= bound + 1e-14);
      CHECK(before.stiffness_bound * shift.norm() <= bound * (1 + 1e-12));
      if (bound > 0)
        largest = std::max(largest, (after.force_on_a - before.force_on_a).norm() / bound);
    }
  }
  CHECK(largest > 0.05);
}

TEST_CASE("balls about one center do not push each other") {
  const SphereHierarchy ball = test::median_hierarchy({test::leaf(Vec3(1, 2, 3), 1, 1, 1)});
  SphereWalk walk;
  const SphereForces forces = sphere_forces({ball, ball, Similarity::Identity()}, walk,
                                            ForceDirection::kConesOrCenters, {});
  CHECK(forces.force_on_a.isZero(0));
  CHECK(forces.force_on_b.isZero(0));
  CHECK(forces.torque_on_a.isZero(0));
}

TEST_CASE("forces on the parts of a body add up to that on the whole") {
  Random random(6);
  SphereWalk walk;
  for (int i = 0; i < test::campaign(300); ++i) {
    RandomPair pair(random, 100);
    std::vector<SphereNode> all = test::random_leaves(random, 100);
    pair.b = test::median_hierarchy(all);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 3 + 1);
    const SphereHierarchy one = test::median_hierarchy({all.begin(), middle}),
                          other = test::median_hierarchy({middle, all.end()});
    const TorquePoints about = random_points(random);
    for (const auto direction : {ForceDirection::kConesOrCenters, ForceDirection::kCenters}) {
      const auto forces_of = [&](const SphereHierarchy& b) {
        return sphere_forces({pair.a, b, pair.a_from_b}, walk, direction, about);
      };
      const SphereForces whole = forces_of(pair.b), x = forces_of(one), y = forces_of(other);
      SphereForces sum;
      sum.force_on_a = x.force_on_a + y.force_on_a;
      sum.force_on_b = x.force_on_b + y.force_on_b;
      sum.torque_on_a = x.torque_on_a + y.torque_on_a;
      sum.torque_on_b = x.torque_on_b + y.torque_on_b;
      check_alike(whole, sum);
      CHECK(std::abs(whole.energy - x.energy - y.energy) <= 1e-12);
    }
  }
}

}  // namespace
}  // namespace plimsoll
