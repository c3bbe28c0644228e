// Bodies put together: parallel axes, and what the errors of the parts become. Flat bodies and rods
// are physical.
#include <doctest/doctest.h>
#include <plimsoll/mass.h>

#include <array>
#include <cmath>

#include "core/random.h"

namespace plimsoll {
namespace {

/// A cube of edge 1 and density `density` about `center`.
WeighedBody cube_at(const Vec3& center, double density) {
  WeighedBody body;
  MassProperties& p = body.properties;
  p.volume = 1;
  p.density = p.mass = density;
  p.center_of_mass = center;
  p.inertia = density / 6 * Mat3::Identity();
  return body;
}

Mat3 random_turn(Random& random) {
  return Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                            random.uniform(-1, 1))
      .normalized()
      .toRotationMatrix();
}

// I = sum I_k + m_k (|d_k|^2 1 - d_k d_k^T): a dumb-bell resists turns across its line, not along.
TEST_CASE("two cubes resist a turn by the squares of their distances from the axis") {
  const std::array<WeighedBody, 2> cubes = {cube_at({3, 0, 0}, 2), cube_at({-1, 0, 0}, 2)};
  const MassProperties both = combined(cubes).properties;
  CHECK(both.mass == 4);
  CHECK((both.center_of_mass - Vec3(1, 0, 0)).norm() <= 1e-15);
  const Vec3 moments(2. / 3, 2. / 3 + 4 * 4, 2. / 3 + 4 * 4);
  CHECK((both.inertia - Mat3(moments.asDiagonal())).norm() <= 1e-14);
}

/// How far the whole moves when the first of two cubes 2 d apart is as wrong as its error says.
struct Change {
  double center, inertia;
};
Change change(const std::array<WeighedBody, 2>& right, const std::array<WeighedBody, 2>& wrong) {
  const MassProperties a = combined(right).properties, b = combined(wrong).properties;
  return {(a.center_of_mass - b.center_of_mass).norm(), (a.inertia - b.inertia).norm()};
}

// Errors of 1e-6: what is left out is of their second order.
TEST_CASE("a body put together is as uncertain as its parts make it") {
  constexpr double kError = 1e-6, kFirstOrder = 1 - 1e-5;
  const std::array<WeighedBody, 2> right = {cube_at({4, 0, 0}, 1), cube_at({-4, 0, 0}, 1)};
  {
    INFO("the volume of a part is wrong, and with it the mass");
    auto said = right, wrong = right;
    said[0].error.volume = kError;
    wrong[0].properties.mass = wrong[0].properties.volume = 1 + kError;
    const MassError error = combined(said).error;
    const Change found = change(right, wrong);
    CHECK(error.volume == kError);
    CHECK(error.center_of_mass >= kFirstOrder * found.center);
    // 16 for each of two axes is a norm of sqrt 2 x 16; entries alone are bounded.
    CHECK(error.inertia >= kFirstOrder * found.inertia / std::sqrt(2.0));
  }
  {
    INFO("the center of a part is wrong");
    auto said = right, wrong = right;
    said[0].error.center_of_mass = kError;
    wrong[0].properties.center_of_mass[0] += kError;
    const MassError error = combined(said).error;
    const Change found = change(right, wrong);
    CHECK(error.center_of_mass >= kFirstOrder * found.center);
    CHECK(error.inertia >= kFirstOrder * found.inertia / std::sqrt(2.0));
  }
}

TEST_CASE("a denser body has an inertia that is as much less certain") {
  WeighedBody body = cube_at({1, 2, 3}, 5);
  body.error = {1e-3, 2e-3, 3e-3};
  const WeighedBody heavy = with_density_times(100, body);
  CHECK(heavy.properties.mass == 500);
  CHECK(heavy.properties.density == 500);
  CHECK(heavy.error.volume == 1e-3);
  CHECK(heavy.error.center_of_mass == 2e-3);
  CHECK(std::abs(heavy.error.inertia - 0.3) <= 1e-15);
}

// m_1 + m_2 = m_3 of a plate, m_1 = 0 of a rod: the eigenvalues of a turned tensor are rounded.
TEST_CASE("plates and rods are physical in any direction, and what no body has is not") {
  Random random(51);
  for (int i = 0; i < 300; ++i) {
    const Mat3 turn = random_turn(random);
    const auto turned = [&](const Vec3& moments) {
      return Mat3(turn * moments.asDiagonal() * turn.transpose());
    };
    CHECK(is_physical(turned({0.3, 0.7, 1.0})));
    CHECK(is_physical(turned({0, 1, 1})));
    CHECK(!is_physical(turned({0.3, 0.7, 1.0 + 1e-12})));
    CHECK(!is_physical(turned({-1e-12, 1, 1})));
  }
}

TEST_CASE("the first two principal axes point where their largest component is positive") {
  Random random(52);
  for (int i = 0; i < 100; ++i) {
    const Mat3 turn = random_turn(random);
    const PrincipalAxes axes =
        principal_axes(turn * Vec3(1, 2, 2.5).asDiagonal() * turn.transpose());
    for (int k = 0; k < 2; ++k) CHECK(axes.axes.row(k).maxCoeff() >= -axes.axes.row(k).minCoeff());
    CHECK(std::abs(axes.axes.determinant() - 1) <= 1e-14);
  }
}

}  // namespace
}  // namespace plimsoll
