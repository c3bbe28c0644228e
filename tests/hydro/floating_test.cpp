// Bodies afloat in a given attitude: draughts, arms, metacentric heights and poses.
#include <doctest/doctest.h>
#include <plimsoll/floating.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/floating_bodies.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::homogeneous;

// The displacement of 30 is met to 1e-14 (floating.h), and with it the level, over 40 of
// waterplane. GM has I / V, 11 at most, and so that error of it.
TEST_CASE("a box sinks in as deep as it is dense") {
  const FloatingBody box = homogeneous(make_box({4, 10, 3}), 0.25);
  const FloatingState state = float_upright(box, {0, 0, 1});
  CHECK(std::abs(state.level - (-1.5 + 0.75)) <= 1e-14 * 30 / 40);
  CHECK(std::abs(state.wet.volume - 30) <= 1e-14 * 30);
  CHECK(state.righting_arm.norm() == 0);
  // GM = I / V - BG: waterplane 4 x 10, draught 0.75, BG = (3 - 0.75) / 2.
  CHECK(std::abs(state.metacentric_heights[0] - (10 * 64. / 12 / 30 - 1.125)) <= 1e-14 * 11);
  CHECK(std::abs(state.metacentric_heights[1] - (4 * 1000. / 12 / 30 - 1.125)) <= 1e-14 * 11);
  CHECK(std::abs(state.energy - 1.125) <= 1e-14);
}

// Two boxes with a gap between them, each of which displaces as much as they weigh together.
TEST_CASE("in the gap between its parts a body has no waterplane, and two axes of heel") {
  const TriangleMesh box = make_box({1, 2, 1});
  const FloatingBody body = homogeneous(test::joined(box, test::moved(box, {0, 0, 3})), 0.5);
  const FloatingState state = float_upright(body, {0, 0, 1});
  CHECK(state.wet.volume == 2);
  CHECK(state.wet.waterplane.area == 0);
  CHECK(state.wet.waterplane.axes == Mat23::Zero());
  CHECK((state.heel_axes * state.heel_axes.transpose() - Mat2::Identity()).norm() <= 1e-15);
  CHECK((state.heel_axes * state.up).norm() <= 1e-15);
  CHECK(state.metacentric_heights == Vec2(-1.5, -1.5));  // the middle of both over that of one
}

TEST_CASE("every draught is found, however thin the waterplane") {
  Random random(3);
  const TriangleMesh dumbbell = [] {  // a waist of 1e-3 between two balls
    TriangleMesh mesh = make_bumpy_sphere(1, 0, 60, 40);
    for (Vec3& v : mesh.vertices) {
      const double waist = std::abs(v[2]);
      v[0] *= 1e-3 + waist;
      v[1] *= 1e-3 + waist;
    }
    return mesh;
  }();
  // floats() begins at 1e-6 and ends at 1 - 1e-9, of a volume that is rounded in another order.
  for (const double share : {1.001e-6, 1e-4, 0.3, 0.4999999, 0.5, 0.7, 0.9999, 1 - 1.001e-9}) {
    const FloatingBody body = homogeneous(dumbbell, share);
    for (const Vec3& up : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0.6, 0, 0.8)}) {
      const FloatingState state = float_upright(body, up);
      // Volumes are sums of terms of the size of the whole.
      CHECK(std::abs(state.wet.volume - body.displacement) <= 1e-14 * body.volume);
    }
  }
}

// The gradient and Hessian of the energy are derivatives: central differences over 1e-5 rad of a
// smooth energy of size 1 are off by 1e-10, and by kinks of a polyhedron's curvature, 1e-3, times
// the step.
TEST_CASE("arms and metacentric heights are derivatives of the energy") {
  const FloatingBody body = homogeneous(make_bumpy_sphere(1, 0.4, 40, 61), 0.4);
  Random random(5);
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 50; ++i) {
    const Vec3 up = test::random_vector(random).normalized();
    const FloatingState at = float_upright(body, up);
    for (int k = 0; k < 2; ++k) {
      const Vec3 along = at.heel_axes.row(k);
      const auto turned = [&](double angle) {
        return float_upright(body, std::cos(angle) * up + std::sin(angle) * along, at.level);
      };
      const FloatingState ahead = turned(kStep), behind = turned(-kStep);
      CHECK(std::abs((ahead.energy - behind.energy) / (2 * kStep) - along.dot(at.righting_arm)) <=
            1e-7);
      // Along a great circle E'' = H: the slope there is along its own tangent.
      const auto slope = [&](const FloatingState& s, double angle) {
        return s.righting_arm.dot(std::cos(angle) * along - std::sin(angle) * up);
      };
      CHECK(std::abs((slope(ahead, kStep) - slope(behind, -kStep)) / (2 * kStep) -
                     at.metacentric_heights[k]) <= 1e-3);
    }
  }
}

