// Terms of motion that only show far from the origin, off the middle, or in the last digits.
#include <doctest/doctest.h>
#include <plimsoll/world.h>

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "dynamics/rigid_motion.h"
#include "support/surface_at.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

using test::made;

RigidBody box_at(const Vec3& place) {
  RigidBody box;
  box.shape = {BoxSolid{{2, 1, 0.5}}};
  box.density = 500;
  box.pose.translation() = place;
  return box;
}

// m g z + rho g V (h - z_b): all heights grow by the same.
TEST_CASE("water and body lifted together gain the energy of the body's weight alone") {
  Environment low, high;
  low.surface = StillWater{0};
  high.surface = StillWater{7};
  const Energy before = made(low, box_at({0, 0, 0.1})).energy();
  const Energy after = made(high, box_at({0, 0, 7.1})).energy();
  CHECK(std::abs(after.gravity - before.gravity - 500 * low.gravity * 7) <= 1e-9);
  CHECK(std::abs(after.water - before.water) <= 1e-9);
  CHECK(before.water > 1);
}

// I w = r x p about the center of mass, wherever the body is.
TEST_CASE("a push off the middle turns a body by its moment about the middle") {
  Environment empty;
  empty.fluid_density = 0;
  World world = made(empty, box_at({50, -20, 30}));
  const Vec3 center = test::body(world, 0).center_of_mass;
  REQUIRE(world.push(test::id(world, 0), {0, 0, 10}, center + Vec3(0, 0.5, 0)));
  const double moment = 500.0 * (1 + 0.25) / 12;
  CHECK((test::body(world, 0).angular_velocity - Vec3(5 / moment, 0, 0)).norm() <= 1e-14);
}

// About a principal axis the angle is the rate times the time; the series takes some eight
// roundings.
TEST_CASE("a body that spins about one axis turns by the angle to the last digits") {
  const Inertia inertia{1, {1, 1, 1}};
  for (const double angle : {0.1, 0.5, 1.0}) {
    RigidMotion motion;
    motion.spin = {0, 0, angle};
    drift(motion, inertia, 1);
    CHECK(std::abs(motion.turn.w() - std::cos(angle / 2)) <= 1e-15);
    CHECK(std::abs(motion.turn.z() - std::sin(angle / 2)) <= 1e-15);
  }
}

// Below its error a volume is nothing, and its center anywhere.
TEST_CASE("a body that touches the water by rounding alone is not lifted") {
  const Shape box{BoxSolid{{1, 1, 1}}};
  const auto engine = test::filled(exact_buoyancy(), {&box, 1});
  const FluidSurface still = StillWater{0};
  for (const double height : {0.5 - 1e-17, 0.5 - 1e-16, 0.5 - 3e-16}) {
    BuoyancyQuery query;
    query.world_from_body.translation()[2] = height;
    std::array<Buoyancy, 1> answers;
    REQUIRE(engine->answer({&query, 1}, test::surface_at(still, 0, 9.81), answers));
    CHECK(answers[0].volume == 0);
    CHECK(answers[0].lift.norm() == 0);
  }
}

TEST_CASE("a shape with a place of its own in its body is wet where it is") {
  Shape ball{Sphere{1}};
  ball.pose.translation() = Vec3(0, 3, 2);
  const auto engine = test::filled(exact_buoyancy(), {&ball, 1});
  BuoyancyQuery query;
  query.world_from_body.linear() = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
  const Vec3 center = query.world_from_body * ball.pose.translation();
  const FluidSurface still = StillWater{center[2]};
  std::array<Buoyancy, 1> answers;
  REQUIRE(engine->answer({&query, 1}, test::surface_at(still, 0, 9.81), answers));
  CHECK(std::abs(answers[0].volume - 2 * std::acos(-1.0) / 3) <= 1e-14);
  CHECK((answers[0].center - center - Vec3(0, 0, -0.375)).norm() <= 1e-14);
}

// Water at the height h over the middle of a ball leaves the cap pi (r + h)^2 (2 r - h) / 3 wet.
// The ball of 1 um is 1000 km from the origin of its body and that 1000 km below the water, so that
// a rounded product, 1e-10 m, would be a hundredth of a percent of the radius.
TEST_CASE("a ball far from its body's origin, and that far from the world's, is wet where it is") {
  const double r = 1e-6;
  Shape ball{Sphere{r}};
  ball.pose.translation() = Vec3(8e5, 0.3, 6e5);
  const auto engine = test::filled(exact_buoyancy(), {&ball, 1});
  BuoyancyQuery query;
  query.world_from_body.linear() << 0.8, 0, -0.6, 0, 1, 0, 0.6, 0, 0.8;
  query.world_from_body.translation() = Vec3(0, 0, -1e6);
  const double level = -4e4;  // 1000 km up again, of which 0.6 * 800 + 0.8 * 600 are along the body
  using Rational = boost::multiprecision::cpp_rational;
  const Vec3 up = query.world_from_body.linear().row(2);
  Rational over = Rational(level) - Rational(query.world_from_body.translation().z());
  for (int i = 0; i < 3; ++i) over -= Rational(up[i]) * Rational(ball.pose.translation()[i]);
  const double h = static_cast<double>(over);
  REQUIRE(h != 0);
  REQUIRE(std::abs(h) < r);
  std::array<Buoyancy, 1> answers;
  REQUIRE(engine->answer({&query, 1}, test::surface_at(StillWater{level}, 0, 9.81), answers));
  const double cap = std::acos(-1.0) * (r + h) * (r + h) * (2 * r - h) / 3;
  CHECK(std::abs(answers[0].volume / cap - 1) <= 1e-14);
}

}  // namespace
}  // namespace plimsoll
