// Boxes on a floor that meet, and steps of their world.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/sanitizers.h"
#include "support/world_bodies.h"

namespace plimsoll::test {

/// Skips cases of hundreds of steps under a sanitizer: shorter ones walk the same ways.
inline const doctest::skip kLong(kAddressSanitizer || kThreadSanitizer);

inline Environment air(double gravity = 9.80665) {
  Environment environment;
  environment.gravity = gravity;
  environment.fluid_density = 0;
  return environment;
}

inline RigidBody box(const std::string& name, const Vec3& size, const Vec3& at,
                     double density = 500) {
  RigidBody made;
  made.name = name;
  made.shape = {BoxSolid{size}};
  made.density = density;
  made.pose.translation() = at;
  return made;
}

inline RigidBody of_mesh(const std::string& name, TriangleMesh mesh, const Vec3& at,
                         double density = 1000) {
  RigidBody made;
  made.name = name;
  made.shape = {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
  made.density = density;
  made.pose.translation() = at;
  return made;
}

inline RigidBody fixed(RigidBody body) {
  body.is_kinematic = true;
  return body;
}

inline RigidBody floor_body() {
  RigidBody floor = box("floor", {40, 40, 1}, {0.1, 0.2, -0.5});
  floor.is_kinematic = true;
  return floor;
}

inline RigidBody tilted(RigidBody body, double angle, const Vec3& axis) {
  body.pose.linear() = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  return body;
}

inline World meeting(const Environment& environment, const std::vector<RigidBody>& bodies,
                     const ContactLaw& law) {
  World world = made(environment, bodies);
  REQUIRE(world.set_contact(law));
  return world;
}

inline void run(World& world, int steps, double h = 0.005) {
  for (int i = 0; i < steps; ++i) {
    const Result<void> done = world.step(h);
    REQUIRE_MESSAGE(done, done.error().where, " ", done.error().message);
  }
}

inline double book(const World& world) {
  return world.energy().total() + world.dissipated() - world.work();
}

}  // namespace plimsoll::test