// The least rotation from one direction to another is by the angle between them, about an axis
// that is square to both.
TEST_CASE("a body afloat keeps its heading") {
  const FloatingBody body = homogeneous(make_box({3, 2, 1}), 0.4);
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const FloatingState at = float_upright(body, test::random_vector(random).normalized());
    const Mat3 before = test::random_similarity(random, 0, 1).linear();
    const Pose world = world_from_body(at, before);
    CHECK((world.linear() * at.up - Vec3::UnitZ()).norm() <= 1e-14);
    const Mat3 turn = world.linear() * before.transpose();
    const Vec3 up = before * at.up;
    CHECK(turn.trace() == test::approx(1 + 2 * up.z()).epsilon(1e-12));
    CHECK((turn * Vec3::UnitZ().cross(up) - Vec3::UnitZ().cross(up)).norm() <= 1e-14);
    // The water's level is its height over the origin, which stays over the same point.
    CHECK(world.translation() == Vec3(0, 0, -at.level));
  }
  const FloatingState upright = float_upright(body, Vec3::UnitZ());
  CHECK(world_from_body(upright).linear() == Mat3::Identity());
}

TEST_CASE("a body floats between a millionth and all but a thousand-millionth of its volume") {
  FloatingBody body = homogeneous(make_box({1, 1, 1}), 0.5);
  CHECK(floats(body));
  const auto floats_at = [&](double share) {
    FloatingBody other = body;
    other.displacement = share * other.volume;
    return floats(other);
  };
  CHECK(floats_at(kLeastDisplacement));
  CHECK_FALSE(floats_at(std::nextafter(kLeastDisplacement, 0)));
  CHECK(floats_at(1 - 1e-9));
  CHECK_FALSE(floats_at(std::nextafter(1 - 1e-9, 1)));
  CHECK_FALSE(floats_at(0));
  CHECK_FALSE(floats_at(-0.5));
  CHECK_FALSE(floats_at(std::numeric_limits<double>::quiet_NaN()));
  FloatingBody hollow = body;
  hollow.solid = nullptr;
  CHECK_FALSE(floats(hollow));
  FloatingBody lost = body;
  lost.center_of_mass.y() = std::numeric_limits<double>::infinity();
  CHECK_FALSE(floats(lost));
  for (const double volume : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    FloatingBody other = body;
    other.volume = volume;
    CHECK_FALSE(floats(other));
  }
}

// Ellipsoids, cylinders and the like have closed forms of the same solid that a mesh has nearly: a
// ball of density 1/2 floats at its middle.
TEST_CASE(
    "shapes float as their closed forms say, about their centroid or a center that is given") {
  const Result<FloatingBody> ball = floating_body({Sphere{2}}, 16 * std::numbers::pi / 3);
  REQUIRE(ball);
  CHECK(ball->volume == test::approx(32 * std::numbers::pi / 3).epsilon(1e-15));
  CHECK(ball->center_of_mass.norm() == 0);
  CHECK(ball->box.sizes() == Vec3(4, 4, 4));
  const FloatingState state = float_upright(*ball, Vec3(1, 2, 2) / 3);
  CHECK(std::fabs(state.level) <= 1e-14);
  CHECK(state.wet.volume == test::approx(16 * std::numbers::pi / 3).epsilon(1e-14));
  // The center of buoyancy of half a ball is 3/8 of its radius below.
  CHECK(state.energy == test::approx(0.75).epsilon(1e-13));
  CHECK(is_held_up(*ball, state));

  const Vec3 heavy(0, 0, -0.5);
  const Result<FloatingBody> keel = floating_body({Sphere{2}}, 16 * std::numbers::pi / 3, heavy);
  REQUIRE(keel);
  CHECK(keel->center_of_mass == heavy);
  const FloatingState upright = float_upright(*keel, Vec3::UnitZ());
  CHECK(upright.energy == test::approx(0.25).epsilon(1e-13));
  // A ball rights about its middle: GM is how far the mass lies below it.
  for (const double height : {upright.metacentric_heights[0], upright.metacentric_heights[1]})
    CHECK(height == test::approx(0.5).epsilon(1e-12));
  const FloatingState lying = float_upright(*keel, Vec3::UnitX());
  CHECK((lying.righting_arm - Vec3(0, 0, -0.5)).norm() <= 1e-13);

  Shape refused;
  refused.solid = Sphere{-1};
  CHECK_FALSE(floating_body(refused, 1));
}

TEST_CASE("a guess of the level changes no answer but for rounding, and none is needed") {
  const FloatingBody body = homogeneous(make_bumpy_sphere(1, 0.4, 40, 61), 0.3);
  const Vec3 up = Vec3(0.3, -0.4, 0.9).normalized();
  const FloatingState expected = float_upright(body, up);
  for (const double guess : {expected.level, 0.0, -0.9, 0.9, 50.0}) {
    const FloatingState state = float_upright(body, up, guess);
    CHECK(std::fabs(state.wet.volume - body.displacement) <= 1e-14 * body.volume);
    CHECK(std::fabs(state.level - expected.level) <= 1e-13);
    CHECK(state.up == expected.up);
  }
}

TEST_CASE("what displaces another volume than its weight is not held up") {
  const FloatingBody body = homogeneous(make_box({1, 1, 1}), 0.5);
  FloatingState state = float_upright(body, Vec3::UnitZ());
  CHECK(is_held_up(body, state));
  state.wet.volume *= 1 + 0.9e-6;
  CHECK(is_held_up(body, state));
  state.wet.volume = body.displacement * (1 + 1.1e-6);
  CHECK_FALSE(is_held_up(body, state));
  state.wet.volume = body.displacement * (1 - 1.1e-6);
  CHECK_FALSE(is_held_up(body, state));
}

}  // namespace
}  // namespace plimsoll
