// Righting arms against the wall-sided formula, energies, and what becomes of a capsized hull.
// righting_arms_trim_test.cpp has what the trim does.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/righting_arms.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "support/checked.h"

namespace plimsoll {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

FloatingBody barge(double relative_density, const Vec3& center_of_mass) {
  const TriangleMesh mesh = make_box({10, 4, 3});
  return floating_body(SolidTree(test::checked(mesh)), center_of_mass, relative_density * 120);
}

Heeling about(const Vec3& axis, bool free_trim) {
  Heeling heeling;
  heeling.axis = axis.normalized();
  heeling.free_trim = free_trim;
  return heeling;
}

std::vector<double> degrees(double first, double last, double step) {
  std::vector<double> heels;
  for (double heel = first; heel <= last; heel += step) heels.push_back(heel * kDegree);
  return heels;
}

TEST_CASE("a body that sinks, and an axis along up, have no curve") {
  const double heels[] = {-0.1, 0, 0.1};
  const auto has_curve = [&](const FloatingBody& body, const Heeling& heeling) {
    const RightingArms arms = righting_arms(body, heeling, heels);
    REQUIRE(arms.states.size() == 3);
    return arms.upright.has_value() && arms.states[2].has_value();
  };
  FloatingBody body = barge(0.5, {0, 0, -0.2});
  CHECK(has_curve(body, {}));
  const double nan = std::nan("");
  for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0, 0, 0), Vec3(nan, 0, 0)}) {
    Heeling heeling;
    heeling.axis = axis;
    CHECK_FALSE(has_curve(body, heeling));
  }
  body.displacement = 2 * body.volume;
  CHECK_FALSE(has_curve(body, {}));
}

// As long as the deck stays dry and the bottom wet, a box is wall-sided:
// GZ = sin phi (GM + BM tan^2 phi / 2) [Biran2003, sec. 5.3], exactly. Half in water, 4 wide and 3
// high, that is up to atan(3 / 4) = 36.87 degrees.
TEST_CASE("a barge is wall-sided") {
  const FloatingBody body = barge(0.5, {0, 0, -0.2});
  const double bm = 16. / 12 / 1.5, gm = bm - (-0.2 - -0.75);
  for (const bool free_trim : {true, false}) {
    const std::vector<double> heels = degrees(-36, 36, 4);
    const auto states = righting_arms(body, about({1, 0, 0}, free_trim), heels).states;
    for (std::size_t i = 0; i < heels.size(); ++i) {
      REQUIRE(states[i]);
      const double t = std::tan(heels[i]);
      const double expected = std::sin(heels[i]) * (gm + bm * t * t / 2);
      CHECK(std::abs(states[i]->righting_arm - expected) <= 1e-13);
      CHECK(std::abs(states[i]->trim) <= 1e-12);
    }
    CHECK(std::abs(states[9]->slope - gm) <= 1e-13);  // at heel 0
  }
}

// Central differences over 2e-5 rad are off by d^2 / 6 = 2e-11 of the third derivative, and by
// 1e-14 / 1e-5 from rounding: 1e-6 leaves room for third derivatives of 1e4, as they are close to
// where corners go under. The axes are oblique to the deck, so that every term of the normal's
// derivatives counts.
TEST_CASE("arms and slopes are the derivatives of energies and arms") {
  const FloatingBody body = barge(0.4, {0.3, 0.1, 0.2});
  constexpr double kApart = 1e-5;
  for (const bool free_trim : {true, false})
    for (const Vec3& axis : {Vec3(1, 0.2, 0), Vec3(1, -0.3, 0.4), Vec3(0.8, 0.1, -0.3)}) {
      const Heeling heeling = about(axis, free_trim);
      for (const double heel : {-0.61, -0.23, 0.17, 0.42, 0.83}) {
        const double heels[] = {heel - kApart, heel, heel + kApart};
        const auto states = righting_arms(body, heeling, heels).states;
        for (const auto& state : states) REQUIRE(state);
        const double arm = (states[2]->state.energy - states[0]->state.energy) / (2 * kApart);
        const double slope = (states[2]->righting_arm - states[0]->righting_arm) / (2 * kApart);
        CHECK(std::abs(arm - states[1]->righting_arm) <= 1e-6);
        CHECK(std::abs(slope - states[1]->slope) <= 1e-6);
      }
    }
}

TEST_CASE("the area under the curve is the energy") {
  FloatingBody body = barge(0.4, {0.3, 0.1, 0.2});
  for (const bool free_trim : {true, false}) {
    const Heeling heeling = about({1, 0.2, 0}, free_trim);
    const std::vector<double> heels = degrees(0, 60, 0.25);
    const auto states = righting_arms(body, heeling, heels).states;
    // Simpson's rule; its error is that of kinks where corners enter the water.
    double area = 0;
    for (std::size_t i = 0; i + 2 < heels.size(); i += 2)
      area +=
          (heels[i + 2] - heels[i]) / 6 *
          (states[i]->righting_arm + 4 * states[i + 1]->righting_arm + states[i + 2]->righting_arm);
    const double energy = states.back()->state.energy - states.front()->state.energy;
    CHECK(std::abs(area - energy) <= 1e-6);
    CHECK(states.front()->area == 0);
    CHECK(std::abs(states.back()->area - energy) <= 1e-14);
  }
}

