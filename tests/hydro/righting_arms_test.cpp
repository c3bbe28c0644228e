// Righting arms against the wall-sided formula, energies, and what becomes of a capsized hull.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/righting_arms.h>

#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

FloatingBody barge(double relative_density, const Vec3& center_of_mass) {
  const TriangleMesh mesh = make_box({10, 4, 3});
  return floating_body(SubmersionTree(mesh), center_of_mass, relative_density * 120);
}

std::vector<double> degrees(double first, double last, double step) {
  std::vector<double> heels;
  for (double heel = first; heel <= last; heel += step) heels.push_back(heel * kDegree);
  return heels;
}

// As long as the deck stays dry and the bottom wet, a box is wall-sided:
// GZ = sin phi (GM + BM tan^2 phi / 2) [Biran2003, sec. 5.3], exactly. Half in water, 4 wide and 3
// high, that is up to atan(3 / 4) = 36.87 degrees.
TEST_CASE("a barge is wall-sided") {
  const FloatingBody body = barge(0.5, {0, 0, -0.2});
  const double bm = 16. / 12 / 1.5, gm = bm - (-0.2 - -0.75);
  for (const bool free_trim : {true, false}) {
    const std::vector<double> heels = degrees(-36, 36, 4);
    const auto states = righting_arms(body, {.free_trim = free_trim}, heels);
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

TEST_CASE("the area under the curve is the energy") {
  FloatingBody body = barge(0.4, {0.3, 0.1, 0.2});
  for (const bool free_trim : {true, false}) {
    const Heeling heeling{.axis = Vec3(1, 0.2, 0).normalized(), .free_trim = free_trim};
    const std::vector<double> heels = degrees(0, 60, 0.25);
    const auto states = righting_arms(body, heeling, heels);
    // Simpson's rule; its error is that of kinks where corners enter the water.
    double area = 0;
    for (std::size_t i = 0; i + 2 < heels.size(); i += 2)
      area +=
          (heels[i + 2] - heels[i]) / 6 *
          (states[i]->righting_arm + 4 * states[i + 1]->righting_arm + states[i + 2]->righting_arm);
    CHECK(std::abs(area - (states.back()->state.energy - states.front()->state.energy)) <= 1e-6);
    for (std::size_t i = 1; i + 1 < heels.size(); i += 20) {
      const double difference = (states[i + 1]->righting_arm - states[i - 1]->righting_arm) /
                                (heels[i + 1] - heels[i - 1]);
      CHECK(std::abs(difference - states[i]->slope) <= 1e-2);
    }
  }
}

TEST_CASE("free trim leaves no moment across") {
  const FloatingBody body = barge(0.4, {0.5, 0.1, -0.3});
  const auto states = righting_arms(body, {}, degrees(0, 80, 10));
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
  const auto angle = vanishing_angle(body, {}, std::numbers::pi);
  REQUIRE(angle);
  const double just[] = {*angle - 1e-6, *angle + 1e-6};
  const auto states = righting_arms(body, {}, just);
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
  const auto angle = vanishing_angle(body, {}, 179 * kDegree);
  CHECK_FALSE(angle);
}

}  // namespace
}  // namespace plimsoll