TEST_CASE("free trim leaves no moment across") {
  const FloatingBody body = barge(0.4, {0.5, 0.1, -0.3});
  const auto states = righting_arms(body, {}, degrees(0, 80, 10)).states;
  for (const auto& state : states) {
    REQUIRE(state);
    // The arm that is left turns about the horizontal line nearest to the axis.
    const Vec3 across = (Vec3(1, 0, 0) - state->state.up[0] * state->state.up).normalized();
    CHECK(std::abs(state->state.righting_arm.dot(across)) <= 1e-12);
    CHECK(state->trim < 0);  // the heavy end, at +x, is deeper
  }
}

TEST_CASE("stability ends where the arm vanishes, and a capsized hull rests in a second pose") {
  const FloatingBody body = barge(0.5, {0, 0, -0.1});
  const double half_turn[] = {std::numbers::pi};
  const auto angle = righting_arms(body, {}, half_turn).vanishing_angle;
  REQUIRE(angle);
  const double just[] = {*angle - 1e-6, *angle + 1e-6};
  const auto states = righting_arms(body, {}, just).states;
  CHECK(states[0]->righting_arm > 0);
  CHECK(states[1]->righting_arm < 0);
  const Vec3 over = Eigen::AngleAxisd(-*angle - 0.05, Vec3::UnitX()) * Vec3::UnitZ();
  const auto capsized = come_to_rest(body, over);
  REQUIRE(capsized);
  CHECK(capsized->kind == EquilibriumKind::kMinimum);
  // Flat upside down and upright: of the tilt, 1e-12 at most, the cosine keeps a rounding.
  CHECK(capsized->state.up[2] <= -1 + 0x1p-52);
  const Vec3 back = Eigen::AngleAxisd(-*angle + 0.05, Vec3::UnitX()) * Vec3::UnitZ();
  CHECK(come_to_rest(body, back)->state.up[2] >= 1 - 0x1p-52);
}

TEST_CASE("a body that rights itself from anywhere has no vanishing angle below 180 degrees") {
  const FloatingBody body = barge(0.5, {0, 0, -5});
  const double nearly_half_turn[] = {179 * kDegree};
  const RightingArms arms = righting_arms(body, {}, nearly_half_turn);
  CHECK_FALSE(arms.vanishing_angle);
  CHECK_FALSE(arms.loll_angle);
}

// sin phi (GM + BM tan^2 phi / 2) has its roots at 0 and at tan^2 phi = -2 GM / BM. The hull is
// wall-sided up to 36.87 degrees; an arm within 1e-15 of 0 there puts the angle within 1e-14.
TEST_CASE("a hull without initial stability lolls where the wall-sided formula says") {
  const double bm = 16. / 12 / 1.5, gm = -0.1;
  const FloatingBody body = barge(0.5, {0, 0, bm - gm - 0.75});
  const double heels[] = {-30 * kDegree, 30 * kDegree};
  const RightingArms arms = righting_arms(body, {}, heels);
  CHECK(std::abs(arms.upright->slope - gm) <= 1e-13);
  REQUIRE(arms.loll_angle);
  CHECK(std::abs(*arms.loll_angle - std::atan(std::sqrt(-2 * gm / bm))) <= 1e-10);
  CHECK_FALSE(arms.vanishing_angle);
}

// With the center of mass y to the side GZ = sin phi (GM + BM tan^2 phi / 2) + y cos phi, whose
// root is where bisection finds it. It is looked for on the side to which the body is pushed.
TEST_CASE("a body with its weight to the side lists to that side, whatever is asked for") {
  const double bm = 16. / 12 / 1.5, gm = 0.2;
  for (const double y : {-0.05, 0.05}) {
    const FloatingBody body = barge(0.5, {0, y, bm - gm - 0.75});
    const auto arm = [&](double phi) {
      const double tangent = std::tan(phi);
      return std::sin(phi) * (gm + bm * tangent * tangent / 2) - std::fabs(y) * std::cos(phi);
    };
    double low = 0, high = 0.6;
    for (int k = 0; k < 60; ++k) (arm((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    const double heels[] = {2 * kDegree};
    const RightingArms arms = righting_arms(body, {}, heels);
    REQUIRE(arms.list_angle);
    CHECK(std::abs(*arms.list_angle - std::copysign(low, -y)) <= 1e-10);
    CHECK_FALSE(arms.loll_angle);
  }
  CHECK_FALSE(righting_arms(barge(0.5, {0, 0, bm - gm - 0.75}), {}, {}).list_angle);
}

// The derivative of sin phi (GM + BM tan^2 phi / 2) is above 0 as long as the hull is wall-sided.
// The largest arm is beyond, between whole degrees: it is no less than any of a fine scan, and
// exceeds the best of these by no more than a parabola does over half a step.
TEST_CASE("the largest arm is that of the curve and not of the angles that were asked for") {
  const FloatingBody body = barge(0.5, {0.2, 0, -0.2});
  const std::vector<double> heels = degrees(0, 90, 0.125);
  const RightingArms fine = righting_arms(body, {}, heels);
  const double coarse_heels[] = {90 * kDegree};
  const RightingArms coarse = righting_arms(body, {}, coarse_heels);
  REQUIRE(fine.largest);
  REQUIRE(coarse.largest);
  CHECK(std::abs(fine.largest->heel - coarse.largest->heel) <= 1e-10);
  double best = 0;
  for (const auto& state : fine.states) best = std::max(best, state->righting_arm);
  CHECK(coarse.largest->righting_arm >= best);
  const double half_step = 0.0625 * kDegree;
  CHECK(coarse.largest->righting_arm - best <= 10 * half_step * half_step);
  CHECK(std::abs(coarse.largest->slope) <= 1e-9);
}

// An open hull is the closed one, as long as its rim is dry. Half in water and 4 wide, the box of
// height 3 puts its deck's edge under at atan(1.5 / 2).
TEST_CASE("the arms of an open hull end where its rim goes under") {
  const FloatingBody body = barge(0.5, {0, 0, -0.2});
  TriangleMesh open = make_box({10, 4, 3});
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return open.vertices[t[0]].z() > 0 && open.vertices[t[1]].z() > 0 &&
           open.vertices[t[2]].z() > 0;
  });
  REQUIRE(open.triangles.size() == 10);
  FloatingBody hull =
      floating_body(SolidTree(test::checked(open)), body.center_of_mass, body.displacement);
  hull.volume = body.volume;
  const std::vector<double> heels = degrees(-50, 50, 5);
  Heeling heeling;
  const RightingArms closed_arms = righting_arms(body, heeling, heels);
  CHECK_FALSE(closed_arms.flooding_angle);
  heeling.openings = rim_points(test::checked(open));
  CHECK(heeling.openings.size() == 4);
  const RightingArms arms = righting_arms(hull, heeling, heels);
  const double angle = std::atan(1.5 / 2);
  REQUIRE(arms.flooding_angle);
  REQUIRE(arms.negative_flooding_angle);
  CHECK(std::abs(*arms.flooding_angle - angle) <= 1e-10);
  CHECK(std::abs(*arms.negative_flooding_angle + angle) <= 1e-10);
  for (std::size_t i = 0; i < heels.size(); ++i) {
    CHECK(arms.states[i].has_value() == (std::abs(heels[i]) < angle));
    if (arms.states[i])
      CHECK(std::abs(arms.states[i]->righting_arm - closed_arms.states[i]->righting_arm) <= 1e-12);
  }
  hull.displacement = 1.1 * body.volume;
  hull.volume = 2 * body.volume;
  const RightingArms swamped = righting_arms(hull, heeling, heels);
  CHECK(swamped.flooding_angle == 0.0);
  for (const auto& state : swamped.states) CHECK_FALSE(state);
}

// A ball, and a cylinder about its axis, have energies that do not depend on heel or trim.
TEST_CASE("where heel or trim is neutral the arms are 0 and everything is a number") {
  const Shape ball{Sphere{1.5}}, cylinder{Cylinder{1, 4}};
  Heeling around = about({0, 0, 1}, true), held_around = about({0, 0, 1}, false);
  around.up = held_around.up = Vec3(1, 0, 0);
  const std::pair<Shape, Heeling> cases[] = {
      {ball, {}}, {ball, about({1, 2, 0.5}, true)}, {cylinder, around}, {cylinder, held_around}};
  for (const auto& [shape, heeling] : cases)
    for (const double density : {0.1, 0.5, 0.8}) {
      FloatingBody body = floating_body(shape, 1, std::nullopt).value();
      body.displacement = density * body.volume;
      const RightingArms arms = righting_arms(body, heeling, degrees(-180, 180, 15));
      for (const auto& state : arms.states) {
        REQUIRE(state);
        CHECK(state->righting_arm == 0);
        CHECK(state->slope == 0);
        CHECK(state->area == 0);
        CHECK(state->trim == 0);
      }
      CHECK(arms.jumps.empty());
      CHECK_FALSE(arms.largest);
      CHECK_FALSE(arms.vanishing_angle);
      CHECK_FALSE(arms.loll_angle);
    }
}

}  // namespace
}  // namespace plimsoll
